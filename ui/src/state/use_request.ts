import { useState } from "preact/hooks";
import { problemOf, type ApiProblem } from "../api";

export interface Request {
  /** Until it has ended one way or the other: for the button that started it. */
  busy: boolean;
  /** Why the latest did not work, as a sentence. */
  problem: string | null;
  /** What was wrong with one field of it. */
  field: (name: string) => string | undefined;
  /** The problem is mended, or about to be. */
  forget: () => void;
  run: () => void;
}

/** Something that a button does once, and that may fail in its place: `const fill = useRequest(() => api.post(...))`. */
export function useRequest(send: () => Promise<void>): Request {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<ApiProblem | null>(null);
  async function run() {
    setBusy(true);
    setRefused(null);
    try {
      await send();
    } catch (thrown) {
      setRefused(problemOf(thrown));
    } finally {
      setBusy(false);
    }
  }
  return {
    busy,
    problem: refused?.message ?? null,
    field: (name) => refused?.field(name),
    forget: () => setRefused(null),
    run: () => void run(),
  };
}
