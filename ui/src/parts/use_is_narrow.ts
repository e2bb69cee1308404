import { useEffect, useState } from "preact/hooks";

const kNarrow = "(max-width: 899px)";

/** Too narrow for two columns side by side. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(kNarrow).matches);
  useEffect(() => {
    const query = matchMedia(kNarrow);
    const follow = () => setNarrow(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isNarrow;
}
