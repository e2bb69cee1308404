// What of a tree is on the screen, and which line is the current one. Used for the tree of now and for those of old
// revisions.

import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { flattenTree, type Row } from "./rows";
import { emptyTree, pathTo, type Tree } from "./tree";

export class Outline {
  readonly closed = signal<ReadonlySet<string>>(new Set());
  readonly showArchived = signal(false);
  readonly showCompleted = signal(true);
  readonly search = signal("");
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly current: ReadonlySignal<Row | undefined>;
  private readonly currentKey = signal<string | null>(null);
  private lastLine = 0;

  constructor(
    readonly tree: ReadonlySignal<Tree | undefined>,
    /** Where to remember what is closed; absent: nowhere. */
    private readonly memory?: string,
  ) {
    this.recall();
    this.rows = computed(() =>
      flattenTree(tree.value ?? emptyTree, {
        closed: this.closed.value,
        showArchived: this.showArchived.value,
        showCompleted: this.showCompleted.value,
        search: this.search.value,
      }),
    );
    this.current = computed(() => this.findCurrent());
  }

  /** The current line. When it is gone, the one that came into its place. */
  private findCurrent(): Row | undefined {
    const rows = this.rows.value;
    const key = this.currentKey.value;
    if (key === null) return undefined;
    const line = rows.findIndex((row) => row.key === key);
    if (line >= 0) {
      this.lastLine = line;
      return rows[line];
    }
    return rows[Math.min(this.lastLine, rows.length - 1)];
  }

  choose(key: string | null): void {
    this.currentKey.value = key;
  }

  lineOf(key: string | undefined): number {
    return key === undefined ? -1 : this.rows.value.findIndex((row) => row.key === key);
  }

  setOpen(id: string, open: boolean): void {
    const closed = new Set(this.closed.value);
    if (open) closed.delete(id);
    else closed.add(id);
    this.closed.value = closed;
    this.remember();
  }

  /** Closes all but `depth` levels; Infinity opens everything. */
  openTo(depth: number): void {
    const tree = this.tree.value ?? emptyTree;
    const closed = new Set<string>();
    for (const id of tree.children.keys()) if (pathTo(tree, id).length > depth) closed.add(id);
    this.closed.value = closed;
    this.remember();
  }

  /** Makes a node seen, and its line the current one. */
  reveal(id: string): void {
    const tree = this.tree.value;
    const node = tree?.nodes.get(id);
    if (!tree || !node) return;
    if (node.archived) this.showArchived.value = true;
    if (node.completedAt !== undefined) this.showCompleted.value = true;
    if (!this.rows.value.some((row) => row.node.nodeId === id)) this.search.value = "";
    const closed = new Set(this.closed.value);
    for (const above of pathTo(tree, id).slice(0, -1)) closed.delete(above);
    if (closed.size !== this.closed.value.size) this.closed.value = closed;
    this.remember();
    this.choose(id);
  }

  private recall(): void {
    if (this.memory === undefined) return;
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.memory) ?? "null");
      if (typeof kept !== "object" || kept === null) return;
      const { closed, showArchived, showCompleted } = kept as Record<string, unknown>;
      if (Array.isArray(closed)) this.closed.value = new Set(closed.filter((id) => typeof id === "string"));
      this.showArchived.value = showArchived === true;
      this.showCompleted.value = showCompleted !== false;
    } catch {
      return; // no storage, or somebody else's
    }
  }

  remember(): void {
    if (this.memory === undefined) return;
    const known = this.tree.peek()?.nodes;
    const closed = [...this.closed.peek()].filter((id) => known?.has(id) ?? true);
    const kept = { closed, showArchived: this.showArchived.peek(), showCompleted: this.showCompleted.peek() };
    try {
      localStorage.setItem(this.memory, JSON.stringify(kept));
    } catch {
      return; // private windows have none
    }
  }
}
