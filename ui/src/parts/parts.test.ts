import { describe, expect, it } from "vitest";
import { placeBeside } from "./floating";
import { nextItem } from "./menu";
import { addDays, dayName, daysBetween, durationText, mondayOf, pickLocale, relativeText } from "./time";

describe("placeBeside", () => {
  const view = { width: 400, height: 300 };
  const size = { width: 100, height: 80 };
  const anchor = { left: 150, right: 180, top: 100, bottom: 120 };

  it("goes to the wanted side", () => {
    expect(placeBeside(anchor, size, { ...view, side: "bottom-start" })).toEqual({ left: 150, top: 124 });
    expect(placeBeside(anchor, size, { ...view, side: "bottom-end" })).toEqual({ left: 80, top: 124 });
    expect(placeBeside(anchor, size, { ...view, side: "top" })).toEqual({ left: 115, top: 16 });
    expect(placeBeside(anchor, size, { ...view, side: "right-start" })).toEqual({ left: 184, top: 100 });
  });

  it("goes to the other side for room, and never out of the window", () => {
    const low = { left: 380, right: 395, top: 250, bottom: 270 };
    expect(placeBeside(low, size, { ...view, side: "bottom-start" })).toEqual({ left: 292, top: 166 });
    expect(placeBeside(low, size, { ...view, side: "right-start" })).toEqual({ left: 276, top: 212 });
  });
});

it("moves in menus by arrows and letters", () => {
  const labels = ["Edit", "Archive", "Add"];
  expect(nextItem("ArrowDown", 2, labels)).toBe(0);
  expect(nextItem("ArrowUp", 0, labels)).toBe(2);
  expect(nextItem("End", 0, labels)).toBe(2);
  expect(nextItem("a", 0, labels)).toBe(1);
  expect(nextItem("a", 1, labels)).toBe(2);
  expect(nextItem("z", 1, labels)).toBeNull();
  expect(nextItem("ArrowDown", -1, [])).toBeNull();
});

describe("time", () => {
  it("counts days across months and leap years", () => {
    expect(addDays("2024-02-28", 2)).toBe("2024-03-01");
    expect(daysBetween("2026-03-28", "2026-03-30")).toBe(2);
    expect(mondayOf("2026-11-15")).toBe("2026-11-09");
    expect(mondayOf("2026-11-16")).toBe("2026-11-16");
  });

  it("reads as people say it", () => {
    const now = new Date("2026-11-16T12:00:00Z");
    const before = (seconds: number) => relativeText(new Date(now.getTime() - seconds * 1000), now);
    expect(before(20)).toBe("just now");
    expect(before(50)).toBe("1 minute ago");
    expect(before(3 * 3600)).toBe("3 hours ago");
    expect(before(86_400)).toBe("yesterday");
    expect(before(30 * 86_400)).toMatch(/2026/);
    expect(dayName("2026-11-17", "2026-11-16")).toBe("tomorrow");
    expect(dayName("2026-11-20", "2026-11-16")).toMatch(/Fri/);
    expect([25, 60, 90, 0].map(durationText)).toEqual(["25 min", "1 h", "1 h 30 min", "0 min"]);
  });

  it("writes English, with the reader's hours", () => {
    expect(pickLocale(["de-DE", "en-US"])).toBe("en-US");
    expect(pickLocale(["eno", "de"])).toBe("en-GB");
  });
});
