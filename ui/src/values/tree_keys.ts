// The keys of the tree: those of the ARIA tree pattern, and those of an outliner. All of them are in the help.

import type { RefObject } from "preact";
import { isMac, useCommands, type Command } from "../parts";
import type { ValuesModel } from "./model";
import type { Outline } from "./outline";
import type { Row } from "./rows";

const kGroup = "Values";
const kPage = 12;

interface TreeKeysParts {
  outline: Outline;
  list: RefObject<HTMLElement>;
  values: ValuesModel | undefined;
  /** Leaves the tree, for those who use Tab for something else in it. */
  leave: () => void;
  openDetails: () => void;
}

export function useTreeKeys(parts: TreeKeysParts): void {
  const moving = moveKeys(parts);
  const editing = editKeys(parts);
  useCommands([...moving, ...editing].map((command) => ({ ...command, group: kGroup, within: parts.list })));
}

function moveKeys({ outline, leave, openDetails }: TreeKeysParts): Command[] {
  const go = (line: number) => {
    const rows = outline.rows.peek();
    const row = rows[Math.max(0, Math.min(line, rows.length - 1))];
    if (row) outline.choose(row.key);
  };
  const here = () => outline.lineOf(outline.current.peek()?.key);
  return [
    { keys: "ArrowDown", label: "Next line", run: () => go(here() + 1) },
    { keys: "ArrowUp", label: "Previous line", run: () => go(here() - 1) },
    { keys: "ArrowRight", label: "Expand, or go to the first child", run: () => openOrEnter(outline, go) },
    { keys: "ArrowLeft", label: "Collapse, or go to the parent", run: () => closeOrLeave(outline) },
    { keys: "Home", label: "First line", run: () => go(0) },
    { keys: "End", label: "Last line", run: () => go(Infinity) },
    { keys: "PageDown", run: () => go(here() + kPage) },
    { keys: "PageUp", run: () => go(here() - kPage) },
    { keys: "*", label: "Expand all", run: () => outline.openTo(Infinity) },
    { keys: " ", label: "Go to the details", run: openDetails },
    { keys: "Escape", label: "Leave the tree (Tab indents items)", run: leave },
  ];
}

function openOrEnter(outline: Outline, go: (line: number) => void): void {
  const row = outline.current.peek();
  if (!row?.hasChildren) return;
  if (row.isOpen) go(outline.lineOf(row.key) + 1);
  else outline.setOpen(row.node.nodeId, true);
}

function closeOrLeave(outline: Outline): void {
  const row = outline.current.peek();
  if (!row) return;
  if (row.isOpen && outline.search.peek() === "") outline.setOpen(row.node.nodeId, false);
  else if (row.parentKey !== null) outline.choose(row.parentKey);
}

/** With a tree that is only read there are as many commands, which do nothing. */
function editKeys({ outline, values }: TreeKeysParts): Command[] {
  const on = (keys: string, label: string | undefined, run: (row: Row, model: ValuesModel) => void): Command => ({
    keys,
    label: values ? label : undefined,
    run: () => {
      const row = outline.current.peek();
      if (!row || !values) return false;
      run(row, values);
      return true;
    },
  });
  const archive = (row: Row, model: ValuesModel) => model.putAway(row.node.nodeId, row.node.archived ? "delete" : "archive");
  return [
    on("Enter", "New line below", (row, model) => model.startSibling(row)),
    on("shift+Enter", "New line under this one", (row, model) => model.startChild(row)),
    on("F2", "Rename (or just type)", (row, model) => model.startRename(row)),
    on("mod+Enter", "Complete or reopen", (row, model) => model.toggleComplete(row.node.nodeId)),
    on("Tab", "Move in, under the milestone above", (row, model) => model.moveByKey(row, "in")),
    on("shift+Tab", "Move out, beside its parent", (row, model) => model.moveByKey(row, "out")),
    on("alt+ArrowUp", "Move up", (row, model) => model.moveByKey(row, "up")),
    on("alt+ArrowDown", "Move down", (row, model) => model.moveByKey(row, "down")),
    on("Delete", "Archive", archive),
    on("shift+Delete", "Delete", (row, model) => model.putAway(row.node.nodeId, "delete")),
    on(isMac ? "Backspace" : "mod+Backspace", undefined, archive),
    on("alt+r", "Restore", (row, model) => model.restore(row.node.nodeId)),
  ];
}

const kSequenceMs = 1200; // as long as the shell waits for the second key of "g v"

/** A letter that is typed on a line begins its new title. But for g and what follows it, / and ?: they lead elsewhere. */
export class TitleKeys {
  private goAt = -Infinity;

  begins(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.key.length !== 1) return false;
    const isSequence = event.timeStamp - this.goAt < kSequenceMs;
    this.goAt = event.key === "g" ? event.timeStamp : -Infinity;
    return !isSequence && !/[\s*/?g]/.test(event.key);
  }
}
