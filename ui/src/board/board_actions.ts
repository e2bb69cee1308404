// What can be done on the board, for mouse, keys and dialogs alike.

import { signal } from "@preact/signals";
import { live, newKey, type ApiProblem } from "../api";
import { announce, confirm } from "../parts";
import { toast, toastProblem, toastUndo } from "../shell";
import { placeAgain, placeBeside, placeOf, slotOf } from "./card_place";
import {
  isOpen,
  priorityNames,
  type Board,
  type BoardOp,
  type Column,
  type Place,
  type RemoveScope,
  type Status,
  type Task,
} from "./board_types";
import type { BoardStore, Refused } from "./board_store";

/** A question that is open: only this one of a series, or all of it? */
export interface RemoveQuestion {
  title: string;
  answer: (scope: RemoveScope | null) => void;
}

/** A card that was moved: where it was, and where it is since. */
interface Step {
  taskId: string;
  from: Place;
  to: Place;
  /** Takes away the message that offers to undo it. */
  close?: () => void;
}

const kStepsMax = 100;

export class BoardActions {
  readonly question = signal<RemoveQuestion | null>(null);
  /** Whoever sent these shows what became of them. */
  private readonly quiet = new Map<BoardOp, (problem: ApiProblem) => void>();
  /** What can be taken back, the latest last; and what was, to be done again. */
  private readonly done: Step[] = [];
  private readonly undone: Step[] = [];

  constructor(readonly store: BoardStore) {
    store.onRefused = (refused) => this.onRefused(refused);
  }

  get board(): Board {
    return this.store.board.view.peek() ?? { columns: [] };
  }

  add(title: string, status: Status): void {
    announce(`Added ${title}`);
    void this.store.do({ kind: "add", id: newKey(), title, status, at: new Date().toISOString() });
  }

  /** Its card was dropped, or moved by keys. */
  move(task: Task, place: Place): void {
    const column = this.column(task.status)?.cards ?? [];
    const others = column.filter(({ taskId }) => taskId !== task.taskId);
    const lies = column.findIndex(({ taskId }) => taskId === task.taskId);
    if (place.status === task.status && place.priority === task.priority && slotOf(others, place) === lies) return;
    const step = this.note(task, place);
    const said = this.changeText(task, place);
    void this.put(task, place).then((ok) => ok || this.forget(step));
    if (said !== null) step.close = toastUndo(said, () => this.takeBack(step), "board-moved");
  }

  private note(task: Task, to: Place): Step {
    const step: Step = { taskId: task.taskId, from: placeOf(this.column(task.status)?.cards ?? [], task), to };
    this.done.push(step);
    if (this.done.length > kStepsMax) this.done.shift();
    this.undone.length = 0;
    return step;
  }

  /** It was refused, which has been said: there is nothing to take back. */
  private forget(step: Step): void {
    step.close?.();
    const at = this.done.indexOf(step);
    if (at >= 0) this.done.splice(at, 1);
  }

  /** Takes back the latest move: column, place and priority. False: there is nothing to take back. */
  undo(): boolean {
    const step = this.done.at(-1);
    if (step) this.takeBack(step);
    return step !== undefined;
  }

  redo(): boolean {
    const step = this.undone.pop();
    if (!step) return false;
    this.done.push(step);
    this.putAgain(step.taskId, step.to);
    return true;
  }

  private takeBack(step: Step): void {
    if (!this.done.includes(step)) return;
    this.forget(step);
    this.undone.push(step);
    this.putAgain(step.taskId, step.from);
  }

  private putAgain(taskId: string, place: Place): void {
    const task = this.store.card(taskId);
    const cards = this.column(place.status)?.cards.filter((card) => card.taskId !== taskId) ?? [];
    if (task) void this.put(task, placeAgain(cards, place));
    else toast({ text: "That card is no longer on the board." });
  }

  private put(task: Task, place: Place): Promise<boolean> {
    const column = this.column(place.status);
    const sent = this.store.do({ kind: "move", task, place });
    const now = this.column(place.status);
    const at = (now?.cards.findIndex(({ taskId }) => taskId === task.taskId) ?? 0) + 1;
    announce(
      `${task.title}: ${column?.title ?? place.status}, place ${at} of ${now?.cards.length ?? at}, priority ${priorityNames[place.priority]}`,
    );
    if (now?.isOverLimit && !column?.isOverLimit) {
      toast({ text: `“${now.title}” has more cards than its limit of ${now.limit}.`, key: `board-limit ${now.status}` });
    }
    return sent;
  }

