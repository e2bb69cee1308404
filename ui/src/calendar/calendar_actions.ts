// What can be done on the calendar, for mouse, keys and dialogs alike: asks which occurrences are meant, shows the change,
// sends it, says what became of it.

import { signal } from "@preact/signals";
import { live, type ApiProblem } from "../api";
import { addDays, announce, clockText, confirm, dayText } from "../parts";
import { toast, toastProblem, toastUndo } from "../shell";
import { applyCalendarOp } from "./apply_calendar";
import type { CalendarStore, Refused } from "./calendar_store";
import type { CalendarOp, ChangeOp, CreateOp, Item, Scope, Stretch, Times } from "./calendar_types";
import { wallOf } from "./day_layout";
import { momentsIn, timesOf } from "./move_times";

/** A question that is open: which occurrences of a series? */
export interface ScopeQuestion {
  title: string;
  action: string;
  danger: boolean;
  /** What becomes of those that are meant. */
  kind: "change" | "delete" | "end";
  scopes: Scope[];
  answer: (scope: Scope | null) => void;
}

export class CalendarActions {
  readonly question = signal<ScopeQuestion | null>(null);
  /** Shown while its question is open. */
  readonly preview = signal<CalendarOp | null>(null);
  /** To undo: of an item, only its latest move is offered. */
  private readonly offers = new Map<string, { close: () => void }>();
  /** What could not be made: what was done to it since goes without a word of its own. */
  private readonly notMade = new Set<string>();
  /** Whoever sent these shows what became of them. */
  private readonly quiet = new Map<CalendarOp, (problem: ApiProblem) => void>();

  constructor(readonly store: CalendarStore) {
    store.onRefused = (refused) => this.onRefused(refused);
  }

  /** What to show: with the change whose question is open. */
  shown(stretch: Stretch): Stretch {
    const op = this.preview.value;
    return op ? applyCalendarOp(stretch, op, this.store.zone) : stretch;
  }

  /** Dragged, resized or nudged to other times. */
  async place(item: Item, times: Times): Promise<void> {
    const before = timesOf(item);
    if (before.startLocal === times.startLocal && before.endLocal === times.endLocal) return;
    const op: ChangeOp = { kind: "change", item, scope: "this", times };
    const scope = await this.scopeOf(item, `Move “${item.title}”`, "Move", op);
    if (scope === null) return;
    const said = `“${item.title}” is ${this.whenText(times)} now.`;
    announce(said);
    this.offers.get(item.id)?.close();
    const offer = { close: () => undefined as void };
    this.offers.set(item.id, offer);
    const done = await this.store.do({ ...op, scope });
    if (!done || scope !== "this" || this.offers.get(item.id) !== offer) return;
    offer.close = toastUndo(said, () => void this.undo(item, before), `calendar ${item.id}`);
  }

  private async undo(item: Item, times: Times): Promise<void> {
    const now = this.store.now(item);
    if (now) await this.store.do({ kind: "change", item: now, scope: "this", times });
  }

  async remove(shown: Item): Promise<boolean> {
    const item = await this.store.ready(shown);
    if (!item) return false;
    const op = { kind: "remove" as const, item, scope: "this" as Scope };
    if (item.entityType === "EVENT") {
      const sure = await confirm({
        title: `Delete “${item.title}”?`,
        text: "The event and its reminders will be deleted permanently.",
        action: "Delete",
        danger: true,
      });
      if (!sure) return false;
    } else {
      const scope = await this.ask({
        title: `Delete “${item.title}”`,
        action: "Delete",
        danger: true,
        kind: "delete",
        scopes: ["this", "following", "all"],
      });
      if (scope === null) return false;
      op.scope = scope;
    }
    announce(`Deleted ${item.title}`);
    void this.store.do(op);
    return true;
  }

  /** From a dialog. Answers what was wrong; null: it is done, or will be; "asked": the user thought better of it. */
  async save(op: CreateOp | ChangeOp): Promise<ApiProblem | "asked" | null> {
    if (op.kind === "change" && op.item.entityType === "INSTANCE") {
      const scopes: Scope[] = op.rrule === undefined ? ["this", "following", "all"] : ["following", "all"];
      const ends = op.rrule === null;
      const title = ends ? `Stop repeating “${op.item.title}”` : `Change “${op.item.title}”`;
      const scope = await this.ask({ title, action: ends ? "Stop" : "Change", danger: false, kind: ends ? "end" : "change", scopes });
      if (scope === null) return "asked";
      op = { ...op, scope };
    }
    const sent = op;
    const refusal = new Promise<ApiProblem>((resolve) => this.quiet.set(sent, resolve));
    const done = this.store.do(sent).then((ok) => (ok ? null : refusal));
    if (live.state.peek() !== "open") {
      this.quiet.delete(sent); // it waits for a connection; should it be refused then, everybody is told
      return null;
    }
    return done.finally(() => this.quiet.delete(sent));
  }

  private makeAgain(op: CreateOp): void {
    this.notMade.delete(op.id);
    void this.store.do(op);
  }

  private async scopeOf(item: Item, title: string, action: string, op: CalendarOp): Promise<Scope | null> {
    if (item.entityType !== "INSTANCE") return "this";
    this.preview.value = op;
    try {
      return await this.ask({ title, action, danger: false, kind: "change", scopes: ["this", "following", "all"] });
    } finally {
      this.preview.value = null;
    }
  }

  private ask(question: Omit<ScopeQuestion, "answer">): Promise<Scope | null> {
    this.question.peek()?.answer(null);
    return new Promise((resolve) => {
      this.question.value = {
        ...question,
        answer: (scope) => {
          this.question.value = null;
          resolve(scope);
        },
      };
    });
  }

  /** "on Mon 16 Nov, 9:00", "from Mon 16 Nov to Wed 18 Nov" */
  whenText(times: Times): string {
    const last = addDays(times.endLocal.slice(0, 10), -1);
    if (times.allDay && last > times.startLocal.slice(0, 10))
      return `from ${dayText(times.startLocal.slice(0, 10), "short")} to ${dayText(last, "short")}`;
    const { start } = momentsIn(times, this.store.zone);
    const day = dayText(times.allDay ? times.startLocal.slice(0, 10) : wallOf(start, this.store.zone).day, "short");
    return times.allDay ? `on ${day}` : `on ${day}, ${clockText(start, this.store.zone)}`;
  }

  private onRefused(refused: Refused): void {
    const { op, problem } = refused;
    if (op.kind === "create") this.notMade.add(op.id);
    const waiting = this.quiet.get(op);
    if (waiting) return waiting(problem);
    if (op.kind !== "create" && this.notMade.has(op.item.id)) return; // has been said
    const title = op.kind === "create" ? op.content.title : op.item.title;
    if (problem.status === 412) {
      toast({
        text: `“${title}” was changed elsewhere in the meantime. You now see the latest version.`,
        tone: "danger",
        seconds: 0,
        key: "calendar-stale",
        action: { label: "Use mine", run: () => void this.store.insist(refused) },
      });
    } else if (problem.status === 404) {
      toast({ text: `“${title}” no longer exists.`, tone: "danger", key: "calendar-stale" });
    } else {
      const isNew = op.kind === "create";
      toastProblem(
        isNew ? `“${title}” was not added.` : `“${title}” was not changed.`,
        problem,
        isNew ? () => this.makeAgain(op) : undefined,
      );
    }
  }
}
