import type { Schemas } from "../api";

export type Note = Schemas["Note"];
export type Shelf = "grid" | "archive";

/** What is typed into the dialog. */
export interface NoteText {
  title: string;
  body: string;
  tags: string[];
}

export interface Notes {
  items: Note[];
  /** There are more than are read. */
  isCut: boolean;
}

export type NoteOp =
  | { kind: "add"; id: string; text: NoteText; isPinned: boolean; at: string }
  | { kind: "write"; note: Note; change: Partial<NoteText>; at: string }
  | { kind: "pin"; note: Note; isPinned: boolean }
  | { kind: "archive"; note: Note; isArchived: boolean }
  | { kind: "remove"; note: Note };

/** How a note is called that has no title: by its first words. */
export function nameOf({ title, body }: Pick<Note, "title" | "body">): string {
  if (title !== undefined && title !== "") return title;
  const first = (body ?? "").split("\n").find((line) => line.trim() !== "") ?? "";
  const words = first.replace(/^[#>\-*\s]+/, "").trim();
  return words === "" ? "Untitled" : words.length > 60 ? `${words.slice(0, 60)}…` : words;
}

/** "a, b" as tags: none twice. */
export function tagsIn(text: string): string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map((word) => word.trim())
        .filter(Boolean),
    ),
  ].sort();
}

/** Every tag with the number of notes that have it, the most used first. */
export function tagCounts(notes: readonly Note[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { tags } of notes) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
}
