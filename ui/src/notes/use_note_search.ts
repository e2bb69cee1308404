import { useEffect, useState } from "preact/hooks";
import { api, problemOf, type Schemas } from "../api";

type Hit = Schemas["SearchHit"];

export interface Found {
  /** Notes only, the best first; undefined: not known yet. */
  hits: Hit[] | undefined;
  isCut: boolean;
  problem: string | null;
}

const kSettleMs = 180;
const kNothing: Found = { hits: undefined, isCut: false, problem: null };

/** Looks for notes while somebody types; `version` of the notes, so that it looks again when they change. */
export function useNoteSearch(text: string, version: unknown): Found {
  const [found, setFound] = useState<Found>(kNothing);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === "") {
      setFound(kNothing);
      return undefined;
    }
    const abort = new AbortController();
    const read = async () => {
      try {
        const { items, isCut } = await api.get("/api/nexus/search", {
          query: { q: wanted, types: "NOTE", limit: 100 },
          signal: abort.signal,
        });
        setFound({ hits: items, isCut, problem: null });
      } catch (thrown) {
        if (!abort.signal.aborted) setFound({ hits: [], isCut: false, problem: problemOf(thrown).message });
      }
    };
    const timer = setTimeout(() => void read(), kSettleMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted, version]);
  return wanted === "" ? kNothing : found;
}
