// What an operation does to the notes of a shelf, before the server has answered. Pure.

import type { Note, NoteOp, Notes, Shelf } from "./note_types";

export function applyNoteOp(notes: Notes, op: NoteOp, shelf: Shelf): Notes {
  const { items } = notes;
  if (op.kind === "add") {
    if (shelf === "archive" || items.some(({ noteId }) => noteId === op.id)) return notes;
    const note: Note = {
      noteId: op.id,
      ...op.text,
      isPinned: op.isPinned,
      isArchived: false,
      version: 0,
      createdAt: op.at,
      updatedAt: op.at,
    };
    return { ...notes, items: inOrder([note, ...items]) };
  }
  const { noteId } = op.note;
  const change = (next: (note: Note) => Note) => ({
    ...notes,
    items: inOrder(items.map((note) => (note.noteId === noteId ? next(note) : note))),
  });
  switch (op.kind) {
    case "write":
      return change((note) => ({ ...note, ...op.change, updatedAt: op.at }));
    case "pin":
      return change((note) => ({ ...note, isPinned: op.isPinned }));
    case "archive":
      if (op.isArchived === (shelf === "archive")) return notes;
      return { ...notes, items: items.filter((note) => note.noteId !== noteId) };
    case "remove":
      return { ...notes, items: items.filter((note) => note.noteId !== noteId) };
  }
}

/** Pinned first, then the newest. */
export function inOrder(items: readonly Note[]): Note[] {
  return [...items].sort((one, other) => Number(other.isPinned) - Number(one.isPinned) || other.updatedAt.localeCompare(one.updatedAt));
}
