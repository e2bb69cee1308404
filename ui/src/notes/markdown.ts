// The part of Markdown that notes need, as a tree: headings, paragraphs, lists (also to be ticked), quotes, code, lines; strong,
// emphasis, struck, code and links. HTML in the text is text. Addresses that are not http, https or mailto are text, too. Pure.

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "break" }
  | { kind: "strong" | "emphasis" | "struck"; inner: Inline[] }
  | { kind: "link"; to: string; inner: Inline[] };

export interface ListItem {
  inner: Inline[];
  /** A box to tick; undefined: none. */
  ticked?: boolean;
  below: Block[];
}

export type Block =
  | { kind: "heading"; level: number; inner: Inline[] }
  | { kind: "paragraph"; inner: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; ordered: boolean; start: number; items: ListItem[] }
  | { kind: "line" };

const kDepthMax = 8; // of lists and quotes in each other: what is deeper is text

export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").split("\n"), 0);
}

const kFence = /^ {0,3}(`{3,}|~{3,})/;
const kHeading = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const kLine = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const kQuote = /^ {0,3}> ?/;
const kItem = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const kTick = /^\[([ xX])\]\s+/;

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    const fence = kFence.exec(line);
    const heading = kHeading.exec(line);
    if (line.trim() === "") {
      ++at;
    } else if (fence) {
      const end = closing(lines, at + 1, fence[1]!);
      blocks.push({ kind: "code", text: lines.slice(at + 1, end).join("\n") });
      at = end + 1;
    } else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]!.length, inner: parseInline(heading[2] ?? "") });
      ++at;
    } else if (kLine.test(line)) {
      blocks.push({ kind: "line" });
      ++at;
    } else if (kQuote.test(line) && depth < kDepthMax) {
      const from = at;
      while (at < lines.length && kQuote.test(lines[at]!)) ++at;
      blocks.push({
        kind: "quote",
        blocks: parseBlocks(
          lines.slice(from, at).map((quoted) => quoted.replace(kQuote, "")),
          depth + 1,
        ),
      });
    } else if (kItem.test(line) && depth < kDepthMax) {
      const [list, next] = parseList(lines, at, depth);
      blocks.push(list);
      at = next;
    } else {
      const from = at++;
      while (at < lines.length && !endsParagraph(lines[at]!)) ++at;
      blocks.push({ kind: "paragraph", inner: parseInline(lines.slice(from, at).join("\n")) });
    }
  }
  return blocks;
}

function endsParagraph(line: string): boolean {
  return line.trim() === "" || kFence.test(line) || kHeading.test(line) || kLine.test(line) || kQuote.test(line) || kItem.test(line);
}

/** The line that closes a fence; without one the text ends it. */
function closing(lines: readonly string[], from: number, fence: string): number {
  for (let at = from; at < lines.length; ++at) {
    const found = kFence.exec(lines[at]!);
    if (found && found[1]![0] === fence[0] && found[1]!.length >= fence.length && lines[at]!.trim() === found[1]) return at;
  }
  return lines.length;
}

function parseList(lines: readonly string[], from: number, depth: number): [Block, number] {
  const first = kItem.exec(lines[from]!)!;
  const ordered = /\d/.test(first[2]!);
  const items: ListItem[] = [];
  let at = from;
  while (at < lines.length) {
    const marker = kItem.exec(lines[at]!);
    if (!marker || /\d/.test(marker[2]!) !== ordered || kLine.test(lines[at]!)) break;
    const indent = marker[0].length;
    const own = [lines[at]!.slice(indent)];
    ++at;
    // What is indented belongs to the item, also behind an empty line.
    while (at < lines.length) {
      const line = lines[at]!;
      const isBlank = line.trim() === "";
      const isInner = line.startsWith(" ".repeat(Math.min(indent, 2)));
      if (isBlank ? !(lines[at + 1] ?? "").startsWith("  ") : !isInner) break;
      own.push(isBlank ? "" : line.slice(Math.min(indent, line.length - line.trimStart().length)));
      ++at;
    }
    items.push(parseItem(own, depth));
    while (at < lines.length && lines[at]!.trim() === "" && kItem.test(lines[at + 1] ?? "")) ++at;
  }
  return [{ kind: "list", ordered, start: ordered ? Number.parseInt(first[2]!, 10) : 1, items }, at];
}

function parseItem(lines: string[], depth: number): ListItem {
  const tick = kTick.exec(lines[0]!);
  const text = tick ? lines[0]!.slice(tick[0].length) : lines[0]!;
  const item: ListItem = { inner: parseInline(text), below: parseBlocks(lines.slice(1), depth + 1) };
  if (tick) item.ticked = tick[1] !== " ";
  return item;
}

const kSafe = /^(https?:\/\/|mailto:)[^\s<>"]+$/i;

/** An address that may be followed, or null. */
export function safeAddress(text: string): string | null {
  const trimmed = text.trim();
  return kSafe.test(trimmed) ? trimmed : null;
}

interface Rule {
  pattern: RegExp;
  make: (match: RegExpExecArray) => Inline | null;
}

// In this order where several begin at the same place. None can take long: no repetition is inside another.
const kRules: Rule[] = [
  { pattern: /\\([\\`*_{}[\]()#+\-.!~>|])/y, make: (match) => ({ kind: "text", text: match[1]! }) },
  { pattern: /(`+)([^`]|[^`][^\n]*?[^`])\1(?!`)/y, make: (match) => ({ kind: "code", text: match[2]!.trim() || match[2]! }) },
  {
    pattern: /\[([^[\]\n]{1,500})\]\(([^()\s]{1,2000})\)/y,
    make: (match) => {
      const to = safeAddress(match[2]!);
      return to === null ? null : { kind: "link", to, inner: parseInline(match[1]!) };
    },
  },
  {
    pattern: /<(https?:\/\/[^\s<>]{1,2000})>/y,
    make: (match) => ({ kind: "link", to: match[1]!, inner: [{ kind: "text", text: match[1]! }] }),
  },
  {
    pattern: /https?:\/\/[^\s<>()[\]"'`*]{1,2000}[^\s<>()[\]"'`*.,;:!?]/y,
    make: (match) => ({ kind: "link", to: match[0], inner: [{ kind: "text", text: match[0] }] }),
  },
  { pattern: /\*\*(?=\S)([^\n]{0,2000}?\S)\*\*(?!\*)/y, make: (match) => ({ kind: "strong", inner: parseInline(match[1]!) }) },
  { pattern: /__(?=\S)([^\n]{0,2000}?\S)__(?![\w_])/y, make: (match) => ({ kind: "strong", inner: parseInline(match[1]!) }) },
  { pattern: /~~(?=\S)([^\n]{0,2000}?\S)~~/y, make: (match) => ({ kind: "struck", inner: parseInline(match[1]!) }) },
  { pattern: /\*(?=[^\s*])([^*\n]{0,2000}?[^\s*])\*(?!\*)/y, make: (match) => ({ kind: "emphasis", inner: parseInline(match[1]!) }) },
  { pattern: /_(?=[^\s_])([^_\n]{0,2000}?[^\s_])_(?!\w)/y, make: (match) => ({ kind: "emphasis", inner: parseInline(match[1]!) }) },
  { pattern: /(?: {2,}|\\)?\n/y, make: (match) => (match[0].length > 1 ? { kind: "break" } : { kind: "text", text: "\n" }) },
];

export function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let plain = "";
  let at = 0;
  const close = () => {
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
  };
  while (at < text.length) {
    const found = ruleAt(text, at);
    if (!found) {
      plain += text[at]!;
      ++at;
      continue;
    }
    if (found.part.kind === "text") plain += found.part.text;
    else {
      close();
      parts.push(found.part);
    }
    at += found.length;
  }
  close();
  return parts;
}

function ruleAt(text: string, at: number): { part: Inline; length: number } | null {
  const letter = text[at]!;
  if (!"\\`[<h*_~\n ".includes(letter)) return null;
  // Inside a word an underscore is a letter.
  if (letter === "_" && at > 0 && /\w/.test(text[at - 1]!)) return null;
  for (const { pattern, make } of kRules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const part = match && make(match);
    if (part) return { part, length: match[0].length };
  }
  return null;
}
