// The tree on the screen: the lines near the window, dragging, pressing, the keys. Follows the ARIA tree pattern with one
// line in the tab order; the current line keeps the focus whatever changes around it.

import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Menu, pointBox, type Box } from "../parts";
import { draftLine, type NewDraft } from "./draft";
import type { ValuesModel } from "./model";
import type { Outline } from "./outline";
import { rowMenu, type RowMenuParts } from "./row_menu";
import type { Row } from "./rows";
import { emptyTree, isLiving, knownProgress, parentsOf, type Tree } from "./tree";
import { dragRow, type DropSigns } from "./tree_drag";
import { TitleKeys, useTreeKeys } from "./tree_keys";
import { NewRow, TreeRow } from "./tree_row";
import { scrollToLine, useLineHeight, useLineRange } from "./use_window";
import { nodesNamed } from "./operations";
import "./tree.css";

interface TreeViewProps {
  outline: Outline;
  label: string;
  /** Absent: to be read only. */
  values?: ValuesModel;
  ask?: RowMenuParts["ask"];
  /** Where the focus goes on Escape. */
  leave: () => void;
  openDetails: () => void;
  /** A press on a line also opens its details: where they lie over the tree. */
  pressOpens: boolean;
}

const kFirstX = 22; // the width of the chevron: lines of depth 0 begin behind it

