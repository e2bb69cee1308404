// What the server has of a stretch of days, and what was done since. One store per stretch and zone for as long as the tab is
// open, so that going back shows it at once, and what waits for a connection is sent from anywhere.

import { api, ApiProblem } from "../api";
import { addDays } from "../parts";
import { MadeIds, Optimistic, tagOf, Versions, type Failed, type SendContext } from "../state";
import { applyCalendarOp } from "./apply_calendar";
import {
  isBeingMade,
  type CalendarItem,
  type CalendarOp,
  type ChangeOp,
  type Content,
  type CreateOp,
  type Item,
  type RemoveOp,
  type Stretch,
  type Times,
} from "./calendar_types";
import { madeEvent, readEvent, type Known } from "./known_event";

/** An operation with the version it was sent on: the same if it has to be sent again. */
type Sent = CalendarOp & { base?: number };

export interface Refused {
  op: CalendarOp;
  problem: ApiProblem;
}

const kPagesMax = 20; // of 100 items
const kKept = 24;

/** By the server's ids, of whatever stretch: what was changed in the week is seen in the day. */
const versions = new Versions();

export class CalendarStore {
  readonly stretch: Optimistic<Stretch, Sent>;
  /** Told of what was refused; set by the page that is shown. */
  onRefused: (refused: Refused) => void = () => undefined;
  private readonly ids = new MadeIds();

  constructor(
    readonly days: readonly string[],
    readonly zone: string,
  ) {
    this.stretch = new Optimistic<Stretch, Sent>({
      load: () => this.load(),
      apply: (stretch, op) => applyCalendarOp(stretch, op, zone),
      send: (op, context) => this.send(op, context),
      isNew: (op) => op.kind === "create",
      onRefused: (failed) => this.refuse(failed),
      dependsOn,
    });
  }

  async do(op: CalendarOp): Promise<boolean> {
    return this.stretch.do(op);
  }

  /** The same once more on what is there now, once the user has said so. */
  async insist({ op }: Refused): Promise<boolean> {
    await this.stretch.refresh();
    if (op.kind === "create") return this.do(op);
    versions.forget(this.ids.sent(op.item.id));
    const now = this.stretch.server.peek()?.items.find(({ id }) => id === op.item.id);
    return now === undefined ? false : this.do(again(op, now.version));
  }

  /** As it is shown now. */
  now(item: Item): Item | undefined {
    return this.stretch.view.peek()?.items.find(({ id }) => id === item.id);
  }

  /** One that is about to be made is waited for; then it is the one in its place. */
  async ready(item: Item): Promise<Item | undefined> {
    if (!isBeingMade(item)) return item;
    await this.stretch.settled();
    const { title, start } = item;
    return this.now(item) ?? this.stretch.view.peek()?.items.find((other) => other.start === start && other.title === title);
  }

  /** All there is to know of an event. */
  async read(item: Item): Promise<Known> {
    const ready = await this.ready(item);
    if (!ready) throw new ApiProblem({ status: 404, code: "not-found", message: "It is no longer in these days." });
    return readEvent(ready, this.ids.sent(ready.id));
  }

  /** The same of one that was just made: nobody has to be asked. */
  made(item: Item): Known | undefined {
    return isBeingMade(item)
      ? undefined
      : madeEvent(
          item,
          this.stretch.pending.peek().map(({ op }) => op),
        );
  }

  private refuse(failed: Failed<Sent>): void {
    this.stretch.giveUp(failed.id);
    this.onRefused({ op: failed.op, problem: failed.problem });
    // What was refused because it is not what was seen is shown as it is now.
    void this.stretch.refresh().catch(() => undefined);
  }

  private async load(): Promise<Stretch> {
    const query = { from: this.days[0]!, to: addDays(this.days.at(-1)!, 1), tz: this.zone };
    const stretch: Stretch = { items: [], overdue: [], isCut: false };
    let cursor: string | undefined;
    for (let page = 0; page < kPagesMax; ++page) {
      const answer = await api.get("/api/nexus/agenda", {
        query: { ...query, ...(cursor === undefined ? { overdue: true } : { cursor }) },
      });
      stretch.items.push(...answer.items.map((item) => ({ ...item, id: this.ids.shown(item.id) })));
      stretch.overdue.push(...(answer.overdue ?? []));
      cursor = answer.nextCursor;
      if (cursor === undefined) return stretch;
    }
    return { ...stretch, isCut: true };
  }

