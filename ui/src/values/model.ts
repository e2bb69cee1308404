// The values page's own state and everything that can be done on it. Lives as long as the user is signed in, so that
// coming back to the page shows it as it was.

import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { api, problemOf } from "../api";
import { announce } from "../parts";
import { navigate, toast, toastProblem, toastUndo } from "../shell";
import type { Failed } from "../state";
import { readChanges, summaryOf } from "./changes";
import { commitMessage } from "./commit_message";
import { childPlace, driverPlace, indented, outdented, placeOf, siblingPlace, type Draft, type NewDraft } from "./draft";
import { newId } from "./new_id";
import { NoteDrafts } from "./note_drafts";
import type { Operation, OperationOf } from "./operations";
import { Outline } from "./outline";
import { keyTarget, type Direction, type Target } from "./places";
import { commitOf } from "./revisions";
import type { Row } from "./rows";
import { conflictsOf, ValuesStore, type TreeChange, type TreeOp, type TreeStep } from "./store";
import { emptyTree, knownProgress, parentsOf, titleOf, type Tree } from "./tree";

const kPackAfterDays = 14;

export class ValuesModel {
  readonly store = new ValuesStore((failed) => this.onRefused(failed));
  readonly outline: Outline;
  readonly draft = signal<Draft | null>(null);
  /** Counts wishes that the tree take the focus. */
  readonly focusTree = signal(0);
  /** On small screens the details of the current line lie over the tree when they are asked for. */
  readonly detailsOpen = signal(false);
  /** A refused change whose conflicts are being looked at. */
  readonly resolving = signal<Failed<TreeOp> | null>(null);
  readonly tree: ReadonlySignal<Tree>;
  readonly notes: NoteDrafts;
  private closeToast: (() => void) | undefined;

  constructor(readonly userId: string) {
    this.tree = computed(() => this.store.view.value ?? emptyTree);
    this.notes = new NoteDrafts(`cairn.values.notes.${userId}`);
    this.outline = new Outline(this.store.view, `cairn.values.${userId}`);
  }

  get seenRevId(): string | undefined {
    return this.store.server.peek()?.revId;
  }

  // ---- changes

  /** Shows a change at once and sends it. true: the server has it. */
  async change(operations: Operation[], seenRevId = this.seenRevId): Promise<TreeChange | undefined> {
    const op: TreeChange = {
      kind: "change",
      operations,
      message: commitMessage(this.tree.peek(), operations),
      seenRevId,
      at: new Date().toISOString(),
    };
    return (await this.store.do(op)) ? op : undefined;
  }

  rename(nodeId: string, title: string, seenRevId?: string): void {
    void this.change([{ op: "edit", nodeId, title }], seenRevId);
  }

  writeNotes(nodeId: string, notes: string, seenRevId?: string): void {
    void this.change([{ op: "edit", nodeId, notes: notes === "" ? null : notes }], seenRevId);
  }

  toggleComplete(nodeId: string): void {
    const node = this.tree.peek().nodes.get(nodeId);
    if (!node || node.archived) return;
    if (node.nodeType === "DRIVER") return void say("A driver is never completed; complete its milestones and actions.");
    if (node.completedAt !== undefined) {
      void this.change([{ op: "uncomplete", nodeId }]);
      return announce(`${node.title} is open again`);
    }
    void this.complete(nodeId);
  }

  private async complete(nodeId: string): Promise<void> {
    const tree = this.tree.peek();
    const title = titleOf(tree, nodeId);
    const done = await this.withUndo(
      `Completed “${title}”.`,
      [{ op: "complete", nodeId, completedAt: new Date().toISOString() }],
      [{ op: "uncomplete", nodeId }],
    );
    if (!done) return;
    const now = this.tree.peek();
    for (const id of parentsOf(now, nodeId)) {
      const parent = now.nodes.get(id);
      const { completed, total } = knownProgress(now, id);
      if (parent?.nodeType !== "MILESTONE" || parent.completedAt !== undefined || completed < total) continue;
      toast({
        key: "values.offer",
        text: `All actions of “${parent.title}” are done.`,
        action: { label: "Complete it", run: () => void this.complete(id) },
      });
    }
  }

  putAway(nodeId: string, how: "archive" | "delete"): void {
    const tree = this.tree.peek();
    const node = tree.nodes.get(nodeId);
    if (!node || node.deletedAt !== undefined || (node.archived && how === "archive")) return;
    const word = how === "archive" ? "Archived" : "Deleted";
    this.detailsOpen.value = false;
    void this.withUndo(`${word} “${node.title}”.`, [{ op: how, nodeId }], [{ op: "restore", nodeId }]);
  }

