// All that the dialog has to know of an event: the agenda tells only a part of it.

import { api } from "../api";
import type { CalendarItem, CalendarOp, Content, Item } from "./calendar_types";
import { contentOfItem } from "./event_draft";

export interface Known {
  /** With the version of what was read. */
  item: Item;
  content: Content;
  /** Of the series. */
  rrule: string;
}

/** `id` is what the server calls it. */
export async function readEvent(item: Item, id: string): Promise<Known> {
  if (item.entityType === "EVENT") {
    const full = await api.get("/api/nexus/events/{eventId}", { path: { eventId: id } });
    return { item: { ...item, version: full.version }, content: contentOfItem(full), rrule: "" };
  }
  const [full, master] = await Promise.all([
    api.get("/api/nexus/instances/{instanceId}", { path: { instanceId: id } }),
    api.get("/api/nexus/masters/{masterId}", { path: { masterId: item.masterId ?? "" } }),
  ]);
  // What an occurrence does not say itself it has from its series.
  const inherited = {
    ...full,
    description: full.description ?? master.description,
    location: full.location ?? master.location,
    tags: full.tags ?? master.tags,
    reminderMinutes: full.reminderMinutes ?? master.reminderMinutes,
  } as CalendarItem;
  return { item: { ...item, version: full.version }, content: contentOfItem(inherited), rrule: master.rrule ?? "" };
}

/** One that was just made, by what was done since: the server may not have heard of it. */
export function madeEvent(item: Item, ops: readonly CalendarOp[]): Known | undefined {
  let content: Content | undefined;
  for (const op of ops) {
    if (op.kind === "create" && op.id === item.id) content = op.content;
    else if (op.kind === "change" && op.item.id === item.id && content) content = { ...content, ...op.content };
  }
  return content && { item, content, rrule: "" };
}
