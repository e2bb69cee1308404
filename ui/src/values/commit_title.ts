// What a revision is called on the screen: its message without the ids that messages of programs have in them.

import type { Schemas } from "../api";
import type { Tree } from "./tree";

export function commitTitle(commit: Schemas["Commit"], tree?: Tree): string {
  if (commit.restoredBy === "undo") return "Undo";
  if (commit.restoredBy === "redo") return "Redo";
  const message = commit.message
    .replace(/ \(([\x21-\x7e]{1,256})\)/g, (all, id: string) => (isId(id, tree) ? "" : all))
    .replace(/"([^"]+)"/g, "“$1”");
  if (message !== "") return message;
  return commit.restoredBy === "rollback" ? "Roll back" : "A change";
}

function isId(text: string, tree: Tree | undefined): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text) || (tree?.nodes.has(text) ?? false);
}

export const sourceNames: Record<Schemas["Commit"]["source"], string> = {
  daily_update: "Daily update",
  weekly_review: "Weekly review",
  completion: "Completion",
};
