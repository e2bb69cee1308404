import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { live, useRoom } from "../api";
import type { Optimistic } from "./optimistic";

/** Keeps a store fresh while the component is shown: reads at first, after every change of the room, and when the
 * connection is back it sends what has waited. */
export function useOptimistic<S, Op>(store: Optimistic<S, Op>, room: string | null): void {
  useRoom(room, () => store.refresh());
  useEffect(
    () =>
      effect(() => {
        if (live.state.value === "open") store.resume();
      }),
    [store],
  );
}
