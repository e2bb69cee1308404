import { describe, expect, it } from "vitest";
import { clockAt, dayOf, fieldTime, joinClocks, nextTime, zoneNames } from "./zone_days";

const at = (text: string) => Date.parse(text);
const berlin = "Europe/Berlin";

describe("days of a user", () => {
  it("change at the user's hour, by the user's clock", () => {
    expect(dayOf(at("2026-11-16T22:59:00Z"), berlin, 0)).toBe("2026-11-16");
    expect(dayOf(at("2026-11-16T23:00:00Z"), berlin, 0)).toBe("2026-11-17");
    expect(dayOf(at("2026-11-17T02:59:00Z"), berlin, 4)).toBe("2026-11-16");
    expect(dayOf(at("2026-11-17T03:00:00Z"), berlin, 4)).toBe("2026-11-17");
    expect(dayOf(at("2026-01-01T02:00:00Z"), "America/Los_Angeles", 0)).toBe("2025-12-31");
  });

  it("begin after the gap when the clocks skip their hour", () => {
    // 2026-03-29: 2:00 becomes 3:00 in Berlin.
    expect(dayOf(at("2026-03-29T00:59:00Z"), berlin, 2)).toBe("2026-03-28");
    expect(dayOf(at("2026-03-29T01:00:00Z"), berlin, 2)).toBe("2026-03-29");
  });
});

describe("times that were typed", () => {
  const start = at("2026-11-15T23:00:00Z"); // midnight of the 16th in Berlin

  it("are found in the day", () => {
    expect(new Date(nextTime(start, "09:30", berlin)).toISOString()).toBe("2026-11-16T08:30:00.000Z");
    expect(new Date(nextTime(start, "00:00", berlin)).toISOString()).toBe("2026-11-15T23:00:00.000Z");
    expect(fieldTime(nextTime(start, "23:55", berlin), berlin)).toBe("23:55");
  });

  it("belong to the next calendar day when the day starts later", () => {
    const four = at("2026-11-16T03:00:00Z");
    expect(new Date(nextTime(four, "01:15", berlin)).toISOString()).toBe("2026-11-17T00:15:00.000Z");
  });

  it("that the clocks skip become the moment behind the gap", () => {
    const midnight = at("2026-03-28T23:00:00Z");
    expect(new Date(nextTime(midnight, "02:30", berlin)).toISOString()).toBe("2026-03-29T01:30:00.000Z");
    expect(new Date(nextTime(midnight, "03:30", berlin)).toISOString()).toBe("2026-03-29T01:30:00.000Z");
    expect(new Date(nextTime(midnight, "12:00", berlin)).toISOString()).toBe("2026-03-29T10:00:00.000Z");
  });

  it("that the clocks show twice become the first of both, unless that is over", () => {
    const midnight = at("2026-10-24T22:00:00Z");
    expect(new Date(nextTime(midnight, "02:30", berlin)).toISOString()).toBe("2026-10-25T00:30:00.000Z");
    const between = at("2026-10-25T00:45:00Z");
    expect(new Date(nextTime(between, "02:30", berlin)).toISOString()).toBe("2026-10-25T01:30:00.000Z");
  });

  it("agree with the clock for every hour of the year in zones with and without changes", () => {
    for (const zone of [berlin, "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"]) {
      for (let time = at("2026-01-01T00:00:00Z"); time < at("2027-01-01T00:00:00Z"); time += 7 * 3_600_000) {
        const found = nextTime(time, fieldTime(time, zone), zone);
        expect(found, `${zone} ${new Date(time).toISOString()}`).toBe(time);
      }
    }
  });
});

it("knows calendars far from Greenwich", () => {
  expect(clockAt(at("2026-11-16T11:00:00Z"), "Pacific/Kiritimati")).toEqual({ day: "2026-11-17", hour: 1, minute: 0 });
});

it("lists the zone that is set, even if the browser does not know it", () => {
  expect(zoneNames("Mars/Olympus")).toContain("Mars/Olympus");
  expect(zoneNames("UTC")).toContain("UTC");
});

it("writes the half of the day once where both clocks share it", () => {
  expect(joinClocks("9:30", "10:00")).toBe("9:30 – 10:00");
  expect(joinClocks("9:30\u202fAM", "10:00\u202fAM")).toBe("9:30 – 10:00\u202fAM");
  expect(joinClocks("11:30 am", "12:15 pm")).toBe("11:30 am – 12:15 pm");
  expect(joinClocks("9:30 p.m.", "10:00 p.m.")).toBe("9:30 – 10:00 p.m.");
});
