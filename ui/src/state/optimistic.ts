// What the server has, and what the user has done since: the view is the one applied to the other. Operations are sent one
// after another in the order they were made. One that is refused leaves the view, visibly, and is kept with what was typed
// in it until it is tried again or given up. Without a connection operations wait; they are not refused.

import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import { newKey } from "../api/new_key";
import { problemOf, type ApiProblem } from "../api/problem";

export interface SendContext {
  /** The same whenever this operation is sent: the server does it once. */
  idempotencyKey: string;
}

export interface Pending<Op> {
  id: string;
  op: Op;
  /** queued, being sent, sent but not yet in what the server showed, waiting for a connection. */
  state: "queued" | "sending" | "sent" | "waiting";
}

export interface Failed<Op> {
  id: string;
  op: Op;
  problem: ApiProblem;
}

export interface OptimisticParts<S, Op> {
  /** Reads what the server has now. */
  load: () => Promise<S>;
  /** Sends one operation. Answer the new state if the server tells it; otherwise it is loaded. Throws ApiProblem. */
  send: (op: Op, context: SendContext) => Promise<S | void>;
  /**
   * The state with the operation done. Pure. The state may contain the operation already, or have become one it does not
   * fit: then it is returned as it is.
   */
  apply: (state: S, op: Op) => S;
  /**
   * Whether the server gives what the operation makes an id of its own. While it is on its way, a state that has it cannot
   * be told from one that has not, and would show it twice: such states are not taken.
   */
  isNew?: (op: Op) => boolean;
  /** Told of every refused operation, for a toast or a dialog. It is in `failed` as well. */
  onRefused?: (failed: Failed<Op>) => void;
  /** Whether `later` makes no sense without `failed`: then it is refused along with it. */
  dependsOn?: (later: Op, failed: Op) => boolean;
  /** For tests, as is the next one. */
  wait?: (milliseconds: number) => Promise<void>;
  newKey?: () => string;
}

/** Operations of all stores on this page that the server has not confirmed: closing the tab would lose them. */
export const unsavedCount = signal(0);

const kPauseMs = 1000;
const kPauseMaxMs = 20_000;

export class Optimistic<S, Op> {
  private readonly server_ = signal<S | undefined>(undefined);
  private readonly pending_ = signal<Pending<Op>[]>([]);
  private readonly failed_ = signal<Failed<Op>[]>([]);
  private readonly problem_ = signal<ApiProblem | undefined>(undefined);
  private readonly view_: ReadonlySignal<S | undefined>;
  private readonly answers = new Map<string, (done: boolean) => void>();
  private loading: Promise<void> | undefined;
  private loadAgain = false;
  private adoptions = 0;
  private newSends = 0;
  private sending = false;
  private wake: (() => void) | undefined;

  constructor(private readonly parts: OptimisticParts<S, Op>) {
    this.view_ = computed(() => {
      const server = this.server_.value;
      if (server === undefined) return undefined;
      return this.pending_.value.reduce<S>((state, { op }) => parts.apply(state, op), server);
    });
  }

  /** What to show; undefined until the first load is done. */
  get view(): ReadonlySignal<S | undefined> {
    return this.view_;
  }

  /** What the server has shown last. */
  get server(): ReadonlySignal<S | undefined> {
    return this.server_;
  }

  get pending(): ReadonlySignal<Pending<Op>[]> {
    return this.pending_;
  }

  get failed(): ReadonlySignal<Failed<Op>[]> {
    return this.failed_;
  }

  /** Why the latest load did not work; undefined when it did. */
  get problem(): ReadonlySignal<ApiProblem | undefined> {
    return this.problem_;
  }

  /** Shows the operation at once and sends it in its turn. Resolves when the server has answered: true if it was done. */
  async do(op: Op): Promise<boolean> {
    return this.enqueue({ id: (this.parts.newKey ?? newKey)(), op, state: "queued" });
  }

  /** Once more, after all that is pending by now. */
  async retry(id: string): Promise<boolean> {
    const failed = this.failed_.value.find((entry) => entry.id === id);
    if (!failed) return false;
    this.giveUp(id);
    return this.do(failed.op);
  }

  giveUp(id: string): void {
    this.failed_.value = this.failed_.value.filter((entry) => entry.id !== id);
  }

  /** Shows a state the server has just told. Operations that were sent before are taken to be in it. */
  adopt(state: S): void {
    ++this.adoptions;
    batch(() => {
      this.server_.value = state;
      this.problem_.value = undefined;
      this.setPending(this.pending_.value.filter((entry) => entry.state !== "sent"));
    });
  }

  /** Loads anew. Calls during a load lead to one more load together. Throws what `load` throws. */
  async refresh(): Promise<void> {
    if (this.loading) {
      this.loadAgain = true;
      return this.loading;
    }
    this.loading = this.loadUntilFresh();
    try {
      await this.loading;
    } finally {
      this.loading = undefined;
    }
  }

