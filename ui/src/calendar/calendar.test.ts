import { describe, expect, it } from "vitest";
import { applyCalendarOp, isMeant } from "./apply_calendar";
import type { Item, Stretch, Times } from "./calendar_types";
import { barsOf, columnsOf, daySpan, localAt, partOn, wallOf } from "./day_layout";
import { changedContent, contentOfDraft, draftErrors, draftOf, timesOfDraft, withStart } from "./event_draft";
import { momentsIn, movedTimes, resizedDays, resizedTimes, shiftOf } from "./move_times";
import { dayIn, daysOf, stepDay, titleOf } from "./view_days";

const berlin = "Europe/Berlin";
const newYork = "America/New_York";

function event(id: string, start: string, end: string, more: Partial<Item> = {}): Item {
  return {
    entityType: "EVENT",
    id,
    title: id,
    start,
    end,
    startTzid: "UTC",
    startLocal: start.slice(0, 19),
    endLocal: end.slice(0, 19),
    floating: false,
    allDay: false,
    isVirtual: false,
    version: 1,
    ...more,
  };
}

function floating(id: string, startLocal: string, endLocal: string, viewer: string, allDay = false): Item {
  const { start, end } = momentsIn({ startLocal, endLocal, zone: null, allDay }, viewer);
  const item = event(id, new Date(start).toISOString(), new Date(end).toISOString(), { startLocal, endLocal, floating: true, allDay });
  delete item.startTzid;
  return item;
}

describe("the days of a view", () => {
  it("are a day, a week from Monday, whole weeks of a month", () => {
    expect(daysOf("day", "2026-11-16")).toEqual(["2026-11-16"]);
    expect(daysOf("week", "2026-11-22")).toEqual([
      "2026-11-16",
      "2026-11-17",
      "2026-11-18",
      "2026-11-19",
      "2026-11-20",
      "2026-11-21",
      "2026-11-22",
    ]);
    const month = daysOf("month", "2026-11-16");
    expect([month[0], month.at(-1), month.length]).toEqual(["2026-10-26", "2026-12-06", 42]);
    expect(daysOf("month", "2027-02-10")).toHaveLength(28);
    expect(daysOf("agenda", "2026-12-20")).toHaveLength(30);
  });

  it("are seven in the weeks of a change of clocks, and across New Year", () => {
    for (const day of ["2026-03-29", "2026-10-25", "2026-12-31"]) expect(new Set(daysOf("week", day)).size).toBe(7);
    expect(daysOf("week", "2026-12-31").at(-1)).toBe("2027-01-03");
  });

  it("go on by their own length", () => {
    expect(stepDay("month", "2026-01-31", 1)).toBe("2026-02-01");
    expect(stepDay("month", "2026-01-31", -1)).toBe("2025-12-01");
    expect(stepDay("week", "2026-12-28", 1)).toBe("2027-01-04");
    expect(titleOf("month", "2026-11-30")).toBe("November 2026");
  });

  it("are days that exist", () => {
    expect([dayIn("2026-02-28"), dayIn("2026-02-30"), dayIn("x"), dayIn(undefined)]).toEqual(["2026-02-28", null, null, null]);
  });
});

