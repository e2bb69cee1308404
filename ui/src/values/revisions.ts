// Old revisions, and what each one changed. They never change, so whatever was read is kept for a while.

import { api, type Schemas } from "../api";
import type { Diff } from "./changes";
import { readTree, type Tree } from "./tree";

/** Keeps the newest few promises; what failed is read again. */
class Kept<T> {
  private readonly entries = new Map<string, Promise<T>>();

  constructor(
    private readonly max: number,
    private readonly read: (key: string) => Promise<T>,
  ) {}

  get(key: string): Promise<T> {
    const known = this.entries.get(key);
    this.entries.delete(key);
    const entry = known ?? this.read(key);
    this.entries.set(key, entry);
    entry.catch(() => this.entries.delete(key));
    for (const oldest of [...this.entries.keys()].slice(0, Math.max(0, this.entries.size - this.max))) this.entries.delete(oldest);
    return entry;
  }
}

const trees = new Kept<Tree>(8, async (revId) => readTree(await api.get("/api/values", { query: { rev: revId, includeArchived: true } })));
const details = new Kept<Schemas["CommitDetail"]>(200, (revId) => api.get("/api/values/commits/{revId}", { path: { revId } }));
const diffs = new Kept<Diff>(20, (key) => {
  const [from, to] = key.split(" ") as [string, string];
  return api.get("/api/values/diff", { query: { from, to } });
});

export function treeOf(revId: string): Promise<Tree> {
  return trees.get(revId);
}

export function commitOf(revId: string): Promise<Schemas["CommitDetail"]> {
  return details.get(revId);
}

export interface Comparison {
  diff: Diff;
  before: Tree;
  after: Tree;
}

export async function compare(fromRevId: string, toRevId: string): Promise<Comparison> {
  const [diff, before, after] = await Promise.all([diffs.get(`${fromRevId} ${toRevId}`), treeOf(fromRevId), treeOf(toRevId)]);
  return { diff, before, after };
}

/** The last revision at or before a moment; its tree says which it is. */
export async function treeAt(moment: string): Promise<Tree> {
  return readTree(await api.get("/api/values", { query: { at: moment, includeArchived: true } }));
}
