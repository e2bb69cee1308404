import { useEffect } from "preact/hooks";
import { api, useMe, useRoom, type ApiProblem } from "../api";
import { ownZone } from "../parts";
import { useResource } from "../state";
import type { NexusSettings } from "./calendar_types";

export interface KnownSettings {
  /** undefined until they are read. */
  known: NexusSettings | undefined;
  problem: ApiProblem | undefined;
  /** Shows these: what a change was answered with. */
  keep: (saved: NexusSettings) => void;
  /** Shows these of them as they are now. */
  note: (changed: Partial<NexusSettings>) => void;
  refresh: () => Promise<void>;
}

/** The settings of the account, as they are now: other tabs change them, and so do deliveries. */
export function useNexusSettings(): KnownSettings {
  const me = useMe();
  const settings = useResource("nexus settings", (signal) => api.get("/api/nexus/settings", { signal }));
  useRoom(
    `nexus:${me.userId}`,
    () => settings.refresh(),
    ({ data }) => data.entityType === "SETTINGS",
  );
  const known = settings.data.value;

  // Whoever never chose a zone is where the device is. Kept, since what floats reminds at the hours of the account.
  const neverSet = known?.version === 0;
  useEffect(() => {
    if (!neverSet) return;
    api.patch("/api/nexus/settings", { body: { timezone: ownZone() } }).then(
      (saved) => settings.set(withOffers(saved, settings.data.peek())),
      () => undefined, // shown right all the same; tried again at the next visit
    );
  }, [neverSet, settings]);

  return {
    known: known && neverSet ? { ...known, timezone: ownZone() } : known,
    problem: settings.problem.value,
    keep: (saved) => settings.set(withOffers(saved, settings.data.peek())),
    note: (changed) => {
      const before = settings.data.peek();
      if (before) settings.set({ ...before, ...changed });
    },
    refresh: () => settings.refresh(),
  };
}

/** What this server offers is said when settings are read, not when they change. */
export function withOffers(saved: NexusSettings, before: NexusSettings | undefined): NexusSettings {
  return { ...saved, offersWebhook: before?.offersWebhook ?? false, offersEmail: before?.offersEmail ?? false };
}
