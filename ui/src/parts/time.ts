// Times and days as people read them. The words of the pages are English, so are the names of days; the way to write hours
// is the reader's own. Days are texts such as "2026-11-16", as in the API, and know no zone.

const locale = pickLocale(typeof navigator === "undefined" ? [] : navigator.languages);

export function pickLocale(languages: readonly string[]): string {
  return languages.find((language) => language === "en" || language.startsWith("en-")) ?? "en-GB";
}

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
const kTime = format({ hour: "numeric", minute: "2-digit" });
const kDateTime = format({ weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "numeric", minute: "2-digit" });
const kDay = format({ weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
const kDayShort = format({ weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
const kDayYear = format({ day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const kRelative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** "9:05" or "9:05 am". */
export function timeText(time: Date | string): string {
  return kTime.format(new Date(time));
}

export function dateTimeText(time: Date | string): string {
  return kDateTime.format(new Date(time));
}

/** "Monday, 16 November"; short: "Mon 16 Nov". */
export function dayText(day: string, length: "long" | "short" | "year" = "long"): string {
  const at = new Date(`${day}T00:00:00Z`);
  return (length === "long" ? kDay : length === "short" ? kDayShort : kDayYear).format(at);
}

/** "16–22 Nov 2026", "30 Nov – 6 Dec 2026". */
export function rangeOfDays(from: string, to: string): string {
  return kDayYear.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
}

/** "today", "yesterday", "tomorrow", otherwise the short day. */
export function dayName(day: string, today: string): string {
  const apart = daysBetween(today, day);
  return Math.abs(apart) <= 1 ? kRelative.format(apart, "day") : dayText(day, "short");
}

export function addDays(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** Positive when `to` is later. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** The Monday of the week a day is in. */
export function mondayOf(day: string): string {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

const kSteps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["minute", 60],
  ["hour", 3600],
  ["day", 86_400],
];

/** "just now", "5 minutes ago", "yesterday"; after a week the date. */
export function relativeText(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1000;
  const size = Math.abs(seconds);
  if (size < 45) return "just now";
  if (size > 6.5 * 86_400) return dayText(localDay(time), "year");
  const [unit, length] = kSteps.findLast(([, limit]) => size >= limit) ?? kSteps[0]!;
  return kRelative.format(Math.trunc(seconds / length) || Math.sign(seconds), unit);
}

/** The day it is here at that time. */
export function localDay(time: Date): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
}

/** "25 min", "1 h 30 min". */
export function durationText(minutes: number): string {
  const whole = Math.round(minutes);
  const hours = Math.floor(whole / 60);
  const rest = whole % 60;
  return [hours > 0 ? `${hours} h` : "", rest > 0 || hours === 0 ? `${rest} min` : ""].filter(Boolean).join(" ");
}
