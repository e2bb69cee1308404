// What a page is to the shell. The table of all pages is src/pages.ts.

import type { ComponentType } from "preact";
import type { IconName } from "../parts";

export interface PageProps {
  /** What the address says behind the page's own path: ["2026-11-16"] for "/today/2026-11-16". */
  rest: string[];
  query: URLSearchParams;
}

export interface PageEntry {
  path: string;
  name: string;
  icon: IconName;
  /** Where the navigation shows it. none: links and the palette lead there. */
  place: "main" | "foot" | "none";
  /** Not in the bar of narrow screens, which has room for seven. The palette and links lead there. */
  wideOnly?: boolean;
  /** The shortcut that leads there. */
  keys?: string;
  /** Shown to whom. anyone: alone, without the navigation, whoever is there. */
  audience: "signedIn" | "signedOut" | "anyone";
  load: () => Promise<{ default: ComponentType<PageProps> }>;
}

export interface Match {
  entry: PageEntry;
  rest: string[];
}

/** The page of an address: that with the longest path which the address begins with. */
export function matchPage(pages: readonly PageEntry[], path: string): Match | null {
  const segments = segmentsOf(path);
  let best: Match | null = null;
  let bestLength = -1;
  for (const entry of pages) {
    const own = segmentsOf(entry.path);
    const fits = own.every((segment, index) => segments[index] === segment);
    if (!fits || own.length <= bestLength || own.length === 0) continue;
    best = { entry, rest: segments.slice(own.length) };
    bestLength = own.length;
  }
  return best;
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter(Boolean).map(decode);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
