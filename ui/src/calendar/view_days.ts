// Which days a view shows, and what it is called. Pure; days are texts and know no zone, so clocks that change do not matter.

import { addDays, dayText, mondayOf, rangeOfDays } from "../parts/time";
import type { View } from "./calendar_types";

export const kAgendaDays = 30;

/** From the first day to the last, in order. */
export function daysOf(view: View, day: string): string[] {
  switch (view) {
    case "day":
      return [day];
    case "week":
      return run(mondayOf(day), 7);
    case "agenda":
      return run(day, kAgendaDays);
    case "month": {
      const first = mondayOf(`${day.slice(0, 7)}-01`);
      const last = addDays(mondayOf(addDays(monthStep(day, 1), -1)), 6);
      const days: string[] = [];
      for (let at = first; at <= last; at = addDays(at, 1)) days.push(at);
      return days;
    }
  }
}

function run(from: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}

/** The day to look at after pressing "next" (1) or "previous" (-1). */
export function stepDay(view: View, day: string, by: 1 | -1): string {
  if (view === "month") return monthStep(day, by);
  return addDays(day, by * { day: 1, week: 7, agenda: kAgendaDays }[view]);
}

/** The first of the month before or after. */
function monthStep(day: string, by: number): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + by);
  return at.toISOString().slice(0, 10);
}

const kMonth = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** "November 2026", "16 Nov 2026 – 22 Nov 2026". */
export function titleOf(view: View, day: string): string {
  if (view === "day") return `${dayText(day)} ${day.slice(0, 4)}`;
  if (view === "month") return kMonth.format(new Date(`${day.slice(0, 7)}-01T00:00:00Z`));
  const days = daysOf(view, day);
  return rangeOfDays(days[0]!, days.at(-1)!);
}

export function viewOf(text: string | undefined): View | null {
  return text === "day" || text === "week" || text === "month" || text === "agenda" ? text : null;
}

/** A day that exists: "2026-02-30" is none. */
export function dayIn(text: string | undefined): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text ?? "")) return null;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text!) ? text! : null;
}
