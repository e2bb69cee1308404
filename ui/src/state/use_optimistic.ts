import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { live, useRoom, type Concerns } from "../api";
import type { Optimistic } from "./optimistic";

interface Follow {
  /** Which events of the room are about this store; all unless said. */
  concerns?: Concerns;
  /** Waits so long before it reads again, for rooms in which one change is told as hundreds of events. */
  settleMs?: number;
}

/** Keeps a store fresh while the component is shown: reads at first, after every change of the room, and when the
 * connection is back it sends what has waited. */
export function useOptimistic<S, Op>(store: Optimistic<S, Op>, room: string | null, { concerns, settleMs = 0 }: Follow = {}): void {
  const hasRead = useRef<typeof store | null>(null);
  async function read() {
    if (settleMs > 0 && hasRead.current === store) await new Promise((resolve) => setTimeout(resolve, settleMs));
    hasRead.current = store;
    await store.refresh();
  }
  useRoom(room, read, concerns);
  // The room is the same, but what is shown of it is another part: it is read now.
  useEffect(() => {
    if (hasRead.current === null || hasRead.current === store) return;
    hasRead.current = store;
    store.refresh().catch(() => undefined); // in store.problem
  }, [store]);
  useEffect(
    () =>
      effect(() => {
        if (live.state.value === "open") store.resume();
      }),
    [store],
  );
}
