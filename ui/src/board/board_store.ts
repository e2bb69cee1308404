// The board as the server has it, and what was done since.

import { api, ApiProblem } from "../api";
import { MadeIds, Optimistic, tagOf, Versions, type Failed, type SendContext } from "../state";
import { applyBoardOp, cardIn } from "./apply_board";
import { isOpen, type Board, type BoardOp, type Column, type Place, type Status, type Task } from "./board_types";

/** With the version it was sent on: the same if it has to be sent again. */
type Sent = BoardOp & { base?: number };

export interface Refused {
  op: BoardOp;
  problem: ApiProblem;
}

export class BoardStore {
  readonly board: Optimistic<Board, Sent>;
  /** Told of what was refused; set by the page that is shown. */
  onRefused: (refused: Refused) => void = () => undefined;
  private readonly versions = new Versions();
  private readonly ids = new MadeIds();
  /** Pages of a column that somebody wants to see; one unless said. */
  private readonly pages = new Map<Status, number>();

  constructor() {
    this.board = new Optimistic<Board, Sent>({
      load: () => this.load(),
      apply: applyBoardOp,
      send: (op, context) => this.send(op, context),
      isNew: (op) => op.kind === "add",
      onRefused: (failed) => this.refuse(failed),
      dependsOn,
    });
  }

  async do(op: BoardOp): Promise<boolean> {
    return this.board.do(op);
  }

  /** A card by its id, be it the page's or the server's. */
  card(taskId: string): Task | undefined {
    const board = this.board.view.value;
    return board && cardIn(board, this.ids.shown(taskId));
  }

  /** How the task goes on repeating; "": it does not, or its series has come to its end. */
  async rule(task: Task): Promise<string> {
    const asked = this.board.pending.peek().findLast(({ op }) => op.kind === "repeat" && op.task.taskId === task.taskId)?.op;
    if (asked?.kind === "repeat") return asked.rrule ?? "";
    if (task.masterId === undefined || !isOpen(task)) return "";
    try {
      return (await api.get("/api/nexus/masters/{masterId}", { path: { masterId: task.masterId } })).rrule ?? "";
    } catch (thrown) {
      if (thrown instanceof ApiProblem && thrown.status === 404) return "";
      throw thrown;
    }
  }

  /** The same once more on what is there now, once the user has said so. */
  async insist({ op }: Refused): Promise<boolean> {
    await this.board.refresh();
    const server = this.board.server.peek();
    if (op.kind === "add" || !server) return this.do(op);
    const now = cardIn(server, op.task.taskId);
    return now === undefined ? false : this.do(again(op, now));
  }

  async showMore(status: Status): Promise<void> {
    this.pages.set(status, (this.pages.get(status) ?? 1) + 1);
    await this.board.refresh();
  }

  private async load(): Promise<Board> {
    const board = await api.get("/api/nexus/board");
    const columns = await Promise.all(board.columns.map((column) => this.withPages(column)));
    return {
      columns: columns.map((column) => ({
        ...column,
        cards: column.cards.map((card) => ({ ...card, taskId: this.ids.shown(card.taskId) })),
      })),
    };
  }

  private async withPages(column: Column): Promise<Column> {
    let whole = column;
    for (let page = 1; page < (this.pages.get(column.status) ?? 1) && whole.nextCursor !== undefined; ++page) {
      const query = { column: column.status, cursor: whole.nextCursor };
      const next = (await api.get("/api/nexus/board", { query })).columns[0];
      if (!next) break;
      whole = { ...next, cards: [...whole.cards, ...next.cards], count: whole.count + next.cards.length };
    }
    return whole;
  }

  private refuse(failed: Failed<Sent>): void {
    this.board.giveUp(failed.id);
    this.onRefused({ op: failed.op, problem: failed.problem });
    void this.board.refresh().catch(() => undefined);
  }

  private async send(op: Sent, { idempotencyKey }: SendContext): Promise<void> {
    if (op.kind === "add") {
      return this.noteMade(op.id, await api.post("/api/nexus/tasks", { body: { title: op.title, status: op.status }, idempotencyKey }));
    }
    const taskId = this.ids.sent(op.task.taskId);
    op.base ??= this.versions.newest({ id: taskId, version: op.task.version });
    const sending = { path: { taskId }, ifMatch: tagOf(op.base), idempotencyKey };
    const changed = await request(op.kind === "move" ? { ...op, place: this.sentPlace(op.place) } : op, sending);
    if (changed) this.versions.note({ id: taskId, version: op.base }, changed.version);
  }

  private noteMade(id: string, { taskId, version }: Task): void {
    this.ids.note(id, taskId);
    this.versions.note({ id: taskId, version: 0 }, version);
  }

  private sentPlace({ afterId, beforeId, ...place }: Place): Place {
    return {
      ...place,
      ...(afterId === undefined ? {} : { afterId: this.ids.sent(afterId) }),
      ...(beforeId === undefined ? {} : { beforeId: this.ids.sent(beforeId) }),
    };
  }
}

/** A change of a card on one that was refused, above all on its making; a place beside a card that was not made. */
function dependsOn(later: BoardOp, failed: BoardOp): boolean {
  if (later.kind === "add") return false;
  if (failed.kind !== "add") return later.task.taskId === failed.task.taskId;
  return later.task.taskId === failed.id || (later.kind === "move" && [later.place.afterId, later.place.beforeId].includes(failed.id));
}

interface Sending {
  path: { taskId: string };
  ifMatch: string;
  idempotencyKey: string;
}

async function request(op: Exclude<BoardOp, { kind: "add" }>, sending: Sending): Promise<Task | undefined> {
  switch (op.kind) {
    case "repeat":
      return api.patch("/api/nexus/tasks/{taskId}", { ...sending, body: { ...op.change, rrule: op.rrule } });
    case "change":
      return api.patch("/api/nexus/tasks/{taskId}", { ...sending, body: op.change });
    case "move":
      return api.post("/api/nexus/tasks/{taskId}/move", { ...sending, body: op.place });
    case "complete":
      return api.post(op.done ? "/api/nexus/tasks/{taskId}/complete" : "/api/nexus/tasks/{taskId}/reopen", sending);
    case "remove":
      await api.delete("/api/nexus/tasks/{taskId}", { ...sending, query: { scope: op.scope } });
      return undefined;
  }
}

/** The same on another version. */
function again<Op extends Exclude<BoardOp, { kind: "add" }>>(op: Op & { base?: number }, task: Task): Op {
  const next = { ...op, task };
  delete next.base;
  return next;
}

const stores = new Map<string, BoardStore>();

/** One for as long as the tab is open: what waits for a connection is sent from any page. */
export function boardStore(userId: string): BoardStore {
  let store = stores.get(userId);
  if (!store) stores.set(userId, (store = new BoardStore()));
  return store;
}