  restore(nodeId: string): void {
    void this.change([{ op: "restore", nodeId }]);
    announce(`Restored ${titleOf(this.tree.peek(), nodeId)}`);
  }

  move(nodeId: string, target: Target, fromParentId?: string | null): void {
    const operation: OperationOf<"move"> = { op: "move", nodeId, ...target };
    if (fromParentId) operation.fromParentId = fromParentId;
    void this.change([operation]);
    this.outline.setOpen(target.parentId, true);
    const tree = this.tree.peek();
    announce(`Moved ${titleOf(tree, nodeId)} under ${titleOf(tree, target.parentId)}`);
  }

  moveByKey(row: Row, direction: Direction): void {
    const target = keyTarget(this.tree.peek(), this.outline.rows.peek(), row, direction);
    if (typeof target === "string") say(target);
    else this.move(row.node.nodeId, target, row.parentId);
  }

  link(childId: string, parentId: string): void {
    void this.change([{ op: "link", childId, parentId }]);
  }

  unlink(childId: string, parentId: string): void {
    const tree = this.tree.peek();
    const text = `Unlinked “${titleOf(tree, childId)}” from “${titleOf(tree, parentId)}”.`;
    void this.withUndo(text, [{ op: "unlink", childId, parentId }], [{ op: "link", childId, parentId }]);
  }

  /** A change with a message that can take it back: by undoing it, or once something else came after, by its opposite. */
  private async withUndo(text: string, operations: Operation[], opposite: Operation[]): Promise<boolean> {
    const sent = this.change(operations);
    const takeBack = async () => {
      const done = await sent;
      const revId = done && this.store.answerTo(done)?.commit.revId;
      if (revId !== undefined && revId === this.seenRevId) void this.step({ kind: "undo", ifHeadIs: revId });
      else if (done) void this.change(opposite);
    };
    this.closeToast = toastUndo(text, () => void takeBack(), "values.undo");
    const close = this.closeToast;
    const done = await sent;
    if (!done) close();
    return done !== undefined;
  }

  // ---- steps through the history

  undo(): void {
    this.closeToast?.();
    void this.step({ kind: "undo" });
  }

  redo(): void {
    this.closeToast?.();
    void this.step({ kind: "redo" });
  }

  /** What was done, archived or deleted long enough ago leaves the tree. It stays in the history. */
  pack(): void {
    this.closeToast?.();
    void this.step({ kind: "pack", before: new Date(Date.now() - kPackAfterDays * 86_400_000).toISOString() });
  }

  async rollback(toRevId: string, when: string): Promise<boolean> {
    return this.step({ kind: "rollback", toRevId, message: `Back to ${when}`, seenRevId: this.seenRevId });
  }

  private async step(op: TreeStep): Promise<boolean> {
    if (!(await this.store.do(op))) return false;
    const answer = this.store.answerTo(op);
    if (!answer) return true;
    if (op.kind === "pack" && !answer.changed) {
      toast({ text: `Nothing was done, archived or deleted more than ${kPackAfterDays} days ago.`, key: "values.undo" });
      return true;
    }
    const words = { undo: "Undone", redo: "Redone", rollback: "Rolled back", pack: "Packed away" };
    const word = words[op.kind];
    const { diff } = await commitOf(answer.commit.revId).catch(() => ({ diff: undefined }));
    const tree = this.tree.peek();
    const groups = diff ? readChanges(diff, tree, tree) : [];
    const what = groups.length > 0 ? `: ${summaryOf(groups)}` : "";
    const back = op.kind === "undo" ? { label: "Redo", run: () => this.redo() } : { label: "Undo", run: () => this.undo() };
    this.closeToast = toast({ text: `${word}${what}.`, tone: "success", key: "values.undo", action: back });
    const first = groups[0]?.nodes[0]?.node;
    if (first && groups.length === 1 && tree.nodes.has(first.nodeId) && !tree.nodes.get(first.nodeId)!.archived) {
      this.outline.reveal(first.nodeId);
    }
    return true;
  }

  // ---- typing titles

  startRename(row: Row, typed?: string): void {
    const { nodeId, title, deletedAt } = row.node;
    if (deletedAt !== undefined) return void say("This is deleted. Restore it first.");
    const draft: Draft = { kind: "rename", key: row.key, nodeId, before: title, text: typed ?? title, seenRevId: this.seenRevId };
    this.outline.choose(row.key);
    this.draft.value = draft;
  }

