// What the page reads: settings, the values tree, the plan of the day. Kept fresh by live events.

import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { api, useRoom } from "../api";
import { useOptimistic } from "../state";
import { readValues, type Values } from "./open_actions";
import { planStore, type PlanStore } from "./plan_store";

/** The tree of whoever is signed in; kept from one visit of the page to the next. */
const trees = new Map<string, ReturnType<typeof signal<Values | undefined>>>();

function valuesOf(userId: string) {
  let values = trees.get(userId);
  if (!values) {
    values = signal<Values | undefined>(undefined);
    trees.set(userId, values);
  }
  return values;
}

export interface DayData {
  store: PlanStore;
  values: Values | undefined;
  /** Reads everything anew. */
  refresh: () => Promise<void>;
}

export function useDay(userId: string, day: string): DayData {
  const store = planStore(userId, day);
  const values = valuesOf(userId);
  const refresh = useMemo(
    () => async () => {
      const [tree] = await Promise.all([api.get("/api/values"), store.plan.refresh()]);
      values.value = readValues(tree);
    },
    [store, values],
  );
  useOptimistic(store.plan, `plan:${userId}:${day}`);
  // Titles and what is completed come from the tree, so a change there is one here.
  useRoom(`values:${userId}`, refresh);
  useEffect(() => {
    store.refused.value = null;
  }, [store]);
  return { store, values: values.value, refresh };
}
