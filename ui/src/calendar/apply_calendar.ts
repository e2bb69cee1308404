// What an operation does to what is shown, before the server has answered. Pure.

import { momentsIn, shiftBetween, shifted, timesOf } from "./move_times";
import type { CalendarOp, ChangeOp, Content, Item, Scope, Stretch, Times } from "./calendar_types";

/** `viewer`: the zone whose clock floating times follow. */
export function applyCalendarOp(stretch: Stretch, op: CalendarOp, viewer: string): Stretch {
  switch (op.kind) {
    case "create": {
      if (stretch.items.some(({ id }) => id === op.id)) return stretch;
      // Of a series, the first: its occurrences are made by the server.
      const isSeries = op.rrule !== null;
      const blank: Item = {
        entityType: isSeries ? "INSTANCE" : "EVENT",
        id: op.id,
        title: "",
        start: "",
        end: "",
        floating: false,
        allDay: false,
        isVirtual: isSeries,
        version: 0,
      };
      return inOrder(stretch, [...stretch.items, withContent(withTimes(blank, op.times, viewer), op.content)]);
    }
    case "change":
      if (op.rrule === null) return ended(stretch, op, viewer);
      return inOrder(
        stretch,
        stretch.items.map((item) => (isMeant(item, op.item, op.scope) ? changed(item, op, viewer) : item)),
      );
    case "remove":
      return { ...stretch, items: stretch.items.filter((item) => !isMeant(item, op.item, op.scope)) };
  }
}

/** Whether a change of `target` with this scope is one of `item`, too. */
export function isMeant(item: Item, target: Item, scope: Scope): boolean {
  if (item.id === target.id) return true;
  if (scope === "this" || item.masterId === undefined || item.masterId !== target.masterId) return false;
  return scope === "all" || item.start >= target.start;
}

function changed(item: Item, op: ChangeOp, viewer: string): Item {
  const isTarget = item.id === op.item.id;
  // What was edited by itself keeps what it was given.
  if (!isTarget && item.isException) return item;
  // The server may give them new ids: those of a series that changes as a whole, or begins.
  const known = op.rrule !== undefined ? unnamed(item, "INSTANCE") : op.scope === "this" ? item : unnamed(item, item.entityType);
  const renewed = op.content ? withContent(known, op.content) : known;
  if (!op.times) return renewed;
  return withTimes(renewed, isTarget ? op.times : likewise(item, op.item, op.times), viewer);
}

/** What was one of a series stays as a single event; the others that are meant go. */
function ended(stretch: Stretch, op: ChangeOp, viewer: string): Stretch {
  const single = unnamed(op.item, "EVENT");
  delete single.masterId;
  const kept = stretch.items.filter((item) => !isMeant(item, op.item, op.scope));
  if (kept.length === stretch.items.length) return stretch; // it has happened
  return inOrder(stretch, [...kept, changed(single, { ...op, scope: "this", rrule: undefined }, viewer)]);
}

function unnamed(item: Item, entityType: Item["entityType"]): Item {
  return { ...item, entityType, isVirtual: true, version: 0 };
}

/** The times of another occurrence after the target got these. */
function likewise(item: Item, target: Item, times: Times): Times {
  const before = timesOf(target);
  const own = timesOf(item);
  const startLocal = shifted(own.startLocal, shiftBetween(before.startLocal, times.startLocal));
  return { ...times, startLocal, endLocal: shifted(startLocal, shiftBetween(times.startLocal, times.endLocal)) };
}

/** The same at other times. */
export function withTimes(item: Item, times: Times, viewer: string): Item {
  const { start, end } = momentsIn(times, viewer);
  const moved: Item = {
    ...item,
    start: instant(start),
    end: instant(end),
    startLocal: times.startLocal,
    endLocal: times.endLocal,
    floating: times.zone === null,
    allDay: times.allDay,
  };
  if (times.zone === null) delete moved.startTzid;
  else moved.startTzid = times.zone;
  return moved;
}

function withContent(item: Item, { title, location, tags }: Partial<Content>): Item {
  return {
    ...item,
    ...(title === undefined ? {} : { title }),
    ...(location === undefined ? {} : { location }),
    ...(tags === undefined ? {} : { tags }),
  };
}

function instant(time: number): string {
  return new Date(time).toISOString().replace(".000Z", "Z");
}

function inOrder(stretch: Stretch, items: Item[]): Stretch {
  return { ...stretch, items: items.sort((one, other) => one.start.localeCompare(other.start)) };
}
