import { describe, expect, it } from "vitest";
import { edgeSpeed, listSlot, minuteAt, moveSpan, moveTo, resizeSpan, treeSlot, type TreeRow } from "./drop_targets";

const rows = (...depths: number[]): TreeRow[] =>
  depths.map((depth, index) => ({ id: `n${index}`, depth, top: index * 10, bottom: index * 10 + 10 }));

describe("lists", () => {
  it("drop before the row whose middle is below", () => {
    expect([-5, 4, 6, 24, 26, 99].map((y) => listSlot(rows(0, 0, 0), y))).toEqual([0, 0, 1, 2, 3, 3]);
    expect(listSlot([], 5)).toBe(0);
  });

  it("move entries to slots as they were counted", () => {
    expect(moveTo(["a", "b", "c"], 0, 3)).toEqual(["b", "c", "a"]);
    expect(moveTo(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
    expect(moveTo(["a", "b", "c"], 1, 1)).toEqual(["a", "b", "c"]);
    expect(moveTo(["a", "b", "c"], 1, 2)).toEqual(["a", "b", "c"]);
  });
});

describe("trees", () => {
  const any = () => true;
  const tree = rows(0, 1, 2, 0); // n0 > n1 > n2, n3

  it("take the depth the pointer asks for where it makes sense", () => {
    expect(treeSlot(tree, { contentY: 29, depth: 2, mayBeUnder: any })).toMatchObject({
      parentId: "n1",
      afterId: "n2",
      depth: 2,
      contentY: 30,
    });
    expect(treeSlot(tree, { contentY: 29, depth: 1, mayBeUnder: any })).toMatchObject({ parentId: "n0", afterId: "n1", depth: 1 });
    expect(treeSlot(tree, { contentY: 29, depth: 0, mayBeUnder: any })).toMatchObject({ parentId: null, afterId: "n0", depth: 0 });
    expect(treeSlot(tree, { contentY: 29, depth: 9, mayBeUnder: any })).toMatchObject({ parentId: "n2", afterId: null, depth: 3 });
  });

  it("cannot come between a parent and its first child but as the first child", () => {
    expect(treeSlot(tree, { contentY: 9, depth: 0, mayBeUnder: any })).toMatchObject({ parentId: "n0", afterId: null, depth: 1 });
  });

  it("take the nearest depth that is allowed, or none", () => {
    const underDriver = (id: string | null) => id === "n0";
    expect(treeSlot(tree, { contentY: 29, depth: 3, mayBeUnder: underDriver })).toMatchObject({ parentId: "n0", depth: 1 });
    expect(treeSlot(tree, { contentY: -1, depth: 0, mayBeUnder: underDriver })).toBeNull();
  });

  it("have a place when they are empty", () => {
    expect(treeSlot([], { contentY: 0, depth: 0, mayBeUnder: any })).toMatchObject({ parentId: null, afterId: null });
  });
});

describe("hours", () => {
  const grid = { top: 100, pixelsPerMinute: 2, firstMinute: 360, lastMinute: 1440, snapMinutes: 5 };

  it("are found at heights", () => {
    expect(minuteAt(grid, 100)).toBe(360);
    expect(minuteAt(grid, 100 + 2 * 63)).toBe(425);
    expect(minuteAt(grid, 0)).toBe(360);
    expect(minuteAt(grid, 9999)).toBe(1440);
  });

  it("move as they are and stay in the day", () => {
    expect(moveSpan(grid, { start: 540, end: 565 }, 24)).toEqual({ start: 550, end: 575 });
    expect(moveSpan(grid, { start: 540, end: 565 }, -9999)).toEqual({ start: 360, end: 385 });
    expect(moveSpan(grid, { start: 540, end: 565 }, 9999)).toEqual({ start: 1415, end: 1440 });
  });

  it("never become shorter than a step", () => {
    expect(resizeSpan(grid, { start: 540, end: 565 }, "end", -9999)).toEqual({ start: 540, end: 545 });
    expect(resizeSpan(grid, { start: 540, end: 565 }, "start", 9999)).toEqual({ start: 560, end: 565 });
    expect(resizeSpan(grid, { start: 540, end: 565 }, "end", 20)).toEqual({ start: 540, end: 575 });
  });
});

it("scrolls near edges only, faster the nearer", () => {
  expect(edgeSpeed(300, 0, 600)).toBe(0);
  expect(edgeSpeed(10, 0, 600)).toBeLessThan(edgeSpeed(30, 0, 600));
  expect(edgeSpeed(590, 0, 600)).toBeGreaterThan(0);
  expect(edgeSpeed(700, 0, 600)).toBe(edgeSpeed(600, 0, 600));
});
