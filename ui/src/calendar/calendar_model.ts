import type { CalendarActions } from "./calendar_actions";
import type { Item, Times } from "./calendar_types";

/** What all views are given. */
export interface CalendarModel {
  items: readonly Item[];
  overdue: readonly Item[];
  days: readonly string[];
  /** The day that was asked for. */
  day: string;
  today: string;
  now: number;
  zone: string;
  actions: CalendarActions;
  onEdit: (item: Item) => void;
  onNew: (times: Times) => void;
  onDay: (day: string) => void;
}
