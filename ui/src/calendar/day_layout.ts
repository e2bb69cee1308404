// Where things are drawn. Columns are days with the hours of the wall clock where the viewer is: every one has 24, also when
// the clocks change, so that one scale of hours fits all. Then an hour is empty, or two lie over each other. Pure.

import { layOut, layOutLanes, type Lane, type Placed, type Span } from "../parts/side_by_side";
import { addDays, daysBetween } from "../parts/time";
import { wallAt } from "../parts/zone_days";
import { isEvent, type Item } from "./calendar_types";

export const kDayMinutes = 24 * 60;
export const kSnapMinutes = 15;

export interface Wall {
  day: string;
  minute: number;
}

/** Of a moment where the viewer is. */
export function wallOf(time: string | number, zone: string): Wall {
  const local = wallAt(typeof time === "string" ? Date.parse(time) : time, zone);
  return { day: local.slice(0, 10), minute: minuteOf(local) };
}

export function minuteOf(local: string): number {
  return Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16));
}

/** "2026-11-16T09:30:00"; minutes past the end of the day belong to the next ones. */
export function localAt(day: string, minute: number): string {
  const over = Math.floor(minute / kDayMinutes);
  const rest = minute - over * kDayMinutes;
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${addDays(day, over)}T${pad(Math.floor(rest / 60))}:${pad(rest % 60)}:00`;
}

/** What has no place among the hours: whole days, and whatever lasts a day or longer. */
export function isLong(item: Item): boolean {
  return item.allDay || (isEvent(item) && Date.parse(item.end) - Date.parse(item.start) >= kDayMinutes * 60_000);
}

/** The days something touches: the first, and the one after the last. */
export function daySpan(item: Item, zone: string): { from: string; to: string } {
  const start = item.allDay && item.startLocal ? { day: item.startLocal.slice(0, 10), minute: 0 } : wallOf(item.start, zone);
  const end = item.allDay && item.endLocal ? { day: item.endLocal.slice(0, 10), minute: 0 } : wallOf(item.end, zone);
  const to = end.minute > 0 || end.day === start.day ? addDays(end.day, 1) : end.day;
  return { from: start.day, to: to > start.day ? to : addDays(start.day, 1) };
}

/** The part of something that lies on a day, in minutes; null: nothing. What begins at a moment has the height of one step. */
export function partOn(item: Item, day: string, zone: string): Span | null {
  const start = wallOf(item.start, zone);
  const end = wallOf(item.end, zone);
  const from = start.day < day ? 0 : start.day > day ? kDayMinutes : start.minute;
  const to = end.day > day ? kDayMinutes : end.day < day ? 0 : end.minute;
  if (start.day > day || end.day < day) return null;
  if (start.day < day && to <= 0) return null;
  // Where the clocks go back the wall may show an end before its start.
  return { start: from, end: Math.min(kDayMinutes, Math.max(to, from + kSnapMinutes)) };
}

export interface DayColumn {
  day: string;
  events: Placed<Item>[];
  /** Tasks and reminders: moments, not spans. */
  marks: { item: Item; minute: number }[];
}

export function columnsOf(items: readonly Item[], days: readonly string[], zone: string): DayColumn[] {
  const timed = items.filter((item) => isEvent(item) && !isLong(item));
  const moments = items.filter((item) => !isEvent(item)).map((item) => ({ item, at: wallOf(item.start, zone) }));
  return days.map((day) => ({
    day,
    events: layOut(
      timed.flatMap((item) => {
        const span = partOn(item, day, zone);
        return span ? [{ item, span }] : [];
      }),
    ),
    marks: moments.filter(({ at }) => at.day === day).map(({ item, at }) => ({ item, minute: at.minute })),
  }));
}

/** Bars over a row of days, in lanes; spans count days from the first, cut at both ends. */
export function barsOf(items: readonly Item[], days: readonly string[], zone: string): Lane<Item>[] {
  const first = days[0]!;
  return layOutLanes(
    items.flatMap((item) => {
      const { from, to } = daySpan(item, zone);
      const span = { start: Math.max(0, daysBetween(first, from)), end: Math.min(days.length, daysBetween(first, to)) };
      return span.end > span.start ? [{ item, span }] : [];
    }),
  );
}
