// The code of a page: loaded when it is opened, and kept. While nobody answers it is waited for, so that a page that was
// opened without a connection appears by itself once there is one. Nothing that waits to be sent is lost on the way: the
// window is loaded again only when nothing does.

import { effect } from "@preact/signals";
import type { ComponentType } from "preact";
import { live } from "../api";
import { unsavedCount } from "../state";
import type { PageEntry, PageProps } from "./pages";

type PageComponent = ComponentType<PageProps>;

/** absent: nobody answers; it comes by itself. failed: there is a server, which has no such page any more. */
export type LoadedPage = PageComponent | "absent" | "failed";

const kFirstPauseMs = 2000;
const kPauseMaxMs = 30_000;

/** What was loaded stays, so that coming back shows the page at once. */
const loaded = new Map<PageEntry, PageComponent>();
const loading = new Map<PageEntry, Promise<PageComponent>>();

export function knownPage(entry: PageEntry): PageComponent | undefined {
  return loaded.get(entry);
}

/** Asked for twice it is loaded once: whoever imports it a second time would not be made to wait for its styles. */
export function loadPage(entry: PageEntry): Promise<PageComponent> {
  let page = loading.get(entry);
  if (!page) {
    page = loadWithStyles(entry);
    loading.set(entry, page);
    page.catch(() => loading.delete(entry)); // the next one tries again
  }
  return page;
}

async function loadWithStyles(entry: PageEntry): Promise<PageComponent> {
  await mendStyles();
  const { default: component } = await entry.load();
  loaded.set(entry, component);
  return component;
}

/** A style sheet that could not be had stays in the document as an empty one, and is not asked for again: here it is. */
async function mendStyles(): Promise<void> {
  const broken = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(({ href }) => brokenStyles.has(href));
  await Promise.all(
    broken.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement;
      const there = new Promise<void>((resolve, reject) => {
        again.onload = () => {
          brokenStyles.delete(again.href);
          resolve();
        };
        again.onerror = () => reject(new Error(`No answer for ${link.href}`));
      });
      link.replaceWith(again);
      return there;
    }),
  );
}

const brokenStyles = new Set<string>();

/** Called once by the shell. */
export function watchStyles(): () => void {
  const note = ({ target }: Event) => target instanceof HTMLLinkElement && brokenStyles.add(target.href);
  addEventListener("error", note, true);
  return () => removeEventListener("error", note, true);
}

/** Tells what there is to show of a page, until the returned function is called. */
export function followPage(entry: PageEntry, show: (page: LoadedPage) => void): () => void {
  let over = false;
  let stopWaiting: () => void = () => undefined;
  let pauseMs = kFirstPauseMs;
  let wasAbsent = false;

  async function attempt(): Promise<void> {
    stopWaiting();
    const page = await loadPage(entry).catch(() => null);
    if (over) return;
    if (page) return show(page);
    const isThere = await answers();
    if (over) return;
    if (!isThere) {
      wasAbsent = true;
      show("absent");
      stopWaiting = onceConnected(pauseMs, () => void attempt());
      pauseMs = Math.min(pauseMs * 2, kPauseMaxMs);
      return;
    }
    const again = await loadPage(entry).catch(() => null); // it may have come back in between
    if (over) return;
    // Some browsers do not ask twice for a script that they could not get.
    if (!again && wasAbsent) stopWaiting = onceSaved(() => location.reload());
    else show(again ?? "failed");
  }

  void attempt();
  return () => {
    over = true;
    stopWaiting();
  };
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch("/healthz", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/** When there is reason to believe that somebody answers, at the latest after a while. The returned function takes it back. */
function onceConnected(pauseMs: number, run: () => void): () => void {
  let isFirst = true;
  const timer = setTimeout(run, pauseMs);
  const stopFollowing = effect(() => {
    const isOpen = live.state.value === "open";
    if (isOpen && !isFirst) queueMicrotask(run);
    isFirst = false;
  });
  addEventListener("online", run);
  return () => {
    clearTimeout(timer);
    stopFollowing();
    removeEventListener("online", run);
  };
}

function onceSaved(run: () => void): () => void {
  return effect(() => {
    if (unsavedCount.value === 0) queueMicrotask(run);
  });
}
