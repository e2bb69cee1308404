import { expect, it } from "vitest";
import { MadeIds } from "./made_ids";

it("calls a thing by its first id on the page, and by the server's when it is sent", () => {
  const ids = new MadeIds();
  expect([ids.shown("task_1"), ids.sent("made")]).toEqual(["task_1", "made"]);
  ids.note("made", "task_1");
  ids.note("made", "task_1"); // the answer came twice
  expect([ids.shown("task_1"), ids.shown("made"), ids.sent("made"), ids.sent("task_1")]).toEqual(["made", "made", "task_1", "task_1"]);
  expect([ids.shown("task_2"), ids.sent("task_2")]).toEqual(["task_2", "task_2"]);
});
