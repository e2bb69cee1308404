import { describe, expect, it } from "vitest";
import { layOutLanes } from "./side_by_side";
import { momentOf, wallAt } from "./zone_days";

describe("lanes", () => {
  it("are taken again once they are free", () => {
    const lanes = layOutLanes([
      { item: "short", span: { start: 0, end: 1 } },
      { item: "long", span: { start: 0, end: 5 } },
      { item: "next", span: { start: 1, end: 2 } },
      { item: "third", span: { start: 1, end: 3 } },
    ]);
    expect(lanes.map(({ item, lane }) => `${item} ${lane}`)).toEqual(["long 0", "short 1", "third 1", "next 2"]);
  });
});

describe("wall times", () => {
  it("are moments and back, but for those that a change of clocks skips", () => {
    for (const local of ["2026-11-16T09:30:00", "2026-03-29T03:00:00", "2026-10-25T02:30:00"]) {
      expect(wallAt(momentOf(local, "Europe/Berlin"), "Europe/Berlin")).toBe(local);
    }
    expect(wallAt(momentOf("2026-03-29T02:30:00", "Europe/Berlin"), "Europe/Berlin")).toBe("2026-03-29T03:30:00");
    expect(new Date(momentOf("2026-10-25T02:30:00", "Europe/Berlin")).toISOString()).toBe("2026-10-25T00:30:00.000Z");
  });
});
