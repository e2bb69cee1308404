// Addresses and the history of the browser. Links are plain <a href="/values">; presses on them stay in this page.

import { signal } from "@preact/signals";

export interface Address {
  path: string;
  query: URLSearchParams;
  /** Counts changes of address in this tab; 0 is the first load. */
  visit: number;
}

function here(visit: number): Address {
  return { path: location.pathname, query: new URLSearchParams(location.search), visit };
}

export const address = signal<Address>(typeof location === "undefined" ? { path: "/", query: new URLSearchParams(), visit: 0 } : here(0));

/** Goes to an address of this page, e.g. "/today/2026-11-16". replace: Back does not lead here. */
export function navigate(to: string, how: "push" | "replace" = "push"): void {
  if (to === location.pathname + location.search) how = "replace";
  history[how === "push" ? "pushState" : "replaceState"](null, "", to);
  address.value = here(address.peek().visit + 1);
}

/** Called once by the shell. */
export function listenForNavigation(): () => void {
  const onPop = () => (address.value = here(address.peek().visit + 1));
  const onClick = (event: MouseEvent) => {
    const to = linkTarget(event);
    if (to === null) return;
    event.preventDefault();
    navigate(to);
  };
  addEventListener("popstate", onPop);
  document.addEventListener("click", onClick);
  return () => {
    removeEventListener("popstate", onPop);
    document.removeEventListener("click", onClick);
  };
}

/** Where a press leads within this page; null: it is the browser's business. */
function linkTarget(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return null;
  if (link.hash !== "" || /^\/(api|ws|openapi\.json)(\/|$)/.test(link.pathname)) return null;
  return link.pathname + link.search;
}

/** An address given by somebody else, if it is one of ours: "/values", never "//evil.example". */
export function ownAddress(text: string | null): string | null {
  return text !== null && /^\/(?![/\\])/.test(text) ? text : null;
}
