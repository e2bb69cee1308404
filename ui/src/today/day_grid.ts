// The timeline as numbers: minutes since the start of the day, elapsed ones. Pure.

import type { Span } from "../parts/side_by_side";
import { clockAt, clockText, hourText } from "../parts/zone_days";
import type { Block, Plan } from "./plan_types";

export type { Span };

export const kSnapMinutes = 5;
export const kPomodoroMinutes = 25;
export const kPixelsPerMinute = 1.6;
/** A block may run this far into the next day. */
export const kAfterDayMinutes = 6 * 60;

export interface Day {
  /** Moments. */
  start: number;
  end: number;
  minutes: number;
  zone: string;
}

export function dayOfPlan(plan: Pick<Plan, "dayStart" | "dayEnd">, zone: string): Day {
  const start = Date.parse(plan.dayStart);
  const end = Date.parse(plan.dayEnd);
  return { start, end, minutes: (end - start) / 60_000, zone };
}

export function minuteOf(day: Day, time: number | string): number {
  return ((typeof time === "string" ? Date.parse(time) : time) - day.start) / 60_000;
}

export function instantOf(day: Day, minute: number): string {
  return new Date(day.start + minute * 60_000).toISOString();
}

export function spanOf(day: Day, block: Pick<Block, "start" | "end">): Span {
  return { start: minuteOf(day, block.start), end: minuteOf(day, block.end) };
}

export function spanText(day: Day, span: Span): string {
  const text = (minute: number) => clockText(day.start + minute * 60_000, day.zone);
  return `${text(span.start)} to ${text(span.end)}`;
}

/** How far down the timeline goes: the day, and what runs past its end. */
export function lastMinute(day: Day, blocks: readonly Block[]): number {
  return Math.max(day.minutes, ...blocks.map((block) => Math.ceil(minuteOf(day, block.end))));
}

export interface HourMark {
  minute: number;
  label: string;
}

/** Where the clock shows full hours. On the day of a change one hour is missing, or there twice. */
export function hourMarks(day: Day, until = day.minutes): HourMark[] {
  const marks: HourMark[] = [];
  for (let minute = 0; minute <= until; minute += 15) {
    const time = day.start + minute * 60_000;
    if (clockAt(time, day.zone).minute === 0) marks.push({ minute, label: hourText(time, day.zone) });
  }
  return marks;
}

export function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Where a block of this length fits first, from a minute on, on the grid. Buffers are no hindrance. null: nowhere. */
export function freeSpan(day: Day, blocks: readonly Block[], from: number, minutes: number): Span | null {
  const taken = blocks.filter(({ blockType }) => blockType !== "BUFFER").map((block) => spanOf(day, block));
  let start = Math.max(0, Math.ceil(from / kSnapMinutes) * kSnapMinutes);
  for (;;) {
    const span = { start, end: start + minutes };
    if (span.start >= day.minutes) return null;
    const hit = taken.find((other) => overlaps(span, other));
    if (!hit) return span;
    start = Math.ceil(hit.end / kSnapMinutes) * kSnapMinutes;
  }
}

/** What a key does to a block: moves by five minutes, with shift its end. */
export function nudge(day: Day, span: Span, byMinutes: number, part: "all" | "end"): Span {
  if (part === "end") {
    const end = Math.min(Math.max(span.end + byMinutes, span.start + kSnapMinutes), day.minutes + kAfterDayMinutes);
    return { start: span.start, end };
  }
  const start = Math.min(Math.max(0, span.start + byMinutes), day.minutes - kSnapMinutes);
  return { start, end: start + span.end - span.start };
}
