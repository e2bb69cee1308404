import { describe, expect, it } from "vitest";
import { applyReviewOp, byDriver, countDays, pathOf, type Node, type ReviewOp, type ReviewState } from "./week";

function node(nodeId: string, more: Partial<Node> = {}): Node {
  return {
    nodeId,
    nodeType: "ACTION",
    title: nodeId,
    createdAt: "2026-10-01T08:00:00.000Z",
    archived: false,
    rootDriverId: "health",
    ...more,
  };
}

function stateOf(): ReviewState {
  const run = node("run", { completedAt: "2026-11-16T23:30:00.000Z" });
  const walk = node("walk", { createdAt: "2026-11-18T10:00:00.000Z" });
  return {
    review: {
      from: "2026-11-16",
      to: "2026-11-22",
      completed: [run],
      added: [walk],
      archived: [],
      stale: [node("swim"), node("call", { rootDriverId: "people" })],
      offers: [node("marathon", { nodeType: "MILESTONE" })],
      progress: [{ nodeId: "health", completed: 1, total: 3 }],
    },
    tree: {
      nodes: [
        node("work", { nodeType: "DRIVER" }),
        node("health", { nodeType: "DRIVER" }),
        node("people", { nodeType: "DRIVER" }),
        node("marathon"),
        run,
        walk,
      ],
      edges: [
        { parentNodeId: "health", childNodeId: "marathon", order: 1 },
        { parentNodeId: "marathon", childNodeId: "run", order: 1 },
      ],
    },
    settings: { timezone: "Europe/Berlin", dayStartHour: 0, autoRollover: false, today: "2026-11-18" },
  };
}

describe("a week", () => {
  it("counts by the user's own days", () => {
    const days = countDays(stateOf());
    expect(days).toHaveLength(7);
    expect(days[1]).toEqual({ day: "2026-11-17", completed: 1, added: 0 });
    expect(days[2]).toEqual({ day: "2026-11-18", completed: 0, added: 1 });
    const late = stateOf();
    late.settings.dayStartHour = 4;
    expect(countDays(late)[0]).toMatchObject({ completed: 1 });
  });

  it("groups by driver, those with something to say first", () => {
    const weeks = byDriver(stateOf());
    expect(weeks.map(({ driverId }) => driverId)).toEqual(["health", "people", "work"]);
    expect(weeks[0]).toMatchObject({ done: 1, total: 3 });
    expect(weeks[0]!.stale.map(({ nodeId }) => nodeId)).toEqual(["swim"]);
    expect(weeks[1]!.stale.map(({ nodeId }) => nodeId)).toEqual(["call"]);
  });

  it("knows where a node is", () => {
    expect(pathOf(stateOf().tree, "run")).toEqual(["health", "marathon"]);
    expect(pathOf(stateOf().tree, "health")).toEqual([]);
  });
});

describe("what is done in it", () => {
  const ids = (list: Node[]) => list.map(({ nodeId }) => nodeId);

  it("moves from what lies still to where it belongs, once", () => {
    const complete: ReviewOp = { kind: "complete", nodeId: "swim", at: "2026-11-18T10:00:00.000Z" };
    const { review } = applyReviewOp(applyReviewOp(stateOf(), complete), complete);
    expect(ids(review.stale)).toEqual(["call"]);
    expect(ids(review.completed)).toEqual(["run", "swim"]);
    const archived = applyReviewOp(stateOf(), { kind: "archive", nodeIds: ["swim", "call"] }).review;
    expect(ids(archived.stale)).toEqual([]);
    expect(ids(archived.archived)).toEqual(["swim", "call"]);
  });

  it("can be taken back", () => {
    const done = applyReviewOp(stateOf(), { kind: "complete", nodeId: "marathon", at: "2026-11-18T10:00:00.000Z" });
    expect(ids(done.review.offers)).toEqual([]);
    const back = applyReviewOp(done, { kind: "uncomplete", nodeId: "marathon" });
    expect(ids(back.review.offers)).toEqual(["marathon"]);
    expect(ids(back.review.completed)).toEqual(["run"]);
    const put = applyReviewOp(applyReviewOp(stateOf(), { kind: "archive", nodeIds: ["call"] }), { kind: "restore", nodeIds: ["call"] });
    expect(ids(put.review.stale)).toEqual(["swim", "call"]);
    expect(put.review.archived).toEqual([]);
  });
});
