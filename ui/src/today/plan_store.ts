// A day as the page sees it: the plan, what was done to it, undo and redo. One store per user and day for as long as the tab is
// open, so that going back to a day shows it at once, and what waits for a connection is sent from anywhere.

import { signal } from "@preact/signals";
import { api, type ApiProblem } from "../api";
import { Optimistic, type Failed, type SendContext } from "../state";
import { applyPlanOp } from "./apply_plan";
import { invertPlanOp } from "./invert_plan";
import type { Plan, PlanOp, PlanOperation } from "./plan_types";

export interface Refused {
  op: PlanOp;
  problem: ApiProblem;
}

interface Sent {
  op: PlanOp;
  /** What the server had shown when this was made. */
  seenRevId: string | undefined;
  /** This tab's change before it that was not in that yet: the user saw its effect, too. */
  after: Sent | undefined;
  /** What it was sent on; the same if it has to be sent again. */
  base?: { revId: string | undefined };
  /** Where it led. */
  revId?: string | undefined;
}

interface Undoable {
  op: PlanOp;
  /** Told when it was taken back: a message that offers it goes away. */
  onTaken?: () => void;
}

export class PlanStore {
  readonly plan: Optimistic<Plan, Sent>;
  /** The latest that was refused, for showing it in its place; the page takes it away. */
  readonly refused = signal<Refused | null>(null);
  private readonly undos: Undoable[] = [];
  private readonly redos: Undoable[] = [];

  constructor(readonly day: string) {
    this.plan = new Optimistic<Plan, Sent>({
      load: () => api.get("/api/plans/{day}", { path: { day } }),
      apply: (plan, { op }) => applyPlanOp(plan, op),
      send: (sent, context) => this.send(sent, context),
      onRefused: (failed) => this.onRefused(failed),
      dependsOn: (later, failed) => dependsOn(later.op, failed.op),
    });
  }

  /** Done at once; can be undone. Resolves when the server has answered: true if it was done. */
  async do(op: PlanOp): Promise<boolean> {
    this.redos.length = 0;
    return this.perform(op, this.undos);
  }

  async commit(operations: PlanOperation[], message?: string, titles?: Record<string, string>): Promise<boolean> {
    return this.do({ kind: "commit", operations, message, titles });
  }

  /** Takes back the latest change made in this tab. False: there is none. */
  undo(): boolean {
    const latest = this.undos.at(-1);
    if (latest) this.takeBack(latest);
    return latest !== undefined;
  }

  /** Shows an offer to take back the change just made, and that one only. `show` answers how to close the offer. */
  offerUndo(show: (undo: () => void) => () => void): void {
    const latest = this.undos.at(-1);
    if (latest) latest.onTaken = show(() => this.takeBack(latest));
  }

  private takeBack(entry: Undoable): void {
    const at = this.undos.indexOf(entry);
    if (at < 0) return;
    this.undos.splice(at, 1);
    entry.onTaken?.();
    void this.perform(entry.op, this.redos);
  }

  redo(): boolean {
    const latest = this.redos.pop();
    if (!latest) return false;
    void this.perform(latest.op, this.undos);
    return true;
  }

  /** The same once more, on what is there now: for the user's side of a conflict, once the user has said so. */
  async insist({ op }: Refused): Promise<boolean> {
    await this.plan.refresh();
    return this.do(op);
  }

  private async perform(op: PlanOp, back: Undoable[]): Promise<boolean> {
    const before = this.plan.view.peek();
    const inverse = before ? invertPlanOp(before, op) : null;
    const entry: Undoable | null = inverse && { op: inverse };
    if (entry) back.push(entry);
    this.refused.value = null;
    const done = await this.plan.do({
      op,
      seenRevId: this.plan.server.peek()?.revId,
      after: this.plan.pending.peek().at(-1)?.op,
    });
    const at = entry && !done ? back.indexOf(entry) : -1;
    if (at >= 0) {
      back.splice(at, 1);
      entry?.onTaken?.();
    }
    return done;
  }

