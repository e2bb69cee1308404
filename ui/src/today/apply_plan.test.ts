import { describe, expect, it } from "vitest";
import { applyPlanOp } from "./apply_plan";
import { invertPlanOp } from "./invert_plan";
import type { Plan, PlanOp, PlanOperation } from "./plan_types";

const time = (clock: string) => `2026-11-16T${clock}:00.000Z`;

function planOf(): Plan {
  return {
    day: "2026-11-16",
    revId: "R1",
    dayStart: time("00:00"),
    dayEnd: "2026-11-17T00:00:00.000Z",
    todos: [
      { actionId: "a", order: 1, classification: "urgent", title: "A", archived: false, estimatedPomodoros: 2 },
      { actionId: "b", order: 2, classification: "other", title: "B", archived: false, notes: "soon" },
      { actionId: "c", order: 3, classification: "important", title: "C", archived: false, completedAt: time("08:00") },
    ],
    blocks: [
      { blockId: "x", blockType: "POMODORO", start: time("09:00"), end: time("09:25"), actionId: "a", pomodoroIndex: 1 },
      { blockId: "y", blockType: "POMODORO", start: time("10:00"), end: time("10:25"), actionId: "a", pomodoroIndex: 2 },
      { blockId: "z", blockType: "MEETING", start: time("11:00"), end: time("12:00") },
    ],
  };
}

const commit = (...operations: PlanOperation[]): PlanOp => ({ kind: "commit", operations });
const done = (...operations: PlanOperation[]) => applyPlanOp(planOf(), commit(...operations));
const ids = (plan: Plan) => plan.todos.map(({ actionId }) => actionId).join("");

describe("operations", () => {
  it("add todos at the end, first, or behind another", () => {
    expect(ids(done({ op: "addTodo", actionId: "d" }))).toBe("abcd");
    expect(ids(done({ op: "addTodo", actionId: "d", first: true }))).toBe("dabc");
    expect(ids(done({ op: "addTodo", actionId: "d", afterActionId: "a" }))).toBe("adbc");
    expect(ids(done({ op: "addTodo", actionId: "d", afterActionId: "gone" }))).toBe("abcd");
    expect(ids(done({ op: "addTodo", actionId: "a" }))).toBe("abc");
  });

  it("number todos by their place", () => {
    const plan = done({ op: "reorderTodos", actionIds: ["c", "a", "b"] });
    expect(plan.todos.map(({ actionId, order }) => `${actionId}${order}`)).toEqual(["c1", "a2", "b3"]);
    expect(ids(done({ op: "reorderTodos", actionIds: ["c", "gone"] }))).toBe("cab");
  });

  it("change fields, and take them away", () => {
    const [a, b] = done(
      { op: "editTodo", actionId: "a", estimatedPomodoros: null, classification: "other" },
      { op: "editTodo", actionId: "b", notes: "later" },
    ).todos;
    expect(a).toMatchObject({ classification: "other" });
    expect(a).not.toHaveProperty("estimatedPomodoros");
    expect(b).toMatchObject({ notes: "later", classification: "other" });
  });

  it("take the pomodoros along with their todo", () => {
    expect(done({ op: "removeTodo", actionId: "a" }).blocks.map(({ blockId }) => blockId)).toEqual(["z"]);
  });

  it("keep blocks in order of time and number pomodoros anew", () => {
    const plan = done({ op: "editBlock", blockId: "y", start: time("08:00"), end: time("08:25") });
    expect(plan.blocks.map(({ blockId, pomodoroIndex }) => [blockId, pomodoroIndex])).toEqual([
      ["y", 1],
      ["x", 2],
      ["z", undefined],
    ]);
    expect(done({ op: "editBlock", blockId: "x", blockType: "BREAK" }).blocks[0]).not.toHaveProperty("actionId");
  });

  it("may be there already, or fit nothing any more", () => {
    const operations: PlanOperation[] = [
      { op: "addBlock", blockId: "n", blockType: "BREAK", start: time("13:00"), end: time("13:05") },
      { op: "removeTodo", actionId: "b" },
      { op: "editTodo", actionId: "gone", notes: "?" },
      { op: "removeBlock", blockId: "gone" },
    ];
    const once = done(...operations);
    expect(applyPlanOp(once, commit(...operations))).toEqual(once);
  });
});

describe("taking back", () => {
  const plan = planOf();
  const cases: PlanOp[] = [
    commit({ op: "addTodo", actionId: "d", classification: "urgent" }),
    commit({ op: "editTodo", actionId: "a", classification: "other", notes: "new", estimatedPomodoros: null }),
    commit({ op: "removeTodo", actionId: "a" }),
    commit({ op: "removeTodo", actionId: "b" }),
    commit({ op: "reorderTodos", actionIds: ["b", "c", "a"] }),
    commit({ op: "addBlock", blockId: "n", blockType: "BREAK", start: time("13:00"), end: time("13:05") }),
    commit({ op: "editBlock", blockId: "x", start: time("15:00"), end: time("15:25") }),
    commit({ op: "editBlock", blockId: "x", blockType: "MEETING" }),
    commit({ op: "removeBlock", blockId: "y" }, { op: "removeBlock", blockId: "z" }),
    { kind: "create", nodeId: "new", title: "New", parentId: "p", classification: "other" },
    { kind: "complete", actionId: "a", at: time("12:00") },
    { kind: "uncomplete", actionId: "c" },
    { kind: "rollover", fromDay: "2026-11-13", todos: [{ actionId: "old", order: 1, classification: "other", archived: false }] },
    { kind: "restore", toRevId: "R0", todos: [], blocks: [] },
  ];

  it.each(cases.map((op) => [op.kind === "commit" ? op.operations.map(({ op: name }) => name).join("+") : op.kind, op] as const))(
    "%s gives the plan as it was",
    (_, op) => {
      const back = invertPlanOp(plan, op);
      expect(back).not.toBeNull();
      const after = applyPlanOp(plan, op);
      expect(after).not.toEqual(plan);
      expect(applyPlanOp(after, back!)).toEqual(plan);
      // And forth again.
      expect(applyPlanOp(applyPlanOp(after, back!), op)).toEqual(after);
    },
  );

  it("has nothing to do when nothing was done", () => {
    expect(invertPlanOp(plan, commit({ op: "removeTodo", actionId: "gone" }))).toBeNull();
    expect(invertPlanOp(plan, { kind: "rollover", fromDay: "2026-11-13", todos: plan.todos })).toBeNull();
    expect(invertPlanOp({ ...plan, revId: undefined as never }, { kind: "restore", toRevId: "R0", todos: [], blocks: [] })).toBeNull();
  });
});
