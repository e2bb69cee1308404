import { describe, expect, it } from "vitest";
import type { Plan, PlanCommit, PlanDiff } from "./plan_types";
import { diffSentences, revisionText, withNames } from "./plan_words";

const words = { title: (id: string) => ({ a: "Write", b: "Read" })[id] ?? "?", zone: "UTC" };
const time = (clock: string) => `2026-11-16T${clock}:00.000Z`;
const none: PlanDiff = {
  todosAdded: [],
  todosRemoved: [],
  todosChanged: [],
  todosMoved: [],
  blocksAdded: [],
  blocksRemoved: [],
  blocksChanged: [],
};
const say = (diff: Partial<PlanDiff>) =>
  diffSentences(
    { ...none, ...diff },
    {
      ...words,
      blocks: [{ blockId: "x", blockType: "POMODORO", start: time("09:00"), end: time("09:25"), actionId: "a" }],
    },
  ).map(({ change, text }) => `${change}: ${text}`);

describe("a difference", () => {
  it("is told as sentences", () => {
    expect(say({})).toEqual([]);
    expect(say({ todosAdded: [{ actionId: "a", order: 1, classification: "other", archived: false }] })).toEqual(["added: Added “Write”."]);
    expect(say({ todosMoved: [{ actionId: "b", from: 3, to: 1 }] })).toEqual(["moved: Moved “Read” up to place 1."]);
    expect(say({ todosChanged: [{ id: "a", fields: [{ field: "estimatedPomodoros", from: 2, to: 3 }] }] })).toEqual([
      "changed: “Write” takes 3 pomodoros, not 2.",
    ]);
    expect(say({ todosChanged: [{ id: "a", fields: [{ field: "classification", from: "other", to: "urgent" }] }] })).toEqual([
      "changed: “Write” is urgent now.",
    ]);
  });

  it("names blocks by what they are for", () => {
    expect(say({ blocksAdded: [{ blockId: "n", blockType: "BREAK", start: time("10:00"), end: time("10:05") }] })).toEqual([
      "added: Planned a break at 10:00 (5 min).",
    ]);
    const fields = [
      { field: "start", from: time("09:00"), to: time("11:00") },
      { field: "end", from: time("09:25"), to: time("11:25") },
    ];
    expect(say({ blocksChanged: [{ id: "x", fields }] })).toEqual(["moved: The pomodoro for “Write” moved from 9:00 to 11:00."]);
    expect(say({ blocksChanged: [{ id: "x", fields: fields.slice(1) }] })).toEqual([
      "changed: The pomodoro for “Write” ends at 11:25, not at 9:25.",
    ]);
  });
});

it("puts names where the server says ids", () => {
  const plan = {
    blocks: [
      { blockId: "x", blockType: "POMODORO", start: time("09:00"), end: time("09:25"), actionId: "a" },
      { blockId: "m", blockType: "MEETING", start: time("09:10"), end: time("10:00") },
    ],
  } as Plan;
  expect(withNames('The block "m" starts before the block "x" ends. Only buffers may overlap others.', plan, words)).toBe(
    "The meeting at 9:10 starts before the pomodoro for “Write” at 9:00 ends. Only buffers may overlap others.",
  );
  const span = (type: string, from: string, to: string) => `${type} from ${time(from)} to ${time(to)}`;
  expect(
    withNames(`The ${span("BREAK", "09:20", "09:40")} starts before the ${span("POMODORO", "09:00", "09:25")} ends.`, plan, words),
  ).toBe("The break at 9:20 starts before the pomodoro for “Write” at 9:00 ends.");
  expect(withNames('The block "gone" is away.', plan, words)).toBe('The block "gone" is away.');
  expect(withNames('The action "b" is no todo of this day.', plan, words)).toBe("The action “Read” is no todo of this day.");
});

it("says what a revision was about", () => {
  const commit = (more: Partial<PlanCommit>): PlanCommit => ({
    revId: "R",
    revTs: time("09:00"),
    message: "",
    reason: "midday_replan",
    itemCount: 1,
    ...more,
  });
  expect(revisionText(commit({}))).toBe("Changed");
  expect(revisionText(commit({ message: "Scheduled the day" }))).toBe("Scheduled the day");
  expect(revisionText(commit({ restoredBy: "rollback", message: "Rollback to R" }))).toBe("Restored an earlier version");
});