  startSibling(row: Row): void {
    if (row.node.archived) return void say("This is archived. Restore it first.");
    this.startNew(siblingPlace(row), row.key);
  }

  startChild(row: Row): void {
    if (row.node.archived) return void say("This is archived. Restore it first.");
    if (row.hasChildren) this.outline.setOpen(row.node.nodeId, true);
    const rows = this.outline.rows.peek();
    const fresh = rows.find((other) => other.key === row.key) ?? row;
    this.startNew(childPlace(rows, fresh), row.key);
  }

  startDriver(): void {
    this.outline.search.value = "";
    this.startNew(driverPlace, this.outline.current.peek()?.key ?? null);
  }

  private startNew(place: ReturnType<typeof siblingPlace>, backKey: string | null): void {
    this.draft.value = { kind: "new", ...place, text: "", seenRevId: this.seenRevId, backKey };
  }

  indentDraft(draft: NewDraft, direction: "in" | "out"): void {
    const rows = this.outline.rows.peek();
    const place = direction === "in" ? indented(rows, draft) : outdented(rows, draft);
    if (place) this.draft.value = { ...draft, ...place };
  }

  setDraftType(draft: NewDraft, nodeType: NewDraft["nodeType"]): void {
    this.draft.value = { ...draft, nodeType };
  }

  /** Saves what was typed. again: Enter was pressed on a new line, so that the next one follows. */
  finishDraft(draft: Draft, how: "save" | "again" | "cancel"): void {
    if (this.draft.peek() !== draft) return;
    const text = draft.text.trim();
    this.draft.value = null;
    if (draft.kind === "rename") {
      if (how !== "cancel" && text !== "" && text !== draft.before) this.rename(draft.nodeId, text, draft.seenRevId);
      this.outline.choose(draft.key);
    } else if (how === "cancel" || text === "") {
      if (draft.backKey !== null) this.outline.choose(draft.backKey);
    } else {
      this.addDraft(draft, text);
      if (how === "again") this.continueAfter(draft);
    }
    if (how !== "save") ++this.focusTree.value;
  }

  private addDraft(draft: NewDraft, title: string): void {
    const nodeId = newId();
    const place = placeOf(this.outline.rows.peek(), draft);
    const operation: OperationOf<"add"> = { op: "add", nodeId, nodeType: draft.nodeType, title, ...place };
    if (draft.parentId !== null) {
      operation.parentId = draft.parentId;
      this.outline.setOpen(draft.parentId, true);
    }
    void this.change([operation]);
    this.outline.choose(nodeId);
    announce(`Added ${title}`);
  }

  private continueAfter(draft: NewDraft): void {
    const current = this.outline.current.peek();
    if (current) this.draft.value = { ...draft, text: "", afterKey: current.key, seenRevId: this.seenRevId, backKey: current.key };
  }

  // ---- the rest

  async fillDemo(): Promise<void> {
    try {
      await api.post("/api/values/demo");
      await this.store.refresh();
      toast({ text: "A few weeks of demo data have been added.", tone: "success" });
    } catch (thrown) {
      toastProblem("The demo data could not be added.", problemOf(thrown), () => void this.fillDemo());
    }
  }

  private onRefused(failed: Failed<TreeOp>): void {
    const { op, problem } = failed;
    if (op.kind === "change" && conflictsOf(problem).length > 0) {
      if (this.resolving.peek() === null) this.resolving.value = failed;
      return;
    }
    if (op.kind === "change") return void announce(`Not saved. ${problem.message}`); // shown above the tree
    this.store.giveUp(failed.id);
    const isOver = problem.code === "nothing-to-undo" || problem.code === "nothing-to-redo";
    const isStale = problem.status === 412 || problem.code === "stale-base";
    if (isOver) toast({ text: problem.message, key: "values.undo" });
    else if (isStale) toast({ text: "The tree was changed in the meantime. Check it, then try again.", key: "values.undo" });
    else toastProblem("This did not work.", problem);
  }
}

function say(text: string): void {
  toast({ text, key: "values.why", seconds: 4 });
}

let model: ValuesModel | undefined;

/** The one of this user. */
export function valuesModel(userId: string): ValuesModel {
  if (model?.userId !== userId) model = new ValuesModel(userId);
  return model;
}

/** Shows a node in the tree, from wherever. */
export function showNode(values: ValuesModel, nodeId: string): void {
  values.outline.reveal(nodeId);
  navigate("/values");
  ++values.focusTree.value;
}