describe("places on the screen", () => {
  it("follow the clock of the viewer", () => {
    const item = event("a", "2026-11-16T23:30:00Z", "2026-11-17T00:30:00Z");
    expect(wallOf(item.start, berlin)).toEqual({ day: "2026-11-17", minute: 30 });
    expect(wallOf(item.start, newYork)).toEqual({ day: "2026-11-16", minute: 18 * 60 + 30 });
  });

  it("are in two columns past midnight", () => {
    const item = event("a", "2026-11-16T22:00:00Z", "2026-11-17T02:00:00Z");
    expect(partOn(item, "2026-11-16", "UTC")).toEqual({ start: 1320, end: 1440 });
    expect(partOn(item, "2026-11-17", "UTC")).toEqual({ start: 0, end: 120 });
    expect(partOn(item, "2026-11-18", "UTC")).toBeNull();
    expect(partOn(event("b", "2026-11-16T22:00:00Z", "2026-11-17T00:00:00Z"), "2026-11-17", "UTC")).toBeNull();
  });

  it("have a height also when the clocks go back over them", () => {
    // 2:45 in summer to 2:15 in winter, thirty minutes.
    const item = event("a", "2026-10-25T00:45:00Z", "2026-10-25T01:15:00Z");
    expect(partOn(item, "2026-10-25", berlin)).toEqual({ start: 165, end: 180 });
  });

  it("are side by side where they overlap, and whole days in lanes", () => {
    const items = [
      event("a", "2026-11-16T09:00:00Z", "2026-11-16T11:00:00Z"),
      event("b", "2026-11-16T10:00:00Z", "2026-11-16T12:00:00Z"),
      event("c", "2026-11-16T12:00:00Z", "2026-11-16T13:00:00Z"),
      event("task", "2026-11-16T10:00:00Z", "2026-11-16T10:00:00Z", { entityType: "TASK" }),
    ];
    const [column] = columnsOf(items, ["2026-11-16"], "UTC");
    expect(column!.events.map(({ item, column: at, columns }) => [item.id, at, columns])).toEqual([
      ["a", 0, 2],
      ["b", 1, 2],
      ["c", 0, 1],
    ]);
    expect(column!.marks.map(({ item, minute }) => [item.id, minute])).toEqual([["task", 600]]);

    const days = daysOf("week", "2026-11-16");
    const bars = [
      floating("trip", "2026-11-14T00:00:00", "2026-11-18T00:00:00", "UTC", true),
      floating("fair", "2026-11-17T00:00:00", "2026-11-19T00:00:00", "UTC", true),
      floating("rest", "2026-11-18T00:00:00", "2026-12-01T00:00:00", "UTC", true),
    ];
    expect(barsOf(bars, days, "UTC").map(({ item, span, lane }) => [item.id, span.start, span.end, lane])).toEqual([
      ["trip", 0, 2, 0],
      ["fair", 1, 3, 1],
      ["rest", 2, 7, 0],
    ]);
  });

  it("of whole days are the same days in every zone", () => {
    for (const viewer of ["UTC", "Asia/Tokyo", "Pacific/Honolulu"]) {
      expect(daySpan(floating("x", "2026-11-16T00:00:00", "2026-11-17T00:00:00", viewer, true), viewer)).toEqual({
        from: "2026-11-16",
        to: "2026-11-17",
      });
    }
  });
});

