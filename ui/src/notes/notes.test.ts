import { describe, expect, it } from "vitest";
import { applyNoteOp } from "./apply_notes";
import { parseInline, parseMarkdown, safeAddress, type Inline } from "./markdown";
import { nameOf, tagCounts, tagsIn, type Note, type Notes } from "./note_types";

/** As one would say it: strong(text). */
function say(parts: Inline[]): string {
  return parts
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind === "break") return "|";
      if (part.kind === "code") return `code(${part.text})`;
      return part.kind === "link" ? `link(${say(part.inner)} ${part.to})` : `${part.kind}(${say(part.inner)})`;
    })
    .join("");
}
const inline = (text: string) => say(parseInline(text));

describe("Markdown in a line", () => {
  it("is strong, emphasised, struck, code", () => {
    expect(inline("a **b *c* d** `e*f*` ~~g~~ _h_")).toBe("a strong(b emphasis(c) d) code(e*f*) struck(g) emphasis(h)");
    expect(inline("2 * 3 * 4, snake_case_name, \\*no\\*, **open")).toBe("2 * 3 * 4, snake_case_name, *no*, **open");
    expect(inline("one  \ntwo\nthree")).toBe("one|two\nthree");
  });

  it("links to safe addresses only", () => {
    expect(inline("[a](https://a.example/x) and https://b.example/y.")).toBe(
      "link(a https://a.example/x) and link(https://b.example/y https://b.example/y).",
    );
    for (const evil of [
      "javascript:alert(1)",
      "data:text/html,x",
      "//evil.example",
      "/api/x",
      " JaVaScRiPt:x",
      "https://a b",
      'https://"x',
    ])
      expect(safeAddress(evil)).toBeNull();
    expect(inline("[a](javascript:alert)")).toBe("[a](javascript:alert)");
    expect(inline("<script>alert(1)</script> <b>")).toBe("<script>alert(1)</script> <b>");
  });
});

describe("Markdown in blocks", () => {
  const kinds = (text: string) =>
    parseMarkdown(text)
      .map(({ kind }) => kind)
      .join(" ");

  it("knows them", () => {
    expect(kinds("# One\ntext\nmore\n\n- a\n- b\n\n1. c\n\n> q\n\n---\n```\n# no\n```")).toBe(
      "heading paragraph list list quote line code",
    );
    expect(parseMarkdown("```\n<b>\n\n- x\n```")).toEqual([{ kind: "code", text: "<b>\n\n- x" }]);
    expect(parseMarkdown("~~~\nopen")).toEqual([{ kind: "code", text: "open" }]);
  });

  it("has lists to tick and lists in lists", () => {
    const [list] = parseMarkdown("- [x] done\n- [ ] open\n  - inner\n\n  still");
    if (list?.kind !== "list") throw new Error("no list");
    expect(list.items.map(({ ticked }) => ticked)).toEqual([true, false]);
    expect(list.items[1]!.below.map(({ kind }) => kind)).toEqual(["list", "paragraph"]);
    expect(parseMarkdown("3. c\n4. d")).toMatchObject([{ kind: "list", ordered: true, start: 3 }]);
  });

  it("ends with whatever text", () => {
    for (const text of [
      "*".repeat(5000),
      "[".repeat(5000),
      "`".repeat(5000),
      "> ".repeat(2000),
      "- ".repeat(2000),
      "_a".repeat(3000),
      "**a ".repeat(2000),
      "~~".repeat(3000),
      " \n".repeat(3000),
    ]) {
      expect(parseMarkdown(text)).toBeInstanceOf(Array);
    }
  });
});

describe("notes", () => {
  const note = (noteId: string, updatedAt: string, more: Partial<Note> = {}): Note => ({
    noteId,
    title: noteId,
    tags: [],
    isPinned: false,
    isArchived: false,
    version: 1,
    createdAt: "",
    updatedAt,
    ...more,
  });
  const notes: Notes = { items: [note("pinned", "1", { isPinned: true }), note("new", "3"), note("old", "2")], isCut: false };
  const ids = ({ items }: Notes) => items.map(({ noteId }) => noteId).join(" ");

  it("lie pinned first, then the newest", () => {
    expect(ids(applyNoteOp(notes, { kind: "pin", note: notes.items[2]!, isPinned: true }, "grid"))).toBe("old pinned new");
    expect(ids(applyNoteOp(notes, { kind: "write", note: notes.items[2]!, change: { body: "x" }, at: "4" }, "grid"))).toBe(
      "pinned old new",
    );
    expect(
      ids(applyNoteOp(notes, { kind: "add", id: "n", text: { title: "n", body: "", tags: [] }, isPinned: false, at: "5" }, "grid")),
    ).toBe("pinned n new old");
  });

  it("leave the shelf they are on", () => {
    const op = { kind: "archive" as const, note: notes.items[1]!, isArchived: true };
    expect(ids(applyNoteOp(notes, op, "grid"))).toBe("pinned old");
    expect(applyNoteOp(notes, op, "archive")).toBe(notes);
  });

  it("have names and tags", () => {
    expect([nameOf({ title: "T" }), nameOf({ body: "\n## Head\nx" }), nameOf({})]).toEqual(["T", "Head", "Untitled"]);
    expect(tagsIn(" b, a,, b")).toEqual(["a", "b"]);
    expect(tagCounts([note("x", "", { tags: ["a", "b"] }), note("y", "", { tags: ["b"] })])).toEqual([
      ["b", 2],
      ["a", 1],
    ]);
  });
});