  /** Resolves once all that was done is in what the server has shown. */
  async settled(): Promise<void> {
    if (this.pending_.peek().length === 0) return;
    await new Promise<void>((resolve) => {
      const stop = this.pending_.subscribe((pending) => {
        if (pending.length > 0) return;
        resolve();
        queueMicrotask(() => stop());
      });
    });
  }

  /** The connection is back: whoever waits for it tries at once. */
  resume(): void {
    this.wake?.();
  }

  private async loadUntilFresh(): Promise<void> {
    do {
      this.loadAgain = false;
      const adoptionsBefore = this.adoptions;
      const newBefore = this.newSends;
      const hadNew = this.sendsNew();
      const sentBefore = new Set(this.pending_.value.filter(({ state }) => state === "sent").map(({ id }) => id));
      try {
        const state = await this.parts.load();
        if (this.adoptions !== adoptionsBefore) {
          this.loadAgain = true; // this may be older than what was told meanwhile
          continue;
        }
        if (hadNew || this.newSends !== newBefore) {
          if (this.sendsNew()) return; // when it is sent, it is loaded
          this.loadAgain = true;
          continue;
        }
        batch(() => {
          this.server_.value = state;
          this.problem_.value = undefined;
          this.setPending(this.pending_.value.filter(({ id }) => !sentBefore.has(id)));
        });
      } catch (thrown) {
        this.problem_.value = problemOf(thrown);
        throw thrown;
      }
    } while (this.loadAgain);
  }

  private sendsNew(): boolean {
    return this.pending_.value.some(({ op, state }) => state === "sending" && this.parts.isNew?.(op));
  }

  private enqueue(entry: Pending<Op>): Promise<boolean> {
    const answer = new Promise<boolean>((resolve) => this.answers.set(entry.id, resolve));
    this.setPending([...this.pending_.value, entry]);
    if (!this.sending) void this.drain();
    return answer;
  }

  private async drain(): Promise<void> {
    this.sending = true;
    try {
      for (let next = this.nextQueued(); next; next = this.nextQueued()) await this.sendOne(next);
    } finally {
      this.sending = false;
    }
    if (this.pending_.value.some(({ state }) => state === "sent")) await this.refresh().catch(() => undefined);
  }

  private nextQueued(): Pending<Op> | undefined {
    return this.pending_.value.find(({ state }) => state === "queued");
  }

  private async sendOne({ id, op }: Pending<Op>): Promise<void> {
    for (let attempt = 0; ; ++attempt) {
      this.setState(id, "sending");
      if (this.parts.isNew?.(op)) ++this.newSends;
      try {
        const state = await this.parts.send(op, { idempotencyKey: id });
        this.setState(id, "sent");
        if (state !== undefined) this.adopt(state as S);
        this.answer(id, true);
        return;
      } catch (thrown) {
        const problem = problemOf(thrown);
        if (!problem.passing && problem.status !== 401) return this.refuse(id, problem);
        this.setState(id, "waiting");
        await this.untilWorthTrying(attempt);
      }
    }
  }

  private async untilWorthTrying(attempt: number): Promise<void> {
    const wait = this.parts.wait ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
    const woken = new Promise<void>((resolve) => (this.wake = resolve));
    await Promise.race([wait(Math.min(kPauseMs * 2 ** attempt, kPauseMaxMs)), woken]);
    this.wake = undefined;
  }

  private refuse(id: string, problem: ApiProblem): void {
    const entries = this.pending_.value;
    const at = entries.findIndex((entry) => entry.id === id);
    const refused = [entries[at]!];
    for (const later of entries.slice(at + 1)) {
      if (refused.some(({ op }) => this.parts.dependsOn?.(later.op, op))) refused.push(later);
    }
    const failed = refused.map((entry) => ({ id: entry.id, op: entry.op, problem }));
    batch(() => {
      this.setPending(entries.filter((entry) => !refused.includes(entry)));
      this.failed_.value = [...this.failed_.value, ...failed];
    });
    for (const entry of failed) {
      this.parts.onRefused?.(entry);
      this.answer(entry.id, false);
    }
  }

  private answer(id: string, done: boolean): void {
    this.answers.get(id)?.(done);
    this.answers.delete(id);
  }

  private setState(id: string, state: Pending<Op>["state"]): void {
    this.setPending(this.pending_.value.map((entry) => (entry.id === id ? { ...entry, state } : entry)));
  }

  private setPending(pending: Pending<Op>[]): void {
    const unsaved = (entries: Pending<Op>[]) => entries.filter(({ state }) => state !== "sent").length;
    batch(() => {
      unsavedCount.value += unsaved(pending) - unsaved(this.pending_.value);
      this.pending_.value = pending;
    });
  }
}
