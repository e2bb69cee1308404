// What became of an imported file, in words. Pure.

import { sentence } from "../api/problem";
import type { Schemas } from "../api/routes";

export type ImportReport = Schemas["CalendarImport"];
export type ImportNote = Schemas["ImportNote"];

const kBytesMax = 5 * 1024 * 1024;

/** undefined: it is not. */
export function tooLargeWords(bytes: number): string | undefined {
  if (bytes <= kBytesMax) return undefined;
  const megabytes = Math.ceil((bytes / 1024 / 1024) * 10) / 10;
  return `The file is ${megabytes} MB; the limit is 5 MB. Export fewer years or calendars at a time.`;
}

/** "3 created, 1 skipped." */
export function reportWords({ created, updated, unchanged, skipped }: ImportReport): string {
  const counts = Object.entries({ created, updated, unchanged, skipped }).filter(([, count]) => count > 0);
  return counts.length === 0 ? "The file was empty." : `${counts.map(([name, count]) => `${count} ${name}`).join(", ")}.`;
}

/** "Line 7, VEVENT, RRULE" */
export function placeWords({ line, component, property }: ImportNote): string {
  return [`Line ${line}`, component, property].filter(Boolean).join(", ");
}

export function reasonWords({ reason }: ImportNote): string {
  return sentence(reason);
}

/** How many are not in the list. */
export function unlisted({ notUnderstood, notUnderstoodTotal }: ImportReport): number {
  return Math.max(0, notUnderstoodTotal - notUnderstood.length);
}

/** The file was sent again for what had remained: what was done the first time is unchanged the second. */
export function joinReports(before: ImportReport | null, next: ImportReport): ImportReport {
  if (before === null) return next;
  const doneBefore = before.created + before.updated;
  return {
    ...next,
    created: before.created + next.created,
    updated: before.updated + next.updated,
    unchanged: Math.max(0, next.unchanged - doneBefore),
  };
}
