// What can be done to a day, in the page's words: sends it, offers to take it back, and says it to screen readers.

import { newKey } from "../api";
import { announce, durationText, moveTo } from "../parts";
import { toast, toastUndo } from "../shell";
import { freeSpan, instantOf, kPomodoroMinutes, kSnapMinutes, minuteOf, overlaps, spanOf, spanText, type Day, type Span } from "./day_grid";
import { classificationNames, type Block, type BlockType, type Classification, type Plan, type Todo } from "./plan_types";
import type { PlanStore } from "./plan_store";
import type { PomodoroTimer } from "./pomodoro_timer";
import { breakMinutes } from "./timer_state";

export const kEstimateMax = 100;

export interface BlockDraft {
  blockType: BlockType;
  span: Span;
  actionId?: string | undefined;
}

export class DayActions {
  constructor(
    private readonly store: PlanStore,
    private readonly timer: PomodoroTimer,
    private readonly zone: string,
  ) {}

  private get plan(): Plan | undefined {
    return this.store.plan.view.peek();
  }

  private day(plan: Plan): Day {
    const start = Date.parse(plan.dayStart);
    const end = Date.parse(plan.dayEnd);
    return { start, end, minutes: (end - start) / 60_000, zone: this.zone };
  }

  /** Says what was just done, and offers to take it back. */
  undoable(text: string): void {
    this.store.offerUndo((undo) => toastUndo(text, undo, "today-undo"));
  }

  add(actionId: string, title: string, classification: Classification): void {
    void this.store.commit([{ op: "addTodo", actionId, classification }], undefined, { [actionId]: title });
    announce(`Added ${title} to the todos.`);
  }

  create(title: string, parentId: string, classification: Classification): void {
    void this.store.do({ kind: "create", nodeId: newKey(), title, parentId, classification });
    announce(`Created the action ${title} and added it to the todos.`);
  }

  setCompleted(todo: Todo, completed: boolean): void {
    const title = todo.title ?? "the action";
    if (completed) {
      void this.store.do({ kind: "complete", actionId: todo.actionId, at: new Date().toISOString() });
      this.undoable(`Completed “${title}”.`);
    } else {
      void this.store.do({ kind: "uncomplete", actionId: todo.actionId });
      announce(`${title} was reopened.`);
    }
  }

  remove(todo: Todo): void {
    void this.store.commit([{ op: "removeTodo", actionId: todo.actionId }]);
    this.undoable(`Took “${todo.title ?? "the todo"}” off the day.`);
  }

  classify(todo: Todo, classification: Classification): void {
    if (todo.classification === classification) return;
    void this.store.commit([{ op: "editTodo", actionId: todo.actionId, classification }]);
    announce(`${todo.title ?? "Todo"}: ${classificationNames[classification]}.`);
  }

  estimate(todo: Todo, count: number | null): void {
    const estimatedPomodoros = count === null ? null : Math.max(0, Math.min(count, kEstimateMax));
    if ((todo.estimatedPomodoros ?? null) === estimatedPomodoros) return;
    void this.store.commit([{ op: "editTodo", actionId: todo.actionId, estimatedPomodoros }]);
    announce(estimatedPomodoros === null ? "No estimate." : `Estimated pomodoros: ${estimatedPomodoros}.`);
  }

  async note(todo: Todo, text: string): Promise<boolean> {
    const notes = text.trim() === "" ? null : text;
    if ((todo.notes ?? null) === notes) return true;
    return this.store.commit([{ op: "editTodo", actionId: todo.actionId, notes }]);
  }

  /** To a slot as listSlot counts them. */
  reorder(id: string, slot: number): void {
    const todos = this.plan?.todos ?? [];
    const from = todos.findIndex(({ actionId }) => actionId === id);
    if (from < 0) return;
    const moved = moveTo(todos, from, slot);
    if (moved.every((todo, index) => todo === todos[index])) return;
    void this.store.commit([{ op: "reorderTodos", actionIds: moved.map(({ actionId }) => actionId) }]);
    const place = moved.indexOf(todos[from]!) + 1;
    announce(`Moved ${todos[from]!.title ?? "the todo"} to place ${place} of ${todos.length}.`);
  }