export function TreeView(props: TreeViewProps) {
  const { outline, label, values, ask, leave, openDetails, pressOpens } = props;
  const list = useRef<HTMLDivElement>(null);
  const signs = useRef<DropSigns | null>(null);
  const titleKeys = useRef(new TitleKeys());
  const idBase = useId();
  const [draggedKey, setDraggedKey] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ row: Row; at: Box } | null>(null);
  const lineHeight = useLineHeight();
  const rows = outline.rows.value;
  const draft = values?.draft.value ?? null;
  const newDraft = draft?.kind === "new" ? draft : null;
  const newLine = newDraft ? draftLine(rows, newDraft) : -1;
  const count = rows.length + (newDraft ? 1 : 0);
  const range = useLineRange(list, lineHeight, count);
  const current = outline.current.value;
  useTreeKeys({ outline, list, values, leave, openDetails });
  useFocus(list, outline, values, { lineHeight, newLine, idBase });

  const rowAt = (target: EventTarget | null): { row: Row; element: HTMLElement } | undefined => {
    const element = target instanceof Element ? target.closest<HTMLElement>("[data-key]") : null;
    const row = element && outline.rows.peek().find((other) => other.key === element.dataset.key);
    return row && element ? { row, element } : undefined;
  };
  const actOf = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>("[data-act]")?.dataset.act : undefined;
  const isControl = (target: EventTarget | null) => target instanceof Element && target.closest("button, input") !== null;

  function onClick(event: MouseEvent) {
    const found = rowAt(event.target);
    if (!found) return;
    const { row } = found;
    const act = actOf(event.target);
    if (act === "menu") {
      const box = (event.target as Element).closest("button")!.getBoundingClientRect();
      outline.choose(row.key);
      return setMenu({ row, at: box });
    }
    if (isControl(event.target)) return;
    outline.choose(row.key);
    if (act === "toggle") return outline.setOpen(row.node.nodeId, !row.isOpen);
    if (act === "complete" && values) return values.toggleComplete(row.node.nodeId);
    if (pressOpens) openDetails();
  }

  function onDoubleClick(event: MouseEvent) {
    const found = rowAt(event.target);
    if (!found || !values || isControl(event.target) || actOf(event.target) !== "title" || pressOpens) return;
    values.startRename(found.row);
  }

  function onPointerDown(event: PointerEvent) {
    const found = rowAt(event.target);
    if (!found || !values || !ask || isControl(event.target) || !list.current || !signs.current) return;
    const { row, element } = found;
    if (row.node.nodeType === "DRIVER" || row.node.deletedAt !== undefined || outline.search.peek() !== "") return;
    dragRow(event, {
      values,
      row,
      element,
      list: list.current,
      lineHeight,
      signs: signs.current,
      firstX: kFirstX,
      onChange: setDraggedKey,
    });
  }

  function onContextMenu(event: MouseEvent) {
    const found = rowAt(event.target);
    if (!found || !values || event.defaultPrevented || isControl(event.target)) return;
    event.preventDefault();
    if ((event as PointerEvent).pointerType === "touch") return; // a finger that rests begins to drag
    outline.choose(found.row.key);
    setMenu({ row: found.row, at: pointBox(event.clientX, event.clientY) });
  }

  /** Whoever comes into the tree with Tab is on a line. */
  function onFocusIn(event: FocusEvent) {
    const key = event.target instanceof HTMLElement ? event.target.dataset.key : undefined;
    if (key !== undefined && outline.current.peek() === undefined) outline.choose(key);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!values || isControl(event.target) || !titleKeys.current.begins(event)) return;
    const row = outline.current.peek();
    if (!row) return;
    event.preventDefault();
    event.stopPropagation();
    values.startRename(row, event.key);
  }

  const shown = linesToDraw(rows, range, [outline.lineOf(current?.key), draft?.kind === "rename" ? outline.lineOf(draft.key) : -1]);
  const pending = values ? pendingNodes(values) : kNobody;
  const tree = outline.tree.value ?? emptyTree;
  return (
    <div
      ref={list}
      role="tree"
      aria-label={label}
      class="tree"
      style={{ height: `${count * lineHeight}px` }}
      onClick={onClick}
      onDblClick={onDoubleClick}
      onPointerDown={onPointerDown}
      onContextMenu={onContextMenu}
      onKeyDown={onKeyDown}
      onFocusIn={onFocusIn}
    >
      {values && <Signs onReady={(ready) => (signs.current = ready)} />}
      {shown.map((line) => {
        const row = rows[line]!;
        const at = newLine >= 0 && line >= newLine ? line + 1 : line;
        const progress = row.node.nodeType === "ACTION" ? kNoProgress : knownProgress(tree, row.node.nodeId);
        return (
          <TreeRow
            key={row.key}
            row={row}
            line={line}
            top={at * lineHeight}
            isCurrent={row.key === current?.key}
            isTabStop={current === undefined ? line === 0 : row.key === current.key}
            isDragged={row.key === draggedKey}
            isPending={pending.has(row.node.nodeId)}
            hasOtherParents={hasOtherParents(tree, row)}
            completed={progress.completed}
            total={progress.total}
            search={outline.search.value}
            draft={draft?.kind === "rename" && draft.key === row.key ? draft : null}
            values={values}
            idBase={idBase}
          />
        );
      })}
      {newDraft && values && <NewRow key={draftKey(newDraft)} draft={newDraft} top={newLine * lineHeight} values={values} />}
      {menu && values && ask && (
        <Menu
          anchor={menu.at}
          label={`More for ${menu.row.node.title}`}
          entries={rowMenu({ values, row: menu.row, ask })}
          side="bottom-end"
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  );
}

const kNoProgress = { completed: 0, total: 0 };
const kNobody: ReadonlySet<string> = new Set();

/** A new line after the one just typed is another field; one that was moved in or out is the same. */
function draftKey(draft: NewDraft): string {
  return `new ${draft.backKey ?? ""}`;
}

function hasOtherParents(tree: Tree, row: Row): boolean {
  const parents = parentsOf(tree, row.node.nodeId);
  return parents.length > 1 && parents.filter((id) => isLiving(tree.nodes.get(id)!)).length > 1;
}

/** Those near the window, and those that must stay wherever they are: with the focus, with a field. */
function linesToDraw(rows: readonly Row[], range: { first: number; last: number }, kept: number[]): number[] {
  const lines: number[] = [];
  for (let line = range.first; line < Math.min(range.last, rows.length); ++line) lines.push(line);
  for (const line of new Set(kept)) if (line >= 0 && (line < range.first || line >= range.last)) lines.push(line);
  return lines.sort((one, other) => one - other);
}

/** Nodes with changes that wait for a connection: shown a little paler. */
function pendingNodes(values: ValuesModel): ReadonlySet<string> {
  const waiting = values.store.pending.value.filter(({ state }) => state === "waiting");
  if (waiting.length === 0) return kNobody;
  return new Set(values.store.pending.value.flatMap(({ op }) => (op.kind === "change" ? [...nodesNamed(op.operations)] : [])));
}

function useFocus(
  list: { current: HTMLDivElement | null },
  outline: Outline,
  values: ValuesModel | undefined,
  { lineHeight, newLine, idBase }: { lineHeight: number; newLine: number; idBase: string },
): void {
  const hasFocus = useRef(false);
  const wishes = values?.focusTree.value ?? 0;
  const current = outline.current.value;
  const line = outline.lineOf(current?.key);
  const seen = useRef({ wishes, key: current?.key, newLine });

  useEffect(() => {
    const onFocus = (event: FocusEvent) => (hasFocus.current = list.current?.contains(event.target as Node) ?? false);
    const onPress = (event: PointerEvent) => {
      if (!list.current?.contains(event.target as Node)) hasFocus.current = false;
    };
    document.addEventListener("focusin", onFocus);
    document.addEventListener("pointerdown", onPress, true);
    return () => {
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("pointerdown", onPress, true);
    };
  }, [list]);

  useLayoutEffect(() => {
    const before = seen.current;
    seen.current = { wishes, key: current?.key, newLine };
    const element = list.current;
    if (!element) return;
    if (newLine >= 0) {
      if (before.newLine !== newLine) scrollToLine(element, newLine, lineHeight);
      return;
    }
    const isWished = before.wishes !== wishes;
    if (before.key !== current?.key && line >= 0) scrollToLine(element, line, lineHeight);
    const active = document.activeElement;
    const isInField = active instanceof HTMLInputElement && element.contains(active);
    if ((!isWished && !hasFocus.current) || isInField || document.querySelector("dialog[open], [popover]:popover-open[role=menu]")) return;
    const row = document.getElementById(`${idBase}-${current?.key ?? ""}`);
    if (row && row !== active) row.focus({ preventScroll: true });
  });
}

/** What shows where a dragged line would land; moved by tree_drag.ts. */
function Signs({ onReady }: { onReady: (signs: DropSigns) => void }) {
  const line = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const why = useRef<HTMLDivElement>(null);
  useEffect(() => {
    onReady({ line: line.current!, inside: inside.current!, why: why.current! });
    // the elements stay as long as the tree does
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <div class="tree-signs" aria-hidden="true">
      <div ref={inside} class="tree-drop-inside" hidden />
      <div ref={line} class="drop-line tree-drop-line" hidden />
      <div ref={why} class="tree-drop-why" hidden />
    </div>
  );
}
