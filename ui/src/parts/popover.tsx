import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { classNames } from "./class_names";
import { placeBeside, type Box, type Side } from "./floating";
import { LayerContext, useLayer } from "./layers";
import "./popover.css";

/** What it is beside: an element, or a place such as `pointBox(event.clientX, event.clientY)`. */
export type Anchor = RefObject<Element> | Box;

export interface PopoverProps {
  anchor: Anchor;
  /** Escape, or a press outside. */
  onClose: () => void;
  label: string;
  side?: Side;
  role?: "dialog" | "menu" | "listbox";
  class?: string;
  children: ComponentChildren;
}

const kFocusable = "button:not(:disabled), [href], input, select, textarea, [tabindex]:not([tabindex='-1'])";

/** Floats beside its anchor while it is rendered, above everything, also above dialogs. Takes the focus and gives it back. */
export function Popover({ anchor, onClose, label, side = "bottom-start", role = "dialog", ...rest }: PopoverProps) {
  const element = useRef<HTMLDivElement>(null);
  const layer = useLayer(onClose);
  const close = useRef(onClose);
  close.current = onClose;
  const beside = useRef(anchor);
  beside.current = anchor;

  useLayoutEffect(() => {
    const box = element.current!;
    const before = document.activeElement;
    box.showPopover();
    const place = () => moveBeside(box, boxOf(beside.current), side);
    place();
    const wanted = box.querySelector<HTMLElement>("[autofocus], [data-autofocus]") ?? box.querySelector<HTMLElement>(kFocusable);
    (wanted ?? box).focus({ preventScroll: true });

    const observer = new ResizeObserver(place);
    observer.observe(box);
    const onPress = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!box.contains(target) && !elementOf(beside.current)?.contains(target)) close.current();
    };
    addEventListener("resize", place);
    addEventListener("scroll", place, { capture: true, passive: true });
    addEventListener("pointerdown", onPress, true);
    return () => {
      observer.disconnect();
      removeEventListener("resize", place);
      removeEventListener("scroll", place, { capture: true });
      removeEventListener("pointerdown", onPress, true);
      const hadFocus = box.contains(document.activeElement) || document.activeElement === document.body;
      if (box.isConnected) box.hidePopover();
      if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [side]);

  return (
    <div ref={element} popover="manual" role={role} aria-label={label} tabIndex={-1} class={classNames("popover", rest.class)}>
      <LayerContext.Provider value={layer}>{rest.children}</LayerContext.Provider>
    </div>
  );
}

function elementOf(anchor: Anchor): Element | null {
  return "current" in anchor ? anchor.current : null;
}

function boxOf(anchor: Anchor): Box {
  if (!("current" in anchor)) return anchor;
  return anchor.current?.getBoundingClientRect() ?? { left: 0, top: 0, right: 0, bottom: 0 };
}

function moveBeside(box: HTMLElement, anchor: Box, side: Side): void {
  const size = { width: box.offsetWidth, height: box.offsetHeight };
  const view = { width: document.documentElement.clientWidth, height: innerHeight };
  const { left, top } = placeBeside(anchor, size, { ...view, side });
  box.style.left = `${Math.round(left)}px`;
  box.style.top = `${Math.round(top)}px`;
}
