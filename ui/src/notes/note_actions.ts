// What can be done with notes, for mouse, keys and dialogs alike.

import { live, newKey, problemOf, type ApiProblem } from "../api";
import { announce, confirm } from "../parts";
import { toast, toastProblem, toastUndo } from "../shell";
import { nameOf, type Note, type NoteOp, type NoteText } from "./note_types";
import type { NoteStore, Refused } from "./note_store";

export class NoteActions {
  /** Whoever sent these shows what became of them. */
  private readonly quiet = new Map<NoteOp, (problem: ApiProblem) => void>();

  constructor(readonly store: NoteStore) {
    store.onRefused = (refused) => this.onRefused(refused);
  }

  togglePin(note: Note): void {
    announce(note.isPinned ? `${nameOf(note)} is not pinned any more` : `Pinned ${nameOf(note)}`);
    void this.store.do({ kind: "pin", note, isPinned: !note.isPinned });
  }

  /** Into the archive, or out of it. */
  async toggleArchived(note: Note): Promise<void> {
    const isArchived = !note.isArchived;
    const said = isArchived ? `Archived “${nameOf(note)}”.` : `“${nameOf(note)}” was unarchived.`;
    announce(said);
    if (await this.store.do({ kind: "archive", note, isArchived })) toastUndo(said, () => void this.putBack(note), `note ${note.noteId}`);
  }

  private async putBack(note: Note): Promise<void> {
    try {
      await this.store.putBack(note);
    } catch (thrown) {
      toastProblem(`“${nameOf(note)}” was not moved.`, problemOf(thrown));
    }
  }

  async remove(note: Note): Promise<boolean> {
    const sure = await confirm({
      title: `Delete “${nameOf(note)}”?`,
      text: "It will be deleted permanently. To hide it instead, archive it.",
      action: "Delete",
      danger: true,
    });
    if (sure) void this.store.do({ kind: "remove", note });
    return sure;
  }

  /** From the dialog. Answers what was wrong; null: it is done, or will be. */
  async save(note: Note | null, text: NoteText, change: Partial<NoteText>): Promise<ApiProblem | null> {
    const at = new Date().toISOString();
    const op: NoteOp = note ? { kind: "write", note, change, at } : { kind: "add", id: newKey(), text, isPinned: false, at };
    const refusal = new Promise<ApiProblem>((resolve) => this.quiet.set(op, resolve));
    const done = this.store.do(op).then((ok) => (ok ? null : refusal));
    if (live.state.peek() !== "open") {
      this.quiet.delete(op); // it waits for a connection; should it be refused then, everybody is told
      return null;
    }
    return done.finally(() => this.quiet.delete(op));
  }

  private onRefused({ op, problem }: Refused): void {
    const waiting = this.quiet.get(op);
    if (waiting) return waiting(problem);
    if (op.kind !== "add" && op.note.version === 0 && !this.store.note(op.note.noteId)) return; // that it was not added has been said
    const name = op.kind === "add" ? nameOf(op.text) : nameOf(op.note);
    if (problem.status === 412) {
      toast({
        text: `“${name}” was changed elsewhere in the meantime. You now see the latest version.`,
        tone: "danger",
        key: "note-stale",
      });
    } else if (problem.status === 404) {
      toast({ text: `“${name}” no longer exists.`, tone: "danger", key: "note-stale" });
    } else {
      toastProblem(`“${name}” was not saved.`, problem, () => void this.store.do(op));
    }
  }
}
