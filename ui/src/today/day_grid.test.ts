import { describe, expect, it } from "vitest";
import { dayOfPlan, freeSpan, hourMarks, instantOf, lastMinute, nudge, spanOf, spanText, type Day } from "./day_grid";
import { layOut } from "../parts/side_by_side";
import type { Block, BlockType } from "./plan_types";

const berlin = "Europe/Berlin";
const day = (dayStart: string, dayEnd: string) => dayOfPlan({ dayStart, dayEnd }, berlin);
const usual = day("2026-11-15T23:00:00.000Z", "2026-11-16T23:00:00.000Z");
const short = day("2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z");
const long = day("2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z");

function block(grid: Day, start: number, end: number, blockType: BlockType = "MEETING"): Block {
  return { blockId: `${start}`, blockType, start: instantOf(grid, start), end: instantOf(grid, end) };
}

describe("the hours", () => {
  it("are twenty-four on most days", () => {
    expect(usual.minutes).toBe(1440);
    expect(hourMarks(usual)).toHaveLength(25);
    expect(hourMarks(usual)[9]).toMatchObject({ minute: 540 });
  });

  it("leave one out when the clocks go forward", () => {
    const labels = hourMarks(short).map(({ label }) => label);
    expect(short.minutes).toBe(23 * 60);
    expect(labels).toHaveLength(24);
    expect(labels.filter((label) => /^0?2(:00|\s)/.test(label))).toHaveLength(0);
    expect(spanText(short, { start: 120, end: 180 })).toMatch(/3:00.* to .*4:00/);
  });

  it("have one twice when the clocks go back", () => {
    const labels = hourMarks(long).map(({ label }) => label);
    expect(long.minutes).toBe(25 * 60);
    expect(labels.filter((label) => /^0?2(:00|\s)/.test(label))).toHaveLength(2);
  });

  it("go on as far as a block does", () => {
    expect(lastMinute(usual, [block(usual, 1400, 1500)])).toBe(1500);
    expect(lastMinute(usual, [])).toBe(1440);
  });
});

it("minutes and moments are the same thing", () => {
  expect(instantOf(usual, 570)).toBe("2026-11-16T08:30:00.000Z");
  expect(spanOf(usual, block(usual, 570, 595))).toEqual({ start: 570, end: 595 });
  expect(spanOf(long, block(long, 200, 260))).toEqual({ start: 200, end: 260 });
});

describe("blocks over each other", () => {
  const lay = (...spans: [number, number][]) =>
    layOut(spans.map(([start, end], item) => ({ item, span: { start, end } }))).map(({ item, column, columns }) => ({
      item,
      column,
      columns,
    }));

  it("share the width, others have all of it", () => {
    expect(lay([0, 60], [30, 90], [100, 120])).toEqual([
      { item: 0, column: 0, columns: 2 },
      { item: 1, column: 1, columns: 2 },
      { item: 2, column: 0, columns: 1 },
    ]);
  });

  it("take a column again that has become free", () => {
    expect(lay([0, 100], [10, 20], [30, 40])).toEqual([
      { item: 0, column: 0, columns: 2 },
      { item: 1, column: 1, columns: 2 },
      { item: 2, column: 1, columns: 2 },
    ]);
  });

  it("that only touch are not over each other", () => {
    expect(lay([0, 25], [25, 30]).every(({ columns }) => columns === 1)).toBe(true);
  });
});

describe("free time", () => {
  it("is the first that is long enough, on the grid", () => {
    const blocks = [block(usual, 540, 600), block(usual, 615, 640)];
    expect(freeSpan(usual, blocks, 541, 25)).toEqual({ start: 640, end: 665 });
    expect(freeSpan(usual, blocks, 541, 15)).toEqual({ start: 600, end: 615 });
    expect(freeSpan(usual, [], 542.5, 25)).toEqual({ start: 545, end: 570 });
  });

  it("may be under a buffer, and ends with the day", () => {
    expect(freeSpan(usual, [block(usual, 500, 700, "BUFFER")], 540, 25)).toEqual({ start: 540, end: 565 });
    expect(freeSpan(usual, [block(usual, 1400, 1445)], 1410, 25)).toBeNull();
  });
});

it("keys move and resize within the day", () => {
  expect(nudge(usual, { start: 540, end: 565 }, 5, "all")).toEqual({ start: 545, end: 570 });
  expect(nudge(usual, { start: 0, end: 25 }, -5, "all")).toEqual({ start: 0, end: 25 });
  expect(nudge(usual, { start: 540, end: 545 }, -5, "end")).toEqual({ start: 540, end: 545 });
  expect(nudge(usual, { start: 1400, end: 1800 }, 5, "end")).toEqual({ start: 1400, end: 1800 });
});
