// Dragging a line of the tree. While it lasts only two elements move, by transforms; nothing is measured or drawn anew.

import { beginDrag, type DragMove } from "../parts";
import { dropAt, dropRows, isSamePlace, type Drop, type DropRows } from "./drop";
import type { ValuesModel } from "./model";
import type { Row } from "./rows";

const kIndentPx = 22; // --indent in tree.css
const kOpenAfterMs = 650;

export interface DropSigns {
  /** A line between two rows. */
  line: HTMLElement;
  /** Lights the row that would take it in. */
  inside: HTMLElement;
  /** Why it may not go there. */
  why: HTMLElement;
}

interface DragParts {
  values: ValuesModel;
  row: Row;
  element: HTMLElement;
  list: HTMLElement;
  lineHeight: number;
  signs: DropSigns;
  /** Where lines begin at depth 0. */
  firstX: number;
  onChange: (key: string | null) => void;
}

export function dragRow(event: PointerEvent, parts: DragParts): void {
  new RowDrag(parts).begin(event);
}

class RowDrag {
  private listTop = 0;
  private seen: readonly Row[] = [];
  private rows: DropRows = { rows: [], lines: [] };
  private drop: Drop | undefined;
  private opening: { key: string; since: number } | undefined;

  constructor(private readonly parts: DragParts) {}

  begin(event: PointerEvent): void {
    const { element, list, row, onChange } = this.parts;
    beginDrag(event, {
      element,
      onStart: (move) => {
        this.listTop = list.getBoundingClientRect().top + move.contentY - move.y;
        onChange(row.key);
      },
      onMove: (move) => this.aim(move),
      onDrop: () => this.land(),
      onEnd: () => {
        this.show(undefined);
        onChange(null);
      },
    });
  }

  private aim(move: DragMove): void {
    const { values, row, lineHeight } = this.parts;
    const rows = values.outline.rows.peek();
    if (rows !== this.seen) {
      this.seen = rows;
      this.rows = dropRows(rows, row.key);
    }
    const line = (move.contentY - this.listTop) / lineHeight;
    const depth = row.depth + Math.round(move.dx / kIndentPx);
    this.drop = dropAt(values.tree.peek(), row, this.rows, { line, depth });
    this.show(this.drop);
    this.openWhenHeld(this.drop);
  }

  /** A closed line that something is held over opens. */
  private openWhenHeld(drop: Drop): void {
    const over = drop.kind === "inside" ? this.seen[drop.line] : undefined;
    if (!over?.hasChildren || over.isOpen) return void (this.opening = undefined);
    const now = performance.now();
    if (this.opening?.key !== over.key) {
      this.opening = { key: over.key, since: now };
      setTimeout(() => this.opening?.key === over.key && this.openIfDue(over), kOpenAfterMs);
    }
  }

  private openIfDue(row: Row): void {
    if (!this.opening || performance.now() - this.opening.since < kOpenAfterMs - 20) return;
    this.opening = undefined;
    this.parts.values.outline.setOpen(row.node.nodeId, true);
  }

  private show(drop: Drop | undefined): void {
    const { signs, lineHeight, firstX } = this.parts;
    const isRefused = drop !== undefined && drop.target === undefined;
    signs.line.hidden = drop?.kind !== "between";
    signs.inside.hidden = drop?.kind !== "inside";
    signs.why.hidden = !isRefused;
    if (!drop) return void (this.opening = undefined);
    const y = drop.line * lineHeight;
    const x = firstX + drop.depth * kIndentPx;
    signs.line.classList.toggle("drop-refused", isRefused);
    if (drop.kind === "between") signs.line.style.transform = `translate(${x}px, ${y}px)`;
    else signs.inside.style.transform = `translateY(${y}px)`;
    if (isRefused) {
      if (signs.why.textContent !== drop.why) signs.why.textContent = drop.why ?? "";
      signs.why.style.transform = `translate(${x}px, ${y + 4}px)`;
    }
  }

  private land(): void {
    const { values, row } = this.parts;
    this.opening = undefined;
    const target = this.drop?.target;
    if (!target || isSamePlace(values.tree.peek(), row, target)) return;
    values.move(row.node.nodeId, target, row.parentId);
    values.outline.choose(row.node.nodeId);
    ++values.focusTree.value;
  }
}