  private async send(op: Sent, { idempotencyKey }: SendContext): Promise<void> {
    if (op.kind === "create") {
      const { id, version } = await api.post("/api/nexus/events", { body: creation(op), idempotencyKey });
      if (op.rrule !== null) return; // this is the series; its occurrences have ids of their own
      this.ids.note(op.id, id);
      versions.note({ id, version: 0 }, version);
      return;
    }
    const id = this.ids.sent(op.item.id);
    op.base ??= versions.newest({ id, version: op.item.version });
    const sending = { ifMatch: tagOf(op.base), idempotencyKey };
    if (op.kind === "remove") return sendRemoval(op, id, sending);
    const after = await sendChange(op, id, sending);
    if (op.rrule !== undefined) {
      // What begins to repeat, or stops, is another item. Turned back it has its former id, and counts from one again.
      versions.forget(id);
      versions.forget(after.id);
    } else if (op.scope === "this") {
      versions.note({ id, version: op.base }, after.version);
    }
  }
}

/** A change on one that was refused, above all on its making. */
function dependsOn(later: CalendarOp, failed: CalendarOp): boolean {
  if (later.kind === "create") return false;
  return later.item.id === (failed.kind === "create" ? failed.id : failed.item.id);
}

/** The same on another version. */
function again<Op extends ChangeOp | RemoveOp>(op: Op & { base?: number }, version: number): Op {
  const next = { ...op, item: { ...op.item, version } };
  delete next.base;
  return next;
}

interface Sending {
  ifMatch: string;
  idempotencyKey: string;
}

async function sendChange({ item, scope, times, content, rrule }: ChangeOp, id: string, sending: Sending): Promise<CalendarItem> {
  const body = {
    ...(content ? contentChange(content) : {}),
    ...(times ? wireTimes(times) : {}),
    ...(rrule === undefined ? {} : { rrule }),
  };
  if (item.entityType === "EVENT") return api.patch("/api/nexus/events/{eventId}", { path: { eventId: id }, body, ...sending });
  return api.patch("/api/nexus/instances/{instanceId}", { path: { instanceId: id }, query: { scope }, body, ...sending });
}

async function sendRemoval({ item, scope }: RemoveOp, id: string, sending: Sending): Promise<void> {
  if (item.entityType === "EVENT") await api.delete("/api/nexus/events/{eventId}", { path: { eventId: id }, ...sending });
  else await api.delete("/api/nexus/instances/{instanceId}", { path: { instanceId: id }, query: { scope }, ...sending });
}

function creation({ times, content, rrule }: CreateOp) {
  const { title, location, description, tags, reminderMinutes } = content;
  return {
    title,
    ...wireTimes(times),
    ...(location === "" ? {} : { location }),
    ...(description === "" ? {} : { description }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(reminderMinutes.length === 0 ? {} : { reminderMinutes }),
    ...(rrule === null ? {} : { rrule }),
  };
}

/** What is empty goes away. */
function contentChange({ title, location, description, tags, reminderMinutes }: Partial<Content>) {
  return {
    ...(title === undefined ? {} : { title }),
    ...(location === undefined ? {} : { location: location === "" ? null : location }),
    ...(description === undefined ? {} : { description: description === "" ? null : description }),
    ...(tags === undefined ? {} : { tags: tags.length === 0 ? null : tags }),
    ...(reminderMinutes === undefined ? {} : { reminderMinutes: reminderMinutes.length === 0 ? null : reminderMinutes }),
  };
}

function wireTimes({ startLocal, endLocal, zone, allDay }: Times) {
  return allDay ? { startLocal, endLocal, allDay } : { startLocal, endLocal, startTzid: zone, allDay };
}

const stores = new Map<string, CalendarStore>();

export function calendarStore(userId: string, days: readonly string[], zone: string): CalendarStore {
  const key = `${userId} ${zone} ${days[0]} ${days.length}`;
  const known = stores.get(key);
  const store = known ?? new CalendarStore(days, zone);
  // The latest last; the oldest that has nothing to send is forgotten.
  stores.delete(key);
  stores.set(key, store);
  if (stores.size > kKept) {
    const idle = [...stores].find(([, other]) => other !== store && other.stretch.pending.peek().length === 0);
    if (idle) stores.delete(idle[0]);
  }
  return store;
}
