// The tree on the server, and what was done to it here since. Every change is a commit with the revision it was made for;
// the server merges what others did meanwhile, and only the same field changed on both sides is a conflict.

import { api, type ApiProblem, type Schemas } from "../api";
import { Optimistic, type Failed } from "../state";
import { Lineage } from "./lineage";
import { applyOperations, nodesNamed, type CommitBody, type Operation } from "./operations";
import { readTree, type Tree } from "./tree";

export interface TreeChange {
  kind: "change";
  operations: Operation[];
  message: string;
  /** The revision that was seen when it was made (or when the typing began); undefined: nothing was there. */
  seenRevId: string | undefined;
  /** When it was made, for what is shown until the server answers. */
  at: string;
  resolutions?: Schemas["Resolution"][];
  /** Which revision the resolutions are for. */
  theirsRevId?: string;
}

export type TreeStep =
  | { kind: "undo" | "redo"; ifHeadIs?: string | undefined }
  /** What was done, archived or deleted before a moment leaves the tree. */
  | { kind: "pack"; before: string }
  | { kind: "rollback"; toRevId: string; message: string; seenRevId: string | undefined };

export type TreeOp = TreeChange | TreeStep;

export interface Conflict {
  nodeId: string;
  field: string;
  base: unknown;
  theirs: unknown;
  mine: unknown;
}

export class ValuesStore extends Optimistic<Tree, TreeOp> {
  private readonly lineage = new Lineage();
  private readonly bases = new WeakMap<TreeOp, string>();
  private readonly answers_ = new WeakMap<TreeOp, Schemas["CommitAnswer"]>();

  constructor(onRefused: (failed: Failed<TreeOp>) => void) {
    super({
      load: () => this.load(),
      send: (op, { idempotencyKey }) => this.send(op, idempotencyKey),
      apply: (tree, op) => (op.kind === "change" ? applyOperations(tree, op.operations, op.at) : tree),
      onRefused,
      dependsOn: (later, failed) => dependsOn(later, failed),
    });
  }

  /** What the server said to an operation that was done. */
  answerTo(op: TreeOp): Schemas["CommitAnswer"] | undefined {
    return this.answers_.get(op);
  }

  private async load(): Promise<Tree> {
    const known = this.server.peek();
    if (known?.revId !== undefined && !this.pending.peek().some(({ state }) => state === "sent")) {
      // Most news is of our own changes, which are here already.
      const head = await api.get("/api/values/head");
      if (head.headRevId === known.revId) return known;
    }
    return readTree(await api.get("/api/values", { query: { includeArchived: true } }), known);
  }

  private async send(op: TreeOp, idempotencyKey: string): Promise<void> {
    const answer = op.kind === "change" ? await this.sendChange(op, idempotencyKey) : await sendStep(op, idempotencyKey);
    this.answers_.set(op, answer);
    if (op.kind !== "change" && answer.commit.parentRevId !== undefined && answer.changed) {
      this.lineage.note(answer.commit.parentRevId, answer.commit.revId, false, new Set());
    }
  }

  private async sendChange(op: TreeChange, idempotencyKey: string): Promise<Schemas["CommitAnswer"]> {
    const named = nodesNamed(op.operations);
    // Sent again, it must be the same request; resolutions are for the base of the conflict.
    const base = this.bases.get(op) ?? (op.seenRevId === undefined ? undefined : this.lineage.baseFor(op.seenRevId, named));
    if (base !== undefined) this.bases.set(op, base);
    const body: CommitBody = {
      operations: op.operations,
      message: op.message,
      onConflict: "merge",
    };
    if (base !== undefined) body.baseRevId = base;
    if (op.resolutions !== undefined) body.resolutions = op.resolutions;
    if (op.theirsRevId !== undefined) body.theirsRevId = op.theirsRevId;
    const answer = await api.post("/api/values/commits", { body, idempotencyKey });
    if (answer.changed) this.noteCommit(base, answer, named);
    return answer;
  }

  private noteCommit(base: string | undefined, { commit, merged }: Schemas["CommitAnswer"], named: ReadonlySet<string>): void {
    if (base !== undefined) this.lineage.note(base, commit.revId, merged, named);
    // From its parent on it is ours alone: the page may show the parent next, and build on it.
    const { parentRevId } = commit;
    if (parentRevId !== undefined && parentRevId !== base) this.lineage.note(parentRevId, commit.revId, false, named);
  }

  /** The refused change once more, with what was chosen for each conflict. */
  resolve(failed: Failed<TreeOp>, resolutions: Schemas["Resolution"][]): Promise<boolean> {
    const { op } = failed;
    if (op.kind !== "change") return Promise.resolve(false);
    const again: TreeChange = { ...op, resolutions, theirsRevId: headOf(failed.problem) ?? "" };
    const base = this.bases.get(op);
    if (base !== undefined) this.bases.set(again, base);
    this.giveUp(failed.id);
    return this.do(again);
  }
}

async function sendStep(op: TreeStep, idempotencyKey: string): Promise<Schemas["CommitAnswer"]> {
  if (op.kind === "pack") {
    const packed = await api.post("/api/values/pack", { body: { before: op.before }, idempotencyKey });
    return packed.values;
  }
  if (op.kind !== "rollback") {
    const match = op.ifHeadIs === undefined ? {} : { ifMatch: `"${op.ifHeadIs}"` };
    return api.post(op.kind === "undo" ? "/api/values/undo" : "/api/values/redo", { idempotencyKey, ...match });
  }
  const { toRevId, message, seenRevId } = op;
  const body = { toRevId, message, ...(seenRevId === undefined ? {} : { baseRevId: seenRevId }) };
  return api.post("/api/values/rollback", { body, idempotencyKey });
}

/** A change that names a node which was never made. */
export function dependsOn(later: TreeOp, failed: TreeOp): boolean {
  if (later.kind !== "change" || failed.kind !== "change") return false;
  const named = nodesNamed(later.operations);
  return failed.operations.some((operation) => operation.op === "add" && named.has(operation.nodeId ?? ""));
}

/** The conflicts of a refused change; none: it was refused for another reason. */
export function conflictsOf(problem: ApiProblem): Conflict[] {
  const { conflicts } = problem.body;
  return Array.isArray(conflicts) ? (conflicts as Conflict[]) : [];
}

function headOf(problem: ApiProblem): string | undefined {
  return typeof problem.body.headRevId === "string" ? problem.body.headRevId : undefined;
}
