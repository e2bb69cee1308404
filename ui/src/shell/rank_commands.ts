import type { Command } from "../parts/shortcuts";

/** Commands whose label contains what was typed, best first: at the start, at the start of a word, anywhere, scattered. */
export function rankCommands<T extends Pick<Command, "label" | "group">>(commands: readonly T[], typed: string): T[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return [...commands];
  return commands
    .map((command) => ({ command, rank: rankOf((command.label ?? "").toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((one, other) => one.rank - other.rank)
    .map(({ command }) => command);
}

function rankOf(label: string, wanted: string): number {
  const at = label.indexOf(wanted);
  if (at === 0) return 0;
  if (at > 0) return label[at - 1] === " " ? 1 : 2;
  let from = 0;
  for (const letter of wanted) {
    const next = label.indexOf(letter, from);
    if (next < 0) return Infinity;
    from = next + 1;
  }
  return 3;
}