  private onRefused(failed: Failed<Sent>): void {
    this.plan.giveUp(failed.id);
    // A later one that went down with it says nothing new.
    if (this.refused.peek()?.problem !== failed.problem) this.refused.value = { op: failed.op.op, problem: failed.problem };
  }

  private async send(sent: Sent, context: SendContext): Promise<void> {
    sent.base ??= { revId: baseOf(sent) };
    sent.after = undefined; // it has told what it had to; the changes of a day must not hang on each other for ever
    sent.revId = (await this.request(sent.op, sent.base.revId, context)) ?? sent.base.revId;
  }

  /** Answers the revision of the plan that the change led to. */
  private async request(op: PlanOp, base: string | undefined, { idempotencyKey }: SendContext): Promise<string | undefined> {
    const path = { day: this.day };
    switch (op.kind) {
      case "commit":
        return this.requestOperations(op.operations, base, idempotencyKey, op.message);
      case "create": {
        const { nodeId, title, parentId, classification } = op;
        const body = { nodeId, title, parentId, nodeType: "ACTION" as const };
        await api.post("/api/values/nodes", { body, idempotencyKey });
        return this.requestOperations([{ op: "addTodo", actionId: nodeId, classification }], base, `${idempotencyKey}-todo`);
      }
      case "complete": {
        const action = { path: { ...path, actionId: op.actionId }, idempotencyKey };
        const answer = await api.post("/api/plans/{day}/todos/{actionId}/complete", { ...action, body: { completedAt: op.at } });
        return answer.plan?.commit?.revId;
      }
      case "uncomplete": {
        const action = { path: { ...path, actionId: op.actionId }, idempotencyKey };
        return (await api.post("/api/plans/{day}/todos/{actionId}/uncomplete", action)).plan?.commit?.revId;
      }
      case "rollover":
        return (await api.post("/api/plans/{day}/rollover", { path, body: { fromDay: op.fromDay }, idempotencyKey })).commit?.revId;
      case "restore":
        return (await api.post("/api/plans/{day}/rollback", { path, body: { toRevId: op.toRevId }, idempotencyKey })).commit?.revId;
    }
  }

  private async requestOperations(
    operations: PlanOperation[],
    baseRevId: string | undefined,
    idempotencyKey: string,
    message?: string,
  ): Promise<string | undefined> {
    const answer = await api.post("/api/plans/{day}/commits", {
      path: { day: this.day },
      body: {
        operations,
        ...(baseRevId === undefined ? {} : { baseRevId, onConflict: "merge" }),
        ...(message === undefined ? {} : { message }),
      },
      idempotencyKey,
    });
    return answer.commit?.revId;
  }
}

/** What the user saw when making a change: where the change before it led or, if that was refused, what that was made for. */
function baseOf({ after, seenRevId }: Sent): string | undefined {
  if (!after) return seenRevId;
  if (after.revId !== undefined) return after.revId;
  return after.base ? after.base.revId : baseOf(after);
}

/** A todo that was not added cannot be changed, nor have pomodoros. */
function dependsOn(later: PlanOp, failed: PlanOp): boolean {
  const added = new Set(addedBy(failed));
  return namedBy(later).some((id) => added.has(id));
}

function addedBy(op: PlanOp): string[] {
  if (op.kind === "create") return [op.nodeId];
  if (op.kind !== "commit") return [];
  return op.operations.flatMap((operation) => {
    if (operation.op === "addTodo") return [operation.actionId];
    return operation.op === "addBlock" && operation.blockId !== undefined ? [operation.blockId] : [];
  });
}

function namedBy(op: PlanOp): string[] {
  if (op.kind === "complete" || op.kind === "uncomplete") return [op.actionId];
  if (op.kind !== "commit") return [];
  return op.operations.flatMap((operation) => {
    if (operation.op === "editBlock" || operation.op === "removeBlock") return [operation.blockId];
    if (operation.op === "reorderTodos") return [];
    return operation.actionId ? [operation.actionId] : [];
  });
}

const stores = new Map<string, PlanStore>();

export function planStore(userId: string, day: string): PlanStore {
  const key = `${userId}:${day}`;
  let store = stores.get(key);
  if (!store) {
    store = new PlanStore(day);
    stores.set(key, store);
  }
  return store;
}
