import { useRef, useState } from "preact/hooks";
import { api, problemOf, type ApiProblem, type Schemas } from "../api";
import { useResource } from "../state";
import type { AttributeMap } from "./attribute_value";
import { changesBetween, changesText, type ItemChanges, type StoredItem } from "./item_changes";
import type { Place } from "./place";

export interface DataItem extends StoredItem {
  entity: string | undefined;
  hidden: string[];
  links: Schemas["DataLink"][];
}

export interface PartitionData {
  model: string;
  parents: Schemas["DataLink"][];
  /** Of the items read so far. */
  entities: Schemas["DataEntity"][];
  items: DataItem[];
  nextCursor: string | undefined;
  /** The latest that a read found; null: none since the first. */
  changes: ItemChanges | null;
}

const kPageItems = 50;
const kPageItemsMax = 100;

/** A partition as far as it was read; `readMore` goes on, `refresh` reads as much of it anew. The component that uses it
 *  has a key: it is for one partition. */
export function usePartition(place: Place) {
  const shown = useRef<PartitionData | null>(null);
  const [reading, setReading] = useState(false);
  const [moreProblem, setMoreProblem] = useState<ApiProblem | null>(null);

  const resource = useResource(`${place.table} ${place.partition}`, async (signal) => {
    const before = shown.current;
    const data = await readAsMuch(place, before?.items.length ?? 0, signal);
    if (before) {
      const changes = changesBetween(before.items, data.items, data.nextCursor === undefined);
      data.changes = changesText(changes) === "" ? before.changes : changes;
    }
    shown.current = data;
    return data;
  });

  async function readMore() {
    const before = resource.data.peek();
    if (!before?.nextCursor || reading) return;
    setReading(true);
    setMoreProblem(null);
    try {
      const data = joined(before, await readPage(place, kPageItems, before.nextCursor));
      if (resource.data.peek() !== before) return; // it was read anew meanwhile
      shown.current = data;
      resource.set(data);
    } catch (thrown) {
      setMoreProblem(problemOf(thrown));
    } finally {
      setReading(false);
    }
  }

  return {
    data: resource.data.value,
    problem: resource.problem.value,
    loading: resource.loading.value,
    refresh: () => resource.refresh(),
    readMore: () => void readMore(),
    reading,
    moreProblem,
  };
}

async function readAsMuch(place: Place, items: number, signal: AbortSignal): Promise<PartitionData> {
  let data = await readPage(place, items <= kPageItems ? kPageItems : kPageItemsMax, undefined, signal);
  while (data.nextCursor !== undefined && data.items.length < items) {
    data = joined(data, await readPage(place, kPageItemsMax, data.nextCursor, signal));
  }
  return data;
}

async function readPage(place: Place, limit: number, cursor?: string, signal?: AbortSignal): Promise<PartitionData> {
  const query = { table: place.table, partition: place.partition, limit, ...(cursor === undefined ? {} : { cursor }) };
  const { model, parents, entities, items, nextCursor } = await api.get("/api/data/items", {
    query,
    ...(signal ? { signal } : {}),
  });
  return { model, parents, entities, items: items.map(typed), nextCursor, changes: null };
}

/** OpenAPI says "anything" of what is DynamoDB's JSON. */
function typed(item: Schemas["DataItem"]): DataItem {
  return {
    entity: item.entity,
    keys: item.keys as AttributeMap,
    attributes: item.attributes as AttributeMap,
    hidden: item.hidden,
    links: item.links,
  };
}

function joined(before: PartitionData, next: PartitionData): PartitionData {
  const known = new Set(before.entities.map(({ name }) => name));
  return {
    ...before,
    entities: [...before.entities, ...next.entities.filter(({ name }) => !known.has(name))],
    items: [...before.items, ...next.items],
    nextCursor: next.nextCursor,
  };
}
