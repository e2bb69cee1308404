// What became of a partition between two reads of it.

import type { AttributeMap } from "./attribute_value";

export interface StoredItem {
  keys: AttributeMap;
  attributes: AttributeMap;
}

export interface ItemChanges {
  /** By keyOf. */
  added: Set<string>;
  changed: Set<string>;
  removed: number;
}

export function keyOf(item: StoredItem): string {
  return JSON.stringify(item.keys);
}

/** `complete`: the later read saw everything there is, so what is missing in it is gone. */
export function changesBetween(before: StoredItem[], after: StoredItem[], complete: boolean): ItemChanges {
  const old = new Map(before.map((item) => [keyOf(item), JSON.stringify(item.attributes)]));
  const changes: ItemChanges = { added: new Set(), changed: new Set(), removed: 0 };
  for (const item of after) {
    const key = keyOf(item);
    const known = old.get(key);
    old.delete(key);
    if (known === undefined) changes.added.add(key);
    else if (known !== JSON.stringify(item.attributes)) changes.changed.add(key);
  }
  if (complete) changes.removed = old.size;
  return changes;
}

/** "Latest change: 2 items new, 1 item changed." Empty: there was none. */
export function changesText({ added, changed, removed }: ItemChanges): string {
  const parts = [
    added.size > 0 && `${count(added.size)} new`,
    changed.size > 0 && `${count(changed.size)} changed`,
    removed > 0 && `${count(removed)} gone`,
  ].filter(Boolean);
  return parts.length === 0 ? "" : `Latest change: ${parts.join(", ")}.`;
}

function count(items: number): string {
  return items === 1 ? "1 item" : `${items} items`;
}