  sortByUrgency(): void {
    const todos = this.plan?.todos ?? [];
    const rank: Record<Classification, number> = { urgent: 0, important: 1, other: 2 };
    const done = (todo: Todo) => (todo.completedAt === undefined ? 0 : 1);
    const sorted = [...todos].sort((a, b) => done(a) - done(b) || rank[a.classification] - rank[b.classification]);
    if (sorted.every((todo, index) => todo === todos[index])) return;
    void this.store.commit([{ op: "reorderTodos", actionIds: sorted.map(({ actionId }) => actionId) }]);
    this.undoable("Sorted by urgency.");
  }

  async addBlock({ blockType, span, actionId }: BlockDraft): Promise<boolean> {
    const plan = this.plan;
    if (!plan) return false;
    const day = this.day(plan);
    announce(`Planned ${spanText(day, span)}.`);
    return this.store.commit([
      {
        op: "addBlock",
        blockId: newKey(),
        blockType,
        start: instantOf(day, span.start),
        end: instantOf(day, span.end),
        ...(blockType === "POMODORO" && actionId !== undefined ? { actionId } : {}),
      },
    ]);
  }

  async editBlock(block: Block, { blockType, span, actionId }: BlockDraft): Promise<boolean> {
    const plan = this.plan;
    if (!plan) return false;
    const day = this.day(plan);
    const start = instantOf(day, span.start);
    const end = instantOf(day, span.end);
    if (start === block.start && end === block.end && blockType === block.blockType && actionId === block.actionId) return true;
    announce(`${spanText(day, span)}, ${durationText(span.end - span.start)}.`);
    const action = blockType === "POMODORO" && actionId !== undefined ? { actionId } : {};
    return this.store.commit([{ op: "editBlock", blockId: block.blockId, blockType, start, end, ...action }]);
  }

  removeBlock(block: Block): void {
    void this.store.commit([{ op: "removeBlock", blockId: block.blockId }]);
    this.undoable("Took the block off the timeline.");
  }

  /** At the first free time from now on, or from a minute of the day. */
  planPomodoro(todo: Todo, from?: number): void {
    const plan = this.plan;
    if (!plan) return;
    const day = this.day(plan);
    const earliest = from ?? Math.max(minuteOf(day, Date.now()), morning(day));
    const span = freeSpan(day, plan.blocks, earliest, kPomodoroMinutes);
    if (!span) {
      toast({ text: "There is no time left today for another pomodoro.", key: "no-room" });
      return;
    }
    void this.addBlock({ blockType: "POMODORO", span, actionId: todo.actionId });
  }

  /** Begins a pomodoro now: that which is planned for this time, otherwise a new one if there is room for it. */
  startPomodoro(todo: Todo): void {
    const plan = this.plan;
    if (!plan) return;
    const day = this.day(plan);
    const minute = Math.floor(minuteOf(day, Date.now()) / kSnapMinutes) * kSnapMinutes;
    const span = { start: minute, end: minute + kPomodoroMinutes };
    const rivals = plan.blocks.filter((block) => block.blockType !== "BUFFER" && overlaps(span, spanOf(day, block)));
    const own = rivals.find(({ actionId }) => actionId === todo.actionId);
    if (!own && rivals.length === 0 && minute >= 0 && minute < day.minutes) {
      void this.addBlock({ blockType: "POMODORO", span, actionId: todo.actionId });
    }
    this.run("pomodoro", todo.title ?? "Pomodoro", kPomodoroMinutes, todo.actionId, own?.blockId);
  }

  startBlock(block: Block, title: string): void {
    const minutes = Math.round((Date.parse(block.end) - Date.parse(block.start)) / 60_000);
    this.run(block.blockType === "BREAK" ? "break" : "pomodoro", title, minutes, block.actionId, block.blockId);
  }

  startBreak(): void {
    const now = Date.now();
    const over = (this.plan?.blocks ?? []).filter((block) => block.blockType === "POMODORO" && Date.parse(block.end) <= now + 60_000);
    this.run("break", "Break", breakMinutes(over.length));
  }

  private run(kind: "pomodoro" | "break", title: string, minutes: number, actionId?: string, blockId?: string): void {
    this.timer.start({ kind, title, minutes, actionId, blockId, day: this.store.day });
    announce(`${title}: ${minutes} minutes.`);
  }
}

/** Nobody wants a pomodoro right after midnight: a day that has not begun is planned from nine. */
export function morning(day: Day): number {
  return Math.min(9 * 60, Math.max(0, day.minutes - 60));
}
