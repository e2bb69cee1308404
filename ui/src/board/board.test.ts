import { describe, expect, it } from "vitest";
import { applyBoardOp, cardIn } from "./apply_board";
import { placeAgain, placeAt, placeBeside, placeKeeping, placeOf, slotOf } from "./card_place";
import { columnErrors, columnsOf, draftsOf, movedDraft } from "./column_drafts";
import type { Board, Status, Task } from "./board_types";

function card(taskId: string, priority = 3, status: Status = "TODO"): Task {
  return { taskId, title: taskId, status, priority, rank: "", tags: [], version: 1, createdAt: "", updatedAt: "" };
}

const cards = [card("a", 1), card("b", 3), card("c", 3), card("d", 4)];

describe("where a card lands", () => {
  it("keeps its priority where it can, beside its equals", () => {
    expect(placeAt(cards, 2, "TODO", 3)).toEqual({ status: "TODO", priority: 3, afterId: "b" });
    expect(placeAt(cards, 1, "TODO", 3)).toEqual({ status: "TODO", priority: 3, beforeId: "b" });
    expect(placeAt(cards, 1, "TODO", 2)).toEqual({ status: "TODO", priority: 2 });
    expect(placeAt([], 0, "DONE", 2)).toEqual({ status: "DONE", priority: 2 });
  });

  it("takes the priority of those it is put between", () => {
    expect(placeAt(cards, 0, "TODO", 3)).toEqual({ status: "TODO", priority: 1, beforeId: "a" });
    expect(placeAt(cards, 4, "TODO", 1)).toEqual({ status: "TODO", priority: 4, afterId: "d" });
    expect(placeAt(cards, 2, "TODO", 1)).toEqual({ status: "TODO", priority: 3, afterId: "b" });
  });

  it("keeps its priority in another column, as near as that allows", () => {
    const slots = (priority: number) => [0, 1, 2, 3, 4].map((slot) => slotOf(cards, placeKeeping(cards, slot, "DONE", priority)));
    expect(slots(1)).toEqual([0, 1, 1, 1, 1]);
    expect(slots(2)).toEqual([1, 1, 1, 1, 1]);
    expect(slots(3)).toEqual([1, 1, 2, 3, 3]);
    expect(slots(4)).toEqual([3, 3, 3, 3, 4]);
    for (let priority = 1; priority <= 4; ++priority)
      expect(placeKeeping(cards, 0, "DONE", priority)).toMatchObject({ status: "DONE", priority });
  });

  it("is put back where it was, or behind its equals when its neighbour has gone", () => {
    for (const task of cards) {
      const rest = cards.filter((other) => other !== task);
      expect(slotOf(rest, placeAgain(rest, placeOf(cards, task)))).toBe(cards.indexOf(task));
    }
    const rest = [card("a", 1), card("d", 4)];
    expect(placeAgain(rest, placeOf(cards, cards[2]!))).toEqual({ status: "TODO", priority: 3 });
  });

  it("is where it is shown", () => {
    for (let slot = 0; slot <= cards.length; ++slot) {
      for (let priority = 1; priority <= 4; ++priority) expect(slotOf(cards, placeAt(cards, slot, "TODO", priority))).toBe(slot);
    }
    expect(slotOf(cards, { status: "TODO", priority: 3 })).toBe(3);
  });

  it("goes up and down by keys, through all priorities", () => {
    const path: string[] = [];
    let column = cards;
    for (let step = 0; step < 8; ++step) {
      const place = placeBeside(column, "a", 1);
      if (!place) break;
      const rest = column.filter(({ taskId }) => taskId !== "a");
      const slot = slotOf(rest, place);
      column = [...rest.slice(0, slot), card("a", place.priority), ...rest.slice(slot)];
      path.push(`${place.priority}${column.map(({ taskId }) => taskId).join("")}`);
    }
    expect(path).toEqual(["2abcd", "3abcd", "3bacd", "3bcad", "4bcad", "4bcda"]);
    expect(placeBeside(cards, "a", -1)).toBeNull();
  });
});

