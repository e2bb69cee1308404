// Things of the calendar in words and colours. Pure.

import { dayText } from "../parts/time";
import { clockRange, clockText } from "../parts/zone_days";
import type { IconName } from "../parts";
import type { Item } from "./calendar_types";
import { daySpan, isLong, wallOf } from "./day_layout";

/** "9:00 – 10:00"; of days "Mon 16 Nov – Tue 17 Nov". */
export function rangeText(item: Item, zone: string): string {
  if (isLong(item)) {
    const { from, to } = daySpan(item, zone);
    const last = new Date(Date.parse(`${to}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
    return from === last ? dayText(from, "short") : `${dayText(from, "short")} – ${dayText(last, "short")}`;
  }
  if (item.start === item.end) return clockText(item.start, zone);
  return clockRange(item.start, item.end, zone);
}

/** What is not seen on it, for its name to be whole: `seen` are the words that are. */
export function besidesText(item: Item, zone: string, seen: { time?: boolean; day?: boolean; place?: boolean } = {}): string {
  const parts: string[] = [];
  if (!seen.day && !isLong(item)) parts.push(dayText(wallOf(item.start, zone).day, "short"));
  if (!seen.time) parts.push(rangeText(item, zone));
  parts.push(...kindWords(item));
  if (!seen.place && item.location !== undefined && item.location !== "") parts.push(item.location);
  return parts.join(", ");
}

function kindWords(item: Item): string[] {
  const parts: string[] = [];
  if (item.entityType === "TASK") parts.push(item.done ? "task, done" : "task");
  if (item.entityType === "REMINDER") parts.push("reminder");
  if (item.entityType === "INSTANCE") parts.push("repeats");
  if (item.floating && !item.allDay) parts.push("no zone");
  return parts;
}

/** What a screen reader says of one that shows no words. */
export function spokenText(item: Item, zone: string): string {
  const day = isLong(item) ? "" : `${dayText(wallOf(item.start, zone).day, "short")}, `;
  const parts = [`${item.title}, ${day}${rangeText(item, zone)}`, ...kindWords(item)];
  if (item.location !== undefined && item.location !== "") parts.push(item.location);
  return parts.join(", ");
}

export function iconOf(item: Item): IconName | null {
  if (item.entityType === "TASK") return item.done ? "done" : "action";
  if (item.entityType === "REMINDER") return "bell";
  return null;
}

const kTones = ["info", "accent", "success", "warning", "neutral"] as const;

/** The same tag has the same colour; without one it is the calendar's own. */
export function toneOf(item: Item): (typeof kTones)[number] {
  const tag = [...(item.tags ?? [])].sort()[0];
  if (tag === undefined) return "info";
  let sum = 0;
  for (const letter of tag) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return kTones[sum % kTones.length]!;
}
