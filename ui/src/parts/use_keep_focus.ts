import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Rows that change places are taken out and put in again, which takes the focus from them: gives it back. */
export function useKeepFocus(list: RefObject<HTMLElement>): void {
  const active = document.activeElement;
  const before = active instanceof HTMLElement && list.current?.contains(active) ? active : null;
  useLayoutEffect(() => {
    // Where somebody has put it meanwhile, it stays.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && before?.isConnected) before.focus({ preventScroll: true });
  });
}
