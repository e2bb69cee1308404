// What the calendar shows and what can be done to it, as types.

import type { Schemas } from "../api";

/** Something in the agenda: an event, an occurrence of a series, a task that is due, a reminder. */
export type Item = Schemas["AgendaItem"];
/** An event, an occurrence or a series, with all its fields. */
export type CalendarItem = Schemas["CalendarItem"];
export type NexusSettings = Schemas["NexusSettings"];

export type View = "day" | "week" | "month" | "agenda";
export const views: View[] = ["day", "week", "month", "agenda"];

/** Which occurrences of a series are meant. */
export type Scope = "this" | "following" | "all";

/** When something is, by the clock of its zone. */
export interface Times {
  startLocal: string;
  endLocal: string;
  /** null: it floats, and is at that time wherever one is. */
  zone: string | null;
  allDay: boolean;
}

/** What somebody fills in. */
export interface Content {
  title: string;
  location: string;
  description: string;
  tags: string[];
  reminderMinutes: number[];
}

/** What the server has for a stretch of days. */
export interface Stretch {
  items: Item[];
  /** Open tasks that were due before. */
  overdue: Item[];
  /** There is more than is read. */
  isCut: boolean;
}

export interface CreateOp {
  kind: "create";
  /** Until the server has given it its own. */
  id: string;
  times: Times;
  content: Content;
  rrule: string | null;
}

export interface ChangeOp {
  kind: "change";
  item: Item;
  scope: Scope;
  times?: Times | undefined;
  content?: Partial<Content> | undefined;
  /** How it repeats from now on; null: no longer. */
  rrule?: string | null | undefined;
}

export interface RemoveOp {
  kind: "remove";
  item: Item;
  scope: Scope;
}

export type CalendarOp = CreateOp | ChangeOp | RemoveOp;

export const isEvent = (item: Item): boolean => item.entityType === "EVENT" || item.entityType === "INSTANCE";
/** An occurrence of a series that is being made or changed: the server has not named it yet. */
export const isBeingMade = (item: Item): boolean => item.isVirtual && item.version === 0;
/** Can be changed here. Not: tasks, reminders, occurrences that exist only on paper, or are about to be made. */
export const isMovable = (item: Item): boolean => isEvent(item) && !item.isVirtual;
/** What is about to be made can be waited for. */
export const canOpen = (item: Item): boolean => isMovable(item) || isBeingMade(item);
