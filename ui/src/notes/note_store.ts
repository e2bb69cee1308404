// The notes of a shelf as the server has them, and what was done since.

import { api, type ApiProblem } from "../api";
import { MadeIds, Optimistic, tagOf, Versions, type Failed, type SendContext } from "../state";
import { applyNoteOp, inOrder } from "./apply_notes";
import type { Note, NoteOp, Notes, NoteText, Shelf } from "./note_types";

/** With the version it was sent on: the same if it has to be sent again. */
type Sent = NoteOp & { base?: number };

export interface Refused {
  op: NoteOp;
  problem: ApiProblem;
}

const kPagesMax = 20;

export class NoteStore {
  readonly notes: Optimistic<Notes, Sent>;
  /** Told of what was refused; set by the page that is shown. */
  onRefused: (refused: Refused) => void = () => undefined;
  private readonly versions = new Versions();
  private readonly ids = new MadeIds();

  constructor(readonly shelf: Shelf) {
    this.notes = new Optimistic<Notes, Sent>({
      load: () => this.load(),
      apply: (notes, op) => applyNoteOp(notes, op, shelf),
      send: (op, context) => this.send(op, context),
      isNew: (op) => op.kind === "add",
      onRefused: (failed) => this.refuse(failed),
      dependsOn: (later, failed) => later.kind !== "add" && later.note.noteId === (failed.kind === "add" ? failed.id : failed.note.noteId),
    });
  }

  async do(op: NoteOp): Promise<boolean> {
    return this.notes.do(op);
  }

  /** A note of this shelf by its id, be it the page's or the server's. */
  note(noteId: string): Note | undefined {
    const id = this.ids.shown(noteId);
    return this.notes.view.value?.items.find((note) => note.noteId === id);
  }

  /** As the server has it now, whatever shelf it is on. */
  async read(noteId: string): Promise<Note> {
    return this.shown(await api.get("/api/nexus/notes/{noteId}", { path: { noteId: this.ids.sent(noteId) } }));
  }

  /** Unarchive, or into it again, whatever shelf it is on by now. */
  async putBack({ noteId, isArchived }: Note): Promise<void> {
    await api.post(isArchived ? "/api/nexus/notes/{noteId}/archive" : "/api/nexus/notes/{noteId}/unarchive", {
      path: { noteId: this.ids.sent(noteId) },
    });
    await this.notes.refresh();
  }

  private shown(note: Note): Note {
    return { ...note, noteId: this.ids.shown(note.noteId) };
  }

  private refuse(failed: Failed<Sent>): void {
    this.notes.giveUp(failed.id);
    this.onRefused({ op: failed.op, problem: failed.problem });
    void this.notes.refresh().catch(() => undefined);
  }

  private async load(): Promise<Notes> {
    const items: Note[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < kPagesMax; ++page) {
      const query = { ...(this.shelf === "archive" ? { archived: true } : {}), ...(cursor === undefined ? {} : { cursor }) };
      const answer = await api.get("/api/nexus/notes", { query });
      items.push(...answer.items.map((note) => this.shown(note)));
      cursor = answer.nextCursor;
      if (cursor === undefined) return { items: inOrder(items), isCut: false };
    }
    return { items: inOrder(items), isCut: true };
  }

  private async send(op: Sent, { idempotencyKey }: SendContext): Promise<void> {
    if (op.kind === "add") {
      const { noteId, version } = await api.post("/api/nexus/notes", {
        body: { ...creation(op.text), isPinned: op.isPinned },
        idempotencyKey,
      });
      this.ids.note(op.id, noteId);
      this.versions.note({ id: op.id, version: 0 }, version);
      return;
    }
    const { noteId } = op.note;
    op.base ??= this.versions.newest({ id: noteId, version: op.note.version });
    const changed = await request(op, { path: { noteId: this.ids.sent(noteId) }, ifMatch: tagOf(op.base), idempotencyKey });
    if (changed) this.versions.note({ id: noteId, version: op.base }, changed.version);
  }
}

interface Sending {
  path: { noteId: string };
  ifMatch: string;
  idempotencyKey: string;
}

async function request(op: Exclude<NoteOp, { kind: "add" }>, sending: Sending): Promise<Note | undefined> {
  switch (op.kind) {
    case "write":
      return api.patch("/api/nexus/notes/{noteId}", { ...sending, body: changeOf(op.change) });
    case "pin":
      return api.post(op.isPinned ? "/api/nexus/notes/{noteId}/pin" : "/api/nexus/notes/{noteId}/unpin", sending);
    case "archive":
      return api.post(op.isArchived ? "/api/nexus/notes/{noteId}/archive" : "/api/nexus/notes/{noteId}/unarchive", sending);
    case "remove":
      await api.delete("/api/nexus/notes/{noteId}", sending);
      return undefined;
  }
}

function creation({ title, body, tags }: NoteText) {
  return { ...(title === "" ? {} : { title }), ...(body === "" ? {} : { body }), ...(tags.length === 0 ? {} : { tags }) };
}

/** What is empty goes away. */
function changeOf({ title, body, tags }: Partial<NoteText>) {
  return {
    ...(title === undefined ? {} : { title: title === "" ? null : title }),
    ...(body === undefined ? {} : { body: body === "" ? null : body }),
    ...(tags === undefined ? {} : { tags: tags.length === 0 ? null : tags }),
  };
}

const stores = new Map<string, NoteStore>();

/** One per shelf for as long as the tab is open: what waits for a connection is sent from any page. */
export function noteStore(userId: string, shelf: Shelf): NoteStore {
  const key = `${userId} ${shelf}`;
  let store = stores.get(key);
  if (!store) stores.set(key, (store = new NoteStore(shelf)));
  return store;
}