describe("operations on the board", () => {
  const board: Board = {
    columns: [
      { status: "TODO", title: "To do", count: 4, isOverLimit: false, cards },
      { status: "DONE", title: "Done", count: 1, limit: 1, isOverLimit: false, cards: [card("z", 3, "DONE")] },
    ],
  };
  const order = (state: Board) => state.columns.map((column) => column.cards.map(({ taskId }) => taskId).join("")).join(" ");

  it("move cards, count them, and warn", () => {
    const moved = applyBoardOp(board, { kind: "move", task: cards[1]!, place: { status: "DONE", priority: 3, beforeId: "z" } });
    expect(order(moved)).toBe("acd bz");
    expect(moved.columns.map(({ count, isOverLimit }) => [count, isOverLimit])).toEqual([
      [3, false],
      [2, true],
    ]);
    expect(cardIn(moved, "b")).toMatchObject({ status: "DONE", priority: 3 });
  });

  it("add, change, complete and remove", () => {
    expect(order(applyBoardOp(board, { kind: "add", id: "n", title: "New", status: "TODO", at: "" }))).toBe("abcnd z");
    expect(order(applyBoardOp(board, { kind: "complete", task: cards[0]!, done: true }))).toBe("bcd az");
    expect(order(applyBoardOp(board, { kind: "remove", task: cards[0]!, scope: "this" }))).toBe("bcd z");
    expect(order(applyBoardOp(board, { kind: "change", task: cards[3]!, change: { priority: 2 } }))).toBe("adbc z");
    const due = applyBoardOp(board, { kind: "change", task: cards[0]!, change: { dueUtc: "2027-01-11T09:00:00Z", description: null } });
    expect(cardIn(due, "a")?.dueUtc).toBe("2027-01-11T09:00:00Z");
    expect(order(applyBoardOp(board, { kind: "change", task: cards[0]!, change: { status: "ARCHIVED" } }))).toBe("bcd z");
    expect(applyBoardOp(board, { kind: "remove", task: card("gone"), scope: "this" })).toBe(board);
  });
});

describe("columns while they are changed", () => {
  const drafts = draftsOf([
    { status: "TODO", title: "Next" },
    { status: "DONE", title: "Done", limit: 5 },
  ]);

  it("are all statuses, those of the board first", () => {
    expect(drafts.map(({ status, isShown }) => `${status}${isShown ? "" : "?"}`)).toEqual([
      "TODO",
      "DONE",
      "BACKLOG?",
      "IN_PROGRESS?",
      "BLOCKED?",
      "ARCHIVED?",
    ]);
    expect(columnsOf(drafts)).toEqual([
      { status: "TODO", title: "Next" },
      { status: "DONE", title: "Done", limit: 5 },
    ]);
  });

  it("change places, and stay within the list", () => {
    expect(columnsOf(movedDraft(drafts, "DONE", -1)).map(({ status }) => status)).toEqual(["DONE", "TODO"]);
    expect(movedDraft(drafts, "TODO", -1)).toEqual(drafts);
    expect(movedDraft(drafts, "ARCHIVED", 1)).toEqual(drafts);
  });

  it("need a name, and a limit that is a number", () => {
    const typed = (title: string, limit: string) => columnErrors([{ status: "TODO", isShown: true, title, limit }]).TODO;
    expect(typed("Next", "")).toBeUndefined();
    expect(typed("Next", " 12 ")).toBeUndefined();
    expect(Object.keys(typed(" ", "0") ?? {})).toEqual(["title", "limit"]);
    expect(typed("Next", "many")?.limit).toBeDefined();
    expect(typed("Next", "1001")?.limit).toBeDefined();
    expect(columnErrors([{ status: "TODO", isShown: false, title: "", limit: "x" }])).toEqual({});
  });
});
