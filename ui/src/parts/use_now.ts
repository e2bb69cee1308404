import { useEffect, useState } from "preact/hooks";

/** The present moment, a new one every few seconds. */
export function useNow(everyMs = 5000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const beat = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(beat);
  }, [everyMs]);
  return now;
}
