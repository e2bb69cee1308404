// What dragging and keys do to the times of an event. The viewer moves it by the clock where he is; it stays in its own zone,
// and what floats stays at the wall. Hours last as long as they did, days by the calendar. Pure.

import { addDays, daysBetween } from "../parts/time";
import { momentOf, wallAt } from "../parts/zone_days";
import { kDayMinutes, kSnapMinutes, localAt, minuteOf, wallOf } from "./day_layout";
import type { Item, Times } from "./calendar_types";

export type Edge = "start" | "end";

export interface Shift {
  days: number;
  minutes: number;
}

export function timesOf(item: Item): Times {
  const zone = item.floating ? null : (item.startTzid ?? "UTC");
  return {
    startLocal: item.startLocal ?? wallAt(Date.parse(item.start), zone ?? "UTC"),
    endLocal: item.endLocal ?? wallAt(Date.parse(item.end), zone ?? "UTC"),
    zone,
    allDay: item.allDay,
  };
}

/** When it is for the viewer, as moments. */
export function momentsIn(times: Times, viewer: string): { start: number; end: number } {
  const zone = times.zone ?? viewer;
  return { start: momentOf(times.startLocal, zone), end: momentOf(times.endLocal, zone) };
}

export function movedTimes(item: Item, by: Shift, viewer: string): Times {
  const times = timesOf(item);
  if (times.zone === null) {
    return { ...times, startLocal: shifted(times.startLocal, by), endLocal: shifted(times.endLocal, by) };
  }
  const from = Date.parse(item.start);
  const wall = wallOf(from, viewer);
  const start = momentOf(shifted(localAt(wall.day, wall.minute), by), viewer);
  const end = start + Date.parse(item.end) - from;
  return { ...times, startLocal: wallAt(start, times.zone), endLocal: wallAt(end, times.zone) };
}

/** With one edge moved; never shorter than one step. */
export function resizedTimes(item: Item, edge: Edge, byMinutes: number, viewer: string): Times {
  const times = timesOf(item);
  const { start, end } = momentsIn(times, viewer);
  const step = kSnapMinutes * 60_000;
  const zone = times.zone ?? viewer;
  return edge === "start"
    ? { ...times, startLocal: wallAt(Math.min(start + byMinutes * 60_000, end - step), zone) }
    : { ...times, endLocal: wallAt(Math.max(end + byMinutes * 60_000, start + step), zone) };
}

/** With one end moved by days, the hours as they are; never shorter than a day. */
export function resizedDays(item: Item, edge: Edge, byDays: number): Times {
  const times = timesOf(item);
  const spare = daysBetween(times.startLocal.slice(0, 10), times.endLocal.slice(0, 10)) - 1;
  return edge === "start"
    ? { ...times, startLocal: shifted(times.startLocal, { days: Math.min(byDays, spare), minutes: 0 }) }
    : { ...times, endLocal: shifted(times.endLocal, { days: Math.max(byDays, -spare), minutes: 0 }) };
}

export function shifted(local: string, by: Shift): string {
  return localAt(addDays(local.slice(0, 10), by.days), minuteOf(local) + by.minutes);
}

/** How far one wall time is from another, to do the same to other occurrences. */
export function shiftBetween(from: string, to: string): Shift {
  const minutes = minuteOf(to) - minuteOf(from);
  return { days: daysBetween(from.slice(0, 10), to.slice(0, 10)), minutes };
}

/** A drag in pixels as a shift: by whole columns, and by steps of the grid, the start inside its day. */
export function shiftOf(
  startMinute: number,
  drag: { dx: number; dy: number },
  grid: { columnWidth: number; pixelsPerMinute: number },
): Shift {
  const wanted = Math.round((startMinute + drag.dy / grid.pixelsPerMinute) / kSnapMinutes) * kSnapMinutes;
  const start = Math.max(0, Math.min(wanted, kDayMinutes - kSnapMinutes));
  return { days: Math.round(drag.dx / grid.columnWidth) || 0, minutes: start - startMinute };
}
