// Where something that is dragged would land: in a list, a tree, a grid of hours. Pure, on rows that were measured once when
// the drag began, in coordinates of the scrolled content.

export interface MeasuredRow {
  id: string;
  top: number;
  bottom: number;
}

/** Rows of a list by their `data-id`, in order. Call it in onStart; `scroller` is the one the drag uses. */
export function measureRows(list: Element, scroller: Element, selector = "[data-id]"): MeasuredRow[] {
  return [...list.querySelectorAll<HTMLElement>(selector)].map((row) => {
    const box = row.getBoundingClientRect();
    return { id: row.dataset.id ?? "", top: box.top + scroller.scrollTop, bottom: box.bottom + scroller.scrollTop };
  });
}

/** Before which row (0 to rows.length) something at this height goes. */
export function listSlot(rows: readonly MeasuredRow[], contentY: number): number {
  const at = rows.findIndex(({ top, bottom }) => contentY < (top + bottom) / 2);
  return at < 0 ? rows.length : at;
}

/** A list with the moved entry at its new place. `slot` counts places in the list as it is, as listSlot does. */
export function moveTo<T>(list: readonly T[], from: number, slot: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  rest.splice(slot > from ? slot - 1 : slot, 0, list[from]!);
  return rest;
}

export interface TreeRow extends MeasuredRow {
  depth: number;
}

export interface TreeSlot {
  /** null: at the top. */
  parentId: string | null;
  /** The sibling it comes after; null: it is the first. */
  afterId: string | null;
  depth: number;
  /** Where to draw the line. */
  contentY: number;
}

export interface TreeAim {
  contentY: number;
  /** The depth the pointer asks for: that of the dragged row, one more for every indent to the right. */
  depth: number;
  /** Whether it may be a child of that row. */
  mayBeUnder: (parentId: string | null) => boolean;
}

/**
 * Between which rows, and how deep. `rows` are the visible ones without the dragged row and all below it. Between two rows
 * only some depths make sense; of those that are allowed the one nearest to `depth` is taken. null: none is allowed.
 */
export function treeSlot(rows: readonly TreeRow[], aim: TreeAim): TreeSlot | null {
  const slot = listSlot(rows, aim.contentY);
  const above = rows[slot - 1];
  const below = rows[slot];
  const deepest = above ? above.depth + 1 : 0;
  const shallowest = Math.min(below?.depth ?? 0, deepest);
  let best: TreeSlot | null = null;
  for (let depth = shallowest; depth <= deepest; ++depth) {
    const place = placeAt(rows, slot, depth);
    const isNearer = !best || Math.abs(depth - aim.depth) < Math.abs(best.depth - aim.depth);
    if (isNearer && aim.mayBeUnder(place.parentId)) best = { ...place, depth, contentY: above?.bottom ?? below?.top ?? 0 };
  }
  return best;
}

function placeAt(rows: readonly TreeRow[], slot: number, depth: number): Pick<TreeSlot, "parentId" | "afterId"> {
  let afterId: string | null = null;
  for (let index = slot - 1; index >= 0; --index) {
    const row = rows[index]!;
    if (row.depth === depth && afterId === null) afterId = row.id;
    if (row.depth < depth) return { parentId: row.id, afterId };
  }
  return { parentId: null, afterId };
}

export interface TimeGrid {
  /** Where the first minute is, in the scrolled content. */
  top: number;
  pixelsPerMinute: number;
  /** Minutes since the start of the day. */
  firstMinute: number;
  lastMinute: number;
  snapMinutes: number;
}

/** The minute at a height, on the grid and inside the day. */
export function minuteAt(grid: TimeGrid, contentY: number): number {
  return clampMinute(grid, snap(grid, grid.firstMinute + (contentY - grid.top) / grid.pixelsPerMinute));
}

/** A span moved by some pixels: on the grid, as long as it was, inside the day. */
export function moveSpan(grid: TimeGrid, span: { start: number; end: number }, byPixels: number) {
  const length = span.end - span.start;
  const wanted = snap(grid, span.start + byPixels / grid.pixelsPerMinute);
  const start = Math.max(grid.firstMinute, Math.min(wanted, grid.lastMinute - length));
  return { start, end: start + length };
}

/** A span with one end moved; never shorter than one step of the grid. */
export function resizeSpan(grid: TimeGrid, span: { start: number; end: number }, edge: "start" | "end", byPixels: number) {
  const moved = clampMinute(grid, snap(grid, span[edge] + byPixels / grid.pixelsPerMinute));
  return edge === "start"
    ? { start: Math.min(moved, span.end - grid.snapMinutes), end: span.end }
    : { start: span.start, end: Math.max(moved, span.start + grid.snapMinutes) };
}

function snap(grid: TimeGrid, minute: number): number {
  return Math.round(minute / grid.snapMinutes) * grid.snapMinutes;
}

function clampMinute(grid: TimeGrid, minute: number): number {
  return Math.max(grid.firstMinute, Math.min(minute, grid.lastMinute));
}

const kEdgePx = 48;
const kSpeedMax = 1.1; // pixels per millisecond

/** How fast to scroll when the pointer is near an edge: negative towards the start, 0 in the middle. */
export function edgeSpeed(at: number, start: number, end: number): number {
  const zone = Math.min(kEdgePx, (end - start) / 4);
  const near = (distance: number) => Math.min(1, Math.max(0, (zone - distance) / zone)) ** 2;
  return kSpeedMax * (near(end - at) - near(at - start)) || 0;
}