describe("dragging", () => {
  it("moves by columns and quarters of an hour, inside the day", () => {
    const grid = { columnWidth: 100, pixelsPerMinute: 0.8 };
    expect(shiftOf(540, { dx: 160, dy: 49 }, grid)).toEqual({ days: 2, minutes: 60 });
    expect(shiftOf(547, { dx: 0, dy: 0 }, grid)).toEqual({ days: 0, minutes: -7 });
    expect(shiftOf(540, { dx: -20, dy: -4000 }, grid)).toEqual({ days: 0, minutes: -540 });
    expect(shiftOf(540, { dx: 0, dy: 4000 }, grid).minutes).toBe(1425 - 540);
    expect(localAt("2026-12-31", 1500)).toBe("2027-01-01T01:00:00");
  });

  it("keeps the zone of an event and the hour of the viewer, over a change of clocks", () => {
    // Saturday 10:00 in Berlin, moved to Sunday, the day the clocks go forward.
    const item = event("a", "2026-03-28T09:00:00Z", "2026-03-28T10:00:00Z", {
      startTzid: berlin,
      startLocal: "2026-03-28T10:00:00",
      endLocal: "2026-03-28T11:00:00",
    });
    expect(movedTimes(item, { days: 1, minutes: 0 }, berlin)).toMatchObject({
      startLocal: "2026-03-29T10:00:00",
      endLocal: "2026-03-29T11:00:00",
      zone: berlin,
    });
    // Seen from New York it is 5:00, and 5:00 it stays: eleven o'clock in Berlin, whose summer has begun.
    expect(movedTimes(item, { days: 1, minutes: 0 }, newYork)).toMatchObject({ startLocal: "2026-03-29T11:00:00", zone: berlin });
  });

  it("moves what floats by the wall", () => {
    const item = floating("f", "2026-11-16T07:00:00", "2026-11-16T08:00:00", newYork);
    expect(movedTimes(item, { days: -1, minutes: 30 }, newYork)).toEqual({
      startLocal: "2026-11-15T07:30:00",
      endLocal: "2026-11-15T08:30:00",
      zone: null,
      allDay: false,
    });
  });

  it("resizes either edge, never below one step", () => {
    const item = event("a", "2026-11-16T09:00:00Z", "2026-11-16T10:00:00Z");
    expect(resizedTimes(item, "end", 45, berlin)).toMatchObject({ startLocal: "2026-11-16T09:00:00", endLocal: "2026-11-16T10:45:00" });
    expect(resizedTimes(item, "end", -600, berlin).endLocal).toBe("2026-11-16T09:15:00");
    expect(resizedTimes(item, "start", 600, berlin).startLocal).toBe("2026-11-16T09:45:00");
  });

  it("resizes either end of whole days, never below one day", () => {
    const item = floating("f", "2026-11-16T00:00:00", "2026-11-19T00:00:00", berlin, true);
    expect(resizedDays(item, "end", 7)).toEqual({
      startLocal: "2026-11-16T00:00:00",
      endLocal: "2026-11-26T00:00:00",
      zone: null,
      allDay: true,
    });
    expect(resizedDays(item, "end", -5).endLocal).toBe("2026-11-17T00:00:00");
    expect(resizedDays(item, "start", -16).startLocal).toBe("2026-10-31T00:00:00");
    expect(resizedDays(item, "start", 9).startLocal).toBe("2026-11-18T00:00:00");
  });
});

