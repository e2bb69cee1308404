// The columns of the board while they are being changed: all statuses, those that have a column first. Pure.

import { statusNames, type BoardColumn, type Status } from "./board_types";

export interface ColumnDraft {
  status: Status;
  /** Whether the board shows it. */
  isShown: boolean;
  title: string;
  /** "": none. */
  limit: string;
}

const kLimitMax = 1000;

export function draftsOf(columns: readonly BoardColumn[]): ColumnDraft[] {
  const shown = columns.map(({ status, title, limit }) => ({
    status,
    isShown: true,
    title,
    limit: limit === undefined ? "" : String(limit),
  }));
  const others = (Object.keys(statusNames) as Status[]).filter((status) => !columns.some((column) => column.status === status));
  return [...shown, ...others.map((status) => ({ status, isShown: false, title: statusNames[status], limit: "" }))];
}

export function columnsOf(drafts: readonly ColumnDraft[]): BoardColumn[] {
  return drafts
    .filter(({ isShown }) => isShown)
    .map(({ status, title, limit }) => ({ status, title: title.trim(), ...(limit.trim() === "" ? {} : { limit: Number(limit) }) }));
}

/** One further to the left (-1) or to the right (1). */
export function movedDraft(drafts: readonly ColumnDraft[], status: Status, by: 1 | -1): ColumnDraft[] {
  const at = drafts.findIndex((draft) => draft.status === status);
  const next = [...drafts];
  if (at < 0 || !next[at + by]) return next;
  [next[at], next[at + by]] = [next[at + by]!, next[at]!];
  return next;
}

export type ColumnErrors = Partial<Record<Status, { title?: string; limit?: string }>>;

/** What can be said without asking the server; empty: nothing is wrong. */
export function columnErrors(drafts: readonly ColumnDraft[]): ColumnErrors {
  const errors: ColumnErrors = {};
  for (const { status, isShown, title, limit } of drafts) {
    if (!isShown) continue;
    const wrong: { title?: string; limit?: string } = {};
    if (title.trim() === "") wrong.title = "Enter a title.";
    if (limit.trim() !== "" && !(/^\d{1,4}$/.test(limit.trim()) && Number(limit) >= 1 && Number(limit) <= kLimitMax))
      wrong.limit = `A number from 1 to ${kLimitMax}, or nothing.`;
    if (wrong.title !== undefined || wrong.limit !== undefined) errors[status] = wrong;
  }
  return errors;
}
