// Days and clocks where the user lives. A day begins at the user's start hour and ends where the next one begins; when the
// clocks change it has 23 or 25 hours. Pure: moments come in. The server decides what a day is (Plan.dayStart, dayEnd); this
// is for showing clocks, for reading times that were typed, and for knowing when today ends.

import { addDays, pickLocale } from "./time";

export interface Clock {
  day: string; // of the calendar
  hour: number;
  minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
    formats.set(zone, format);
  }
  return format;
}

/** What clock and calendar show there at that moment. */
export function clockAt(time: number, zone: string): Clock {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const text = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "0";
  return {
    day: `${text("year").padStart(4, "0")}-${text("month")}-${text("day")}`,
    hour: Number(text("hour")),
    minute: Number(text("minute")),
  };
}

/** The user's day that a moment belongs to. */
export function dayOf(time: number, zone: string, dayStartHour: number): string {
  const { day, hour } = clockAt(time, zone);
  return hour < dayStartHour ? addDays(day, -1) : day;
}

/**
 * The first moment from `from` on at which the clock shows this time, "09:30". A time that is skipped when the clocks go
 * forward becomes the moment after the gap; one that is shown twice, the first of both.
 */
export function nextTime(from: number, time: string, zone: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const start = clockAt(from, zone);
  const isLater = hour * 60 + minute >= start.hour * 60 + start.minute;
  const days = isLater ? [start.day, addDays(start.day, 1)] : [addDays(start.day, 1), addDays(start.day, 2)];
  const within = Math.floor(from / 60_000) * 60_000;
  for (const day of [start.day, ...days]) {
    const found = momentsOf(day, hour, minute, zone).find((moment) => moment >= within);
    if (found !== undefined) return found;
  }
  return from;
}

/** The moment of a wall time, "2026-11-16T09:30:00" or shorter; of two the first, of a skipped one that behind the gap. */
export function momentOf(local: string, zone: string): number {
  const [hour = 0, minute = 0] = local.slice(11, 16).split(":").map(Number);
  return momentsOf(local.slice(0, 10), hour, minute, zone)[0]!;
}

/** What the wall shows at a moment, to the minute: "2026-11-16T09:30:00". */
export function wallAt(time: number, zone: string): string {
  return `${clockAt(time, zone).day}T${fieldTime(time, zone)}:00`;
}

function momentsOf(day: string, hour: number, minute: number, zone: string): number[] {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + (hour * 60 + minute) * 60_000;
  const offsets = [offsetMs(asUtc - 86_400_000, zone), offsetMs(asUtc + 86_400_000, zone)];
  const candidates = [...new Set(offsets.map((offset) => asUtc - offset))].sort((one, other) => one - other);
  const exact = candidates.filter((moment) => {
    const clock = clockAt(moment, zone);
    return clock.day === day && clock.hour === hour && clock.minute === minute;
  });
  // Skipped: with the offset before the change it is as far behind the gap as it was meant to be in it.
  return exact.length > 0 ? exact : candidates.slice(-1);
}

function offsetMs(time: number, zone: string): number {
  const { day, hour, minute } = clockAt(time, zone);
  return Date.parse(`${day}T00:00:00Z`) + (hour * 60 + minute) * 60_000 - Math.floor(time / 60_000) * 60_000;
}

/** "09:30", as time fields have it. */
export function fieldTime(time: number, zone: string): string {
  const { hour, minute } = clockAt(time, zone);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

const formatsShown = new Map<string, Intl.DateTimeFormat>();

function shownFormat(zone: string, precision: "hour" | "minute"): Intl.DateTimeFormat {
  const key = `${precision} ${zone}`;
  let format = formatsShown.get(key);
  if (!format) {
    const locale = pickLocale(typeof navigator === "undefined" ? [] : navigator.languages);
    format = new Intl.DateTimeFormat(locale, { timeZone: zone, hour: "numeric", minute: precision === "minute" ? "2-digit" : undefined });
    formatsShown.set(key, format);
  }
  return format;
}

const millis = (time: number | string) => (typeof time === "string" ? Date.parse(time) : time);

/** "9:30" or "9:30 AM", as the reader writes it. */
export function clockText(time: number | string, zone: string): string {
  return shownFormat(zone, "minute").format(millis(time));
}

/** A full hour where there is little room: "9:00" or "9 AM". */
export function hourText(time: number | string, zone: string): string {
  const halves = shownFormat(zone, "minute").resolvedOptions().hour12 === true;
  return shownFormat(zone, halves ? "hour" : "minute").format(millis(time));
}

/** "9:30 – 10:00", "9:30 – 10:00 AM", "11:30 AM – 12:15 PM". */
export function clockRange(from: number | string, to: number | string, zone: string): string {
  return joinClocks(clockText(from, zone), clockText(to, zone));
}

/** The half of the day that both share stands once. */
export function joinClocks(from: string, to: string): string {
  const half = /\s*[ap]\.?m\.?$/i;
  const shared = half.exec(from)?.[0] === half.exec(to)?.[0];
  return `${shared ? from.replace(half, "") : from} – ${to}`;
}

/** The zone of this browser. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** All zones the browser knows; the given one is among them. */
export function zoneNames(current: string): string[] {
  const names = typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : [];
  return [...new Set(["UTC", current, ...names])].sort((one, other) => one.localeCompare(other));
}