describe("operations, before they are answered", () => {
  const daily = (day: number, more: Partial<Item> = {}) =>
    event(`i${day}`, `2026-11-${day}T09:00:00Z`, `2026-11-${day}T10:00:00Z`, { entityType: "INSTANCE", masterId: "m", ...more });
  const stretch: Stretch = {
    items: [
      daily(16),
      daily(17),
      daily(18, { isException: true }),
      daily(19),
      event("other", "2026-11-17T12:00:00Z", "2026-11-17T13:00:00Z"),
    ],
    overdue: [],
    isCut: false,
  };
  const later: Times = { startLocal: "2026-11-17T11:00:00", endLocal: "2026-11-17T11:30:00", zone: "UTC", allDay: false };
  const starts = (state: Stretch) =>
    Object.fromEntries(state.items.map(({ id, start, end }) => [id, `${start.slice(8, 16)} ${end.slice(11, 16)}`]));

  it("reach this occurrence, the following ones, or all", () => {
    const target = stretch.items[1]!;
    expect(
      ["this", "following", "all"].map((scope) =>
        stretch.items
          .filter((item) => isMeant(item, target, scope as "this"))
          .map(({ id }) => id)
          .join(" "),
      ),
    ).toEqual(["i17", "i17 i18 i19", "i16 i17 i18 i19"]);
    const moved = (scope: "this" | "following" | "all") =>
      starts(applyCalendarOp(stretch, { kind: "change", item: target, scope, times: later }, "UTC"));
    expect(moved("this")).toMatchObject({ i16: "16T09:00 10:00", i17: "17T11:00 11:30", i19: "19T09:00 10:00" });
    expect(moved("following")).toMatchObject({
      i16: "16T09:00 10:00",
      i17: "17T11:00 11:30",
      i18: "18T09:00 10:00",
      i19: "19T11:00 11:30",
    });
    expect(moved("all")).toMatchObject({ i16: "16T11:00 11:30", i19: "19T11:00 11:30", other: "17T12:00 13:00" });
    const left = applyCalendarOp(stretch, { kind: "remove", item: target, scope: "following" }, "UTC");
    expect(left.items.map(({ id }) => id)).toEqual(["i16", "other"]);
  });

  it("make a single event of a series, and a series of an event", () => {
    const end = (scope: "following" | "all") => ({ kind: "change" as const, item: stretch.items[1]!, scope, times: later, rrule: null });
    const shown = (state: Stretch) =>
      state.items.map(({ id, entityType, masterId, isVirtual }) => [id, entityType, masterId, isVirtual].join(" "));
    const ended = applyCalendarOp(stretch, end("following"), "UTC");
    expect(shown(ended)).toEqual(["i16 INSTANCE m false", "i17 EVENT  true", "other EVENT  false"]);
    expect(starts(ended)).toMatchObject({ i17: "17T11:00 11:30" });
    expect(shown(applyCalendarOp(stretch, end("all"), "UTC"))).toEqual(["i17 EVENT  true", "other EVENT  false"]);
    const gone: Stretch = { ...stretch, items: stretch.items.slice(4) };
    expect(applyCalendarOp(gone, end("all"), "UTC")).toBe(gone);
    const begun = applyCalendarOp(stretch, { kind: "change", item: stretch.items[4]!, scope: "this", rrule: "FREQ=DAILY" }, "UTC");
    expect(shown(begun).at(-1)).toBe("i19 INSTANCE m false");
    expect(shown(begun)).toContain("other INSTANCE  true");
  });

  it("show what is new where the viewer is, once", () => {
    const op = {
      kind: "create" as const,
      id: "new",
      times: { startLocal: "2026-11-16T07:00:00", endLocal: "2026-11-16T08:00:00", zone: null, allDay: false },
      content: contentOfDraft(draftOf(later, { title: "Run" })),
      rrule: null,
    };
    const once = applyCalendarOp(stretch, op, newYork);
    expect(once.items.find(({ id }) => id === "new")).toMatchObject({ title: "Run", start: "2026-11-16T12:00:00Z", floating: true });
    expect(applyCalendarOp(once, op, newYork)).toBe(once);
  });
});

describe("what is typed", () => {
  const times: Times = { startLocal: "2026-11-16T09:00:00", endLocal: "2026-11-16T10:00:00", zone: berlin, allDay: false };

  it("comes back as it was", () => {
    expect(timesOfDraft(draftOf(times))).toEqual(times);
    const days: Times = { startLocal: "2026-11-16T00:00:00", endLocal: "2026-11-18T00:00:00", zone: null, allDay: true };
    expect(draftOf(days).endDay).toBe("2026-11-17");
    expect(timesOfDraft(draftOf(days))).toEqual(days);
  });

  it("moves the end with the start", () => {
    expect(withStart(draftOf(times), { startTime: "23:30" })).toMatchObject({ endDay: "2026-11-17", endTime: "00:30" });
    expect(withStart(draftOf(times), { startDay: "2026-12-31" })).toMatchObject({ endDay: "2026-12-31", endTime: "10:00" });
  });

  it("is checked", () => {
    expect(draftErrors(draftOf(times, { title: "x" }))).toEqual({});
    expect(Object.keys(draftErrors({ ...draftOf(times), endTime: "08:00", reminders: "ten" }))).toEqual(["title", "endTime", "reminders"]);
    expect(contentOfDraft({ ...draftOf(times), tags: " a, b,,a ", reminders: "60, 10" })).toMatchObject({
      tags: ["a", "b"],
      reminderMinutes: [60, 10],
    });
  });

  it("is sent only where it differs", () => {
    const content = contentOfDraft(draftOf(times, { title: "x", tags: ["a"] }));
    expect(changedContent(content, { ...content })).toBeUndefined();
    expect(changedContent(content, { ...content, tags: [] })).toEqual({ tags: [] });
  });
});
