// Dragging by pointer events: mouse, finger and pen alike. Call `beginDrag` from onPointerDown; it is a drag once the pointer
// has moved a little (or a finger has rested), and until then a plain press. While dragging nothing is measured and only
// transforms change, once per frame. Escape cancels. Where things may be dropped: drop_targets.ts. A page offers the same
// by keyboard in its own words.

import { edgeSpeed } from "./drop_targets";
import { pushLayer } from "./layers";
import "./drag.css";

export interface DragMove {
  /** Where the pointer is in the window. */
  x: number;
  y: number;
  /** How far it is from where it was pressed. */
  dx: number;
  dy: number;
  /** The same within the scrolled content: what a thing lying in it has to move by. */
  contentDx: number;
  contentDy: number;
  /** Where the pointer is within the scrolled content, as `measureRows` measures. */
  contentX: number;
  contentY: number;
  shiftKey: boolean;
  altKey: boolean;
}

export interface DragOptions {
  /** What is lifted. */
  element: HTMLElement;
  /** What follows the pointer: a copy (lists, trees), the element itself (blocks in a grid), nothing (resizing). */
  follow?: "copy" | "element" | "none";
  axis?: "both" | "x" | "y";
  /** Scrolls when the pointer is near its edge; the nearest one around the element unless told. */
  scroller?: HTMLElement;
  /** hold: a finger has to rest first, so that lists still scroll. now: for handles with `touch-action: none`. */
  touch?: "hold" | "now";
  onStart?: (move: DragMove) => void;
  /** At most once per frame. */
  onMove?: (move: DragMove) => void;
  onDrop: (move: DragMove) => void;
  onCancel?: () => void;
  /** Whether dropped or cancelled. */
  onEnd?: () => void;
}

const kThresholdPx = 5;
const kHoldMs = 220;
const kHoldSlackPx = 8;

export function beginDrag(event: PointerEvent, options: DragOptions): void {
  if (event.button !== 0 || !event.isPrimary) return;
  new Drag(event, options);
}

class Drag {
  private readonly pointerId: number;
  private readonly startX: number;
  private readonly startY: number;
  private readonly scroller: HTMLElement;
  private readonly startScroll: { left: number; top: number };
  private readonly stopListening: () => void;
  private latest: PointerEvent;
  private hold: ReturnType<typeof setTimeout> | undefined;
  private lifted: { lift: HTMLElement; drop: () => void } | undefined;
  private frame = 0;
  private frameAt = 0;
  private moved = false;
  private scrollerBox = { left: 0, top: 0, right: 0, bottom: 0 };
  private readonly waitsForRest: boolean;

  constructor(
    press: PointerEvent,
    private readonly options: DragOptions,
  ) {
    this.pointerId = press.pointerId;
    this.latest = press;
    this.startX = press.clientX;
    this.startY = press.clientY;
    this.scroller = options.scroller ?? nearestScroller(options.element);
    this.startScroll = { left: this.scroller.scrollLeft, top: this.scroller.scrollTop };
    this.waitsForRest = press.pointerType === "touch" && options.touch !== "now";
    this.stopListening = this.listen();
    if (this.waitsForRest) this.hold = setTimeout(() => this.start(), kHoldMs);
  }

