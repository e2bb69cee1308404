import type { Schemas } from "../api";

export type Task = Schemas["Task"];
export type Column = Schemas["BoardColumnCards"];
export type Board = Schemas["Board"];
export type BoardColumn = Schemas["BoardColumn"];
export type NexusSettings = Schemas["NexusSettings"];
export type Status = Task["status"];

/** Where a card goes: its column, its priority, and beside which card of both; behind all others unless told. */
export interface Place {
  status: Status;
  priority: number;
  afterId?: string;
  beforeId?: string;
}

/** What is typed into the dialog, as it is sent; null: it goes away. */
export interface TaskChange {
  title?: string;
  description?: string | null;
  status?: Status;
  priority?: number;
  dueUtc?: string | null;
  tags?: string[] | null;
}

export type BoardOp =
  | { kind: "add"; id: string; title: string; status: Status; at: string }
  | { kind: "change"; task: Task; change: TaskChange }
  | { kind: "move"; task: Task; place: Place }
  | { kind: "complete"; task: Task; done: boolean }
  /** How it repeats from now on; null: it does not. */
  | { kind: "repeat"; task: Task; change: TaskChange; rrule: string | null }
  /** Of a series: only this one, and the next takes its place; or the series ends with it. */
  | { kind: "remove"; task: Task; scope: RemoveScope };

export type RemoveScope = "this" | "all";

/** Done ones of a series are history: only an open one says how it goes on. */
export const isOpen = ({ status }: Task): boolean => status !== "DONE" && status !== "ARCHIVED";

export const statusNames: Record<Status, string> = {
  BACKLOG: "Backlog",
  TODO: "To do",
  IN_PROGRESS: "In progress",
  BLOCKED: "Blocked",
  DONE: "Done",
  ARCHIVED: "Archived",
};

export const kPriorities = [1, 2, 3, 4] as const;
export const priorityNames = ["", "Urgent", "High", "Normal", "Low"];
export const kUsualPriority = 3;
