// What is typed into the dialog of an event, and what it means. Pure.

import { addDays } from "../parts/time";
import type { CalendarItem, Content, Times } from "./calendar_types";

export interface Draft {
  title: string;
  allDay: boolean;
  startDay: string;
  startTime: string;
  endDay: string;
  endTime: string;
  /** "": it floats. */
  zone: string;
  location: string;
  description: string;
  /** "work, travel" */
  tags: string;
  /** "10, 60" */
  reminders: string;
  /** "": it does not repeat. */
  rrule: string;
}

export function draftOf(times: Times, content: Partial<Content> = {}, rrule = ""): Draft {
  const { startLocal, endLocal, zone, allDay } = times;
  return {
    title: content.title ?? "",
    allDay,
    startDay: startLocal.slice(0, 10),
    startTime: allDay ? "09:00" : startLocal.slice(11, 16),
    // Next day the last is what is stored; people say the last.
    endDay: allDay ? addDays(endLocal.slice(0, 10), -1) : endLocal.slice(0, 10),
    endTime: allDay ? "10:00" : endLocal.slice(11, 16),
    zone: zone ?? "",
    location: content.location ?? "",
    description: content.description ?? "",
    tags: (content.tags ?? []).join(", "),
    reminders: (content.reminderMinutes ?? []).join(", "),
    rrule,
  };
}

/** Whether nothing was typed. */
export function sameDraft(one: Draft, other: Draft): boolean {
  return (Object.keys(one) as (keyof Draft)[]).every((name) => one[name] === other[name]);
}

export function contentOfItem(item: CalendarItem): Content {
  return {
    title: item.title,
    location: item.location ?? "",
    description: item.description ?? "",
    tags: [...(item.tags ?? [])].sort(),
    reminderMinutes: [...(item.reminderMinutes ?? [])].sort((one, other) => one - other),
  };
}

export function timesOfDraft(draft: Draft): Times {
  if (draft.allDay) {
    return { startLocal: `${draft.startDay}T00:00:00`, endLocal: `${addDays(draft.endDay, 1)}T00:00:00`, zone: null, allDay: true };
  }
  return {
    startLocal: `${draft.startDay}T${draft.startTime}:00`,
    endLocal: `${draft.endDay}T${draft.endTime}:00`,
    zone: draft.zone === "" ? null : draft.zone,
    allDay: false,
  };
}

export function contentOfDraft(draft: Draft): Content {
  return {
    title: draft.title.trim(),
    location: draft.location.trim(),
    description: draft.description.trim(),
    tags: words(draft.tags),
    reminderMinutes: words(draft.reminders).map(Number),
  };
}

function words(text: string): string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map((word) => word.trim())
        .filter((word) => word !== ""),
    ),
  ];
}

type DraftErrors = Partial<Record<keyof Draft, string>>;

/** What can be said without asking the server. */
export function draftErrors(draft: Draft): DraftErrors {
  const errors: DraftErrors = {};
  if (draft.title.trim() === "") errors.title = "Enter a title.";
  if (draft.startDay === "") errors.startDay = "Enter a date.";
  if (draft.endDay === "") errors.endDay = "Enter a date.";
  if (!draft.allDay && draft.startTime === "") errors.startTime = "Enter a time.";
  if (!draft.allDay && draft.endTime === "") errors.endTime = "Enter a time.";
  if (Object.keys(errors).every((name) => name === "title")) {
    const { startLocal, endLocal } = timesOfDraft(draft);
    if (endLocal <= startLocal)
      errors[draft.allDay || draft.endDay < draft.startDay ? "endDay" : "endTime"] = "The end is before the start.";
  }
  if (words(draft.reminders).some((word) => !/^\d{1,6}$/.test(word))) errors.reminders = "Enter minutes, separated by commas.";
  return errors;
}

/** The draft with another start: the end keeps its distance. */
export function withStart(draft: Draft, start: Partial<Pick<Draft, "startDay" | "startTime">>): Draft {
  const next = { ...draft, ...start };
  if (next.startDay === "" || next.startTime === "" || draft.startDay === "" || draft.startTime === "") return next;
  const at = (day: string, time: string) => Date.parse(`${day}T${time}:00Z`);
  const end = at(draft.endDay, draft.endTime) + at(next.startDay, next.startTime) - at(draft.startDay, draft.startTime);
  if (Number.isNaN(end)) return next;
  const local = new Date(end).toISOString();
  return { ...next, endDay: local.slice(0, 10), endTime: local.slice(11, 16) };
}

/** Only what differs; undefined: nothing. */
export function changedContent(before: Content, now: Content): Partial<Content> | undefined {
  const names = (Object.keys(now) as (keyof Content)[]).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, now[name]]));
}

export function sameTimes(one: Times, other: Times): boolean {
  return one.startLocal === other.startLocal && one.endLocal === other.endLocal && one.zone === other.zone && one.allDay === other.allDay;
}
