import { useState } from "preact/hooks";
import { problemOf } from "../api";

export interface Request {
  /** Until it has ended one way or the other: for the button that started it. */
  busy: boolean;
  /** Why the latest did not work, as a sentence. */
  problem: string | null;
  run: () => void;
}

/** Something that a button does once, and that may fail in its place: `const fill = useRequest(() => api.post(...))`. */
export function useRequest(send: () => Promise<void>): Request {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function run() {
    setBusy(true);
    setProblem(null);
    try {
      await send();
    } catch (thrown) {
      setProblem(problemOf(thrown).message);
    } finally {
      setBusy(false);
    }
  }
  return { busy, problem, run: () => void run() };
}
