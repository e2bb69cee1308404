import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Rows that change places are taken out and put in again, which takes the focus from them: gives it back. What comes to lie in
 * another list is made anew; it is found by its `data-id`.
 */
export function useKeepFocus(list: RefObject<HTMLElement>): void {
  const active = document.activeElement;
  const before = active instanceof HTMLElement && list.current?.contains(active) ? active : null;
  const id = before?.closest<HTMLElement>("[data-id]")?.dataset.id;
  useLayoutEffect(() => {
    // Where somebody has put it meanwhile, it stays.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isLost || !before) return;
    if (before.isConnected) before.focus({ preventScroll: true });
    else if (id !== undefined) list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] button`)?.focus();
  });
}