  private listen(): () => void {
    const move = (event: PointerEvent) => event.pointerId === this.pointerId && this.onPointerMove(event);
    const up = (event: PointerEvent) => event.pointerId === this.pointerId && this.end("drop");
    const cancel = (event: PointerEvent) => event.pointerId === this.pointerId && this.end("cancel");
    // A finger that drags must not scroll as well, which only touchmove can say.
    const touch = (event: TouchEvent) => this.lifted && event.cancelable && event.preventDefault();
    const menu = (event: Event) => (this.lifted || this.waitsForRest) && event.preventDefault();
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", up);
    document.addEventListener("pointercancel", cancel);
    document.addEventListener("touchmove", touch, { passive: false });
    document.addEventListener("contextmenu", menu);
    return () => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", up);
      document.removeEventListener("pointercancel", cancel);
      document.removeEventListener("touchmove", touch);
      document.removeEventListener("contextmenu", menu);
    };
  }

  private onPointerMove(event: PointerEvent): void {
    this.latest = event;
    this.moved = true;
    if (this.lifted) return;
    const distance = Math.hypot(event.clientX - this.startX, event.clientY - this.startY);
    if (this.waitsForRest && distance > kHoldSlackPx)
      this.end("cancel"); // it scrolls
    else if (!this.waitsForRest && distance > kThresholdPx) this.start();
  }

  private start(): void {
    // Captured by the root: the element may be rendered anew while it is dragged.
    const root = document.documentElement;
    trySetCapture(root, this.pointerId);
    root.classList.add("dragging");
    getSelection()?.removeAllRanges();
    const popLayer = pushLayer(() => this.end("cancel"));
    const lift = liftElement(this.options);
    this.lifted = {
      lift: lift.element,
      drop: () => {
        popLayer();
        lift.drop();
        root.classList.remove("dragging");
        if (root.hasPointerCapture(this.pointerId)) root.releasePointerCapture(this.pointerId);
      },
    };
    this.scrollerBox =
      this.scroller === document.scrollingElement
        ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
        : this.scroller.getBoundingClientRect();
    const move = this.move();
    this.options.onStart?.(move);
    this.show(move);
    this.frameAt = performance.now();
    this.frame = requestAnimationFrame(this.onFrame);
  }

  private readonly onFrame = (now: number) => {
    const scrolled = this.scrollNearEdge(now - this.frameAt);
    this.frameAt = now;
    if (this.moved || scrolled) {
      this.moved = false;
      this.show(this.move());
    }
    this.frame = requestAnimationFrame(this.onFrame);
  };

  private show(move: DragMove): void {
    const { follow = "copy", axis = "both" } = this.options;
    if (follow !== "none") {
      // A copy lies in the window, the element itself in the scrolled content.
      const x = axis === "y" ? 0 : follow === "copy" ? move.dx : move.contentDx;
      const y = axis === "x" ? 0 : follow === "copy" ? move.dy : move.contentDy;
      this.lifted!.lift.style.transform = `translate3d(${x}px, ${y}px, 0)`;
    }
    this.options.onMove?.(move);
  }

  private scrollNearEdge(elapsedMs: number): boolean {
    const box = this.scrollerBox;
    const { axis = "both" } = this.options;
    const byX = axis === "y" ? 0 : edgeSpeed(this.latest.clientX, box.left, box.right) * elapsedMs;
    const byY = axis === "x" ? 0 : edgeSpeed(this.latest.clientY, box.top, box.bottom) * elapsedMs;
    if (byX === 0 && byY === 0) return false;
    const before = [this.scroller.scrollLeft, this.scroller.scrollTop];
    this.scroller.scrollBy(byX, byY);
    return before[0] !== this.scroller.scrollLeft || before[1] !== this.scroller.scrollTop;
  }

  private move(): DragMove {
    const { clientX: x, clientY: y, shiftKey, altKey } = this.latest;
    const { scrollLeft, scrollTop } = this.scroller;
    const dx = x - this.startX;
    const dy = y - this.startY;
    const contentDx = dx + scrollLeft - this.startScroll.left;
    const contentDy = dy + scrollTop - this.startScroll.top;
    return { x, y, dx, dy, contentDx, contentDy, contentX: x + scrollLeft, contentY: y + scrollTop, shiftKey, altKey };
  }

  private end(how: "drop" | "cancel"): void {
    clearTimeout(this.hold);
    cancelAnimationFrame(this.frame);
    this.stopListening();
    const { lifted } = this;
    if (!lifted) return; // it was a press
    const move = this.move();
    this.lifted = undefined;
    lifted.drop();
    swallowClick();
    if (how === "drop") this.options.onDrop(move);
    else this.options.onCancel?.();
    this.options.onEnd?.();
  }
}

function liftElement({ element, follow = "copy" }: DragOptions): { element: HTMLElement; drop: () => void } {
  if (follow !== "copy") {
    element.classList.add("drag-lifted");
    return {
      element,
      drop: () => {
        element.classList.remove("drag-lifted");
        element.style.transform = "";
      },
    };
  }
  const box = element.getBoundingClientRect();
  const copy = element.cloneNode(true) as HTMLElement;
  copy.removeAttribute("id");
  for (const inner of copy.querySelectorAll("[id]")) inner.removeAttribute("id");
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("drag-copy");
  Object.assign(copy.style, {
    left: `${box.left}px`,
    top: `${box.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  });
  document.body.append(copy);
  element.classList.add("drag-source");
  return {
    element: copy,
    drop: () => {
      copy.remove();
      element.classList.remove("drag-source");
    },
  };
}

/** The press that ends a drag is no click on whatever lies below. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    if (event.detail === 0) return; // by a key
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
}

function nearestScroller(element: HTMLElement): HTMLElement {
  for (let around = element.parentElement; around; around = around.parentElement) {
    const { overflowY, overflowX } = getComputedStyle(around);
    const scrolls = /auto|scroll/.test(overflowY + overflowX);
    if (scrolls && (around.scrollHeight > around.clientHeight || around.scrollWidth > around.clientWidth)) return around;
  }
  return (document.scrollingElement ?? document.documentElement) as HTMLElement;
}

function trySetCapture(root: HTMLElement, pointerId: number): void {
  try {
    root.setPointerCapture(pointerId);
  } catch {
    return; // the pointer has gone; its cancel event follows
  }
}
