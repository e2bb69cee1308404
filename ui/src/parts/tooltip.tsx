// One tooltip for the whole page: elements say what theirs is with `{...tooltip("Archive", "e")}`. It is a help for those
// who point; whoever listens has the element's own name.

import { useEffect, useRef, useState } from "preact/hooks";
import { placeBeside } from "./floating";
import { Kbd } from "./kbd";
import "./tooltip.css";

export interface TooltipAttributes {
  "data-tooltip"?: string;
  "data-tooltip-keys"?: string;
}

export function tooltip(text: string, keys?: string): TooltipAttributes {
  return { "data-tooltip": text, ...(keys === undefined ? {} : { "data-tooltip-keys": keys }) };
}

const kDelayMs = 450;
const kSoonMs = 300; // pointing at the next element right after shows its tooltip at once

interface Shown {
  target: HTMLElement;
  text: string;
  keys: string | undefined;
}

/** Mounted once, by the shell. */
export function TooltipHost() {
  const [shown, setShown] = useState<Shown | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => watchTargets(setShown), []);

  useEffect(() => {
    const element = box.current;
    if (!shown || !element) return;
    element.showPopover();
    const { left, top } = placeBeside(shown.target.getBoundingClientRect(), element.getBoundingClientRect(), {
      width: document.documentElement.clientWidth,
      height: innerHeight,
      side: "bottom",
      gap: 6,
    });
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    return () => element.hidePopover();
  }, [shown]);

  if (!shown) return null;
  return (
    <div class="tooltip" popover="manual" ref={box} aria-hidden="true">
      {shown.text && <span>{shown.text}</span>}
      {shown.keys && <Kbd keys={shown.keys} />}
    </div>
  );
}

function watchTargets(show: (shown: Shown | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let target: HTMLElement | null = null;
  let hiddenAt = -Infinity;

  function hide() {
    clearTimeout(timer);
    if (target) hiddenAt = performance.now();
    target = null;
    show(null);
  }

  function aim(element: HTMLElement | null) {
    if (element === target) return;
    const soon = target !== null || performance.now() - hiddenAt < kSoonMs;
    hide();
    if (!element) return;
    timer = setTimeout(
      () => {
        if (!element.isConnected) return;
        target = element;
        show({ target: element, text: element.dataset.tooltip ?? "", keys: element.dataset.tooltipKeys });
      },
      soon ? 60 : kDelayMs,
    );
  }

  const over = (event: PointerEvent) => {
    if (event.pointerType === "mouse") aim(targetOf(event.target));
  };
  const focus = (event: FocusEvent) => {
    const element = targetOf(event.target);
    if (element?.matches(":focus-visible")) aim(element);
  };
  const events: [string, (event: never) => void][] = [
    ["pointerover", over],
    ["focusin", focus],
    ["focusout", hide],
    ["pointerdown", hide],
    ["keydown", hide],
    ["scroll", hide],
  ];
  for (const [name, run] of events) document.addEventListener(name, run as EventListener, { capture: true, passive: true });
  return () => {
    hide();
    for (const [name, run] of events) document.removeEventListener(name, run as EventListener, { capture: true });
  };
}

function targetOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
}