  /** What a move changes besides the order; null: nothing. */
  private changeText(task: Task, place: Place): string | null {
    const to = this.column(place.status)?.title ?? place.status;
    const priority = priorityNames[place.priority]!.toLowerCase();
    if (place.status === task.status) return place.priority === task.priority ? null : `“${task.title}” has ${priority} priority now.`;
    return place.priority === task.priority
      ? `Moved “${task.title}” to “${to}”.`
      : `Moved “${task.title}” to “${to}”, with ${priority} priority.`;
  }

  private column(status: Status): Column | undefined {
    return this.board.columns.find((column) => column.status === status);
  }

  /** To the column on the left (-1) or right (1), among those of its priority. */
  moveAcross(task: Task, by: 1 | -1): void {
    const { columns } = this.board;
    const to = columns[columns.findIndex(({ status }) => status === task.status) + by];
    if (to) this.move(task, { status: to.status, priority: task.priority });
  }

  moveWithin(task: Task, by: 1 | -1): void {
    const column = this.board.columns.find(({ status }) => status === task.status);
    const place = column && placeBeside(column.cards, task.taskId, by);
    if (place) this.move(task, place);
  }

  toggleDone(task: Task): void {
    const done = task.status !== "DONE";
    const step = this.note(task, { status: done ? "DONE" : "TODO", priority: task.priority });
    void this.store.do({ kind: "complete", task, done }).then((ok) => {
      if (!ok) this.forget(step);
      else if (done && this.done.includes(step)) step.close = toastUndo(`Done: “${task.title}”.`, () => this.takeBack(step), "board-moved");
    });
    announce(done ? `${task.title} is done` : `${task.title} is open again`);
  }

  async remove(task: Task): Promise<boolean> {
    const scope = await this.removeScope(task);
    if (scope === null) return false;
    void this.store.do({ kind: "remove", task, scope });
    announce(`Deleted ${task.title}`);
    return true;
  }

  private async removeScope(task: Task): Promise<RemoveScope | null> {
    if (task.masterId === undefined || !isOpen(task)) {
      const text = "It will be deleted permanently. To hide it instead, archive it.";
      return (await confirm({ title: `Delete “${task.title}”?`, text, action: "Delete", danger: true })) ? "this" : null;
    }
    return new Promise((resolve) => {
      this.question.value = {
        title: task.title,
        answer: (scope) => {
          this.question.value = null;
          resolve(scope);
        },
      };
    });
  }

  /** From the dialog. Answers what was wrong; null: it is done, or will be. */
  async save(op: Extract<BoardOp, { kind: "change" | "repeat" }>): Promise<ApiProblem | null> {
    const refusal = new Promise<ApiProblem>((resolve) => this.quiet.set(op, resolve));
    const done = this.store.do(op).then((ok) => (ok ? null : refusal));
    if (live.state.peek() !== "open") {
      this.quiet.delete(op); // it waits for a connection; should it be refused then, everybody is told
      return null;
    }
    return done.finally(() => this.quiet.delete(op));
  }

  private onRefused(refused: Refused): void {
    const { op, problem } = refused;
    const waiting = this.quiet.get(op);
    if (waiting) return waiting(problem);
    if (op.kind !== "add" && op.task.version === 0 && !this.store.card(op.task.taskId)) return; // that it was not added has been said
    const title = op.kind === "add" ? op.title : op.task.title;
    if (problem.status === 412) {
      toast({
        text: `“${title}” was changed elsewhere in the meantime. You now see the latest version.`,
        tone: "danger",
        seconds: 0,
        key: "board-stale",
        action: { label: "Use mine", run: () => void this.store.insist(refused) },
      });
    } else if (problem.status === 404) {
      toast({ text: `“${title}” no longer exists.`, tone: "danger", key: "board-stale" });
    } else {
      toastProblem(
        op.kind === "add" ? `“${title}” was not added.` : `“${title}” was not changed.`,
        problem,
        op.kind === "add" ? () => void this.store.do(op) : undefined,
      );
    }
  }
}
