// Which words of a text changed: runs of words that are the same, gone, or new. The longest common sequence of words
// (Myers' greedy way, O(ND)); texts that differ too much are shown as one gone and one new.

export interface WordRun {
  kind: "same" | "gone" | "new";
  text: string;
}

const kEditsMax = 600;

export function diffWords(from: string, to: string): WordRun[] {
  const before = splitWords(from);
  const after = splitWords(to);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) ++start;
  let end = 0;
  const endMax = Math.min(before.length, after.length) - start;
  while (end < endMax && before[before.length - 1 - end] === after[after.length - 1 - end]) ++end;

  const runs: WordRun[] = [];
  push(runs, "same", before.slice(0, start));
  const middleBefore = before.slice(start, before.length - end);
  const middleAfter = after.slice(start, after.length - end);
  for (const { kind, word } of editScript(middleBefore, middleAfter)) push(runs, kind, [word]);
  push(runs, "same", before.slice(before.length - end));
  return joinSmallGaps(runs);
}

/** Words, spaces and marks, each for itself; nothing is lost. */
export function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_'’-]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

interface Edit {
  kind: WordRun["kind"];
  word: string;
}

function editScript(before: readonly string[], after: readonly string[]): Edit[] {
  const replaced = (): Edit[] => [
    ...before.map((word): Edit => ({ kind: "gone", word })),
    ...after.map((word): Edit => ({ kind: "new", word })),
  ];
  if (before.length === 0 || after.length === 0) return replaced();
  const limit = Math.min(before.length + after.length, kEditsMax);
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let edits = 0; edits <= limit; ++edits) {
    trace.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const left = furthest.get(diagonal - 1) ?? -1;
      const up = furthest.get(diagonal + 1) ?? -1;
      const isDown = diagonal === -edits || (diagonal !== edits && left < up);
      let x = isDown ? up : left + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        ++x;
        ++y;
      }
      furthest.set(diagonal, x);
      if (x >= before.length && y >= after.length) return walkBack(trace, before, after);
    }
  }
  return replaced();
}

function walkBack(trace: readonly Map<number, number>[], before: readonly string[], after: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  let x = before.length;
  let y = after.length;
  for (let step = trace.length - 1; step >= 0; --step) {
    const furthest = trace[step]!;
    const diagonal = x - y;
    const left = furthest.get(diagonal - 1) ?? -1;
    const up = furthest.get(diagonal + 1) ?? -1;
    const isDown = diagonal === -step || (diagonal !== step && left < up);
    const fromX = isDown ? up : left;
    const fromY = fromX - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      edits.push({ kind: "same", word: before[x - 1]! });
      --x;
      --y;
    }
    if (step > 0) edits.push(isDown ? { kind: "new", word: after[y - 1]! } : { kind: "gone", word: before[x - 1]! });
    x = fromX;
    y = fromY;
  }
  return edits.reverse();
}

function push(runs: WordRun[], kind: WordRun["kind"], words: readonly string[]): void {
  if (words.length === 0) return;
  const last = runs[runs.length - 1];
  if (last?.kind === kind) last.text += words.join("");
  else runs.push({ kind, text: words.join("") });
}

/** A lone space between two changed words belongs to the change: "old words" -> "new text" reads as one. */
function joinSmallGaps(runs: readonly WordRun[]): WordRun[] {
  const joined: WordRun[] = [];
  let gone = "";
  let fresh = "";
  const flush = () => {
    if (gone) joined.push({ kind: "gone", text: gone });
    if (fresh) joined.push({ kind: "new", text: fresh });
    gone = fresh = "";
  };
  runs.forEach((run, at) => {
    const isGap = run.kind === "same" && run.text.trim() === "" && at > 0 && at < runs.length - 1;
    if (run.kind === "gone") gone += run.text;
    else if (run.kind === "new") fresh += run.text;
    else if (isGap && gone && fresh) {
      gone += run.text;
      fresh += run.text;
    } else {
      flush();
      joined.push(run);
    }
  });
  flush();
  return joined;
}
