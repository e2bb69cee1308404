// Which lines of a long list are near the part of the window that is seen. Lines have one height, so a list of thousands
// costs no more than a screen of them.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

const kStep = 8; // the range changes only in steps, not with every line
const kAhead = 16;

export interface LineRange {
  first: number;
  last: number;
}

export function lineRange(top: number, windowHeight: number, lineHeight: number, count: number): LineRange {
  const first = Math.floor(-top / lineHeight) - kAhead;
  const last = Math.ceil((windowHeight - top) / lineHeight) + kAhead;
  return {
    first: Math.max(0, Math.floor(first / kStep) * kStep),
    last: Math.min(count, Math.max(0, Math.ceil(last / kStep) * kStep)),
  };
}

export function useLineRange(list: RefObject<HTMLElement>, lineHeight: number, count: number): LineRange {
  const [range, setRange] = useState<LineRange>({ first: 0, last: Math.min(count, 64) });
  // Where the list begins in the page. Measured after drawing, when it costs nothing; scrolling only reads how far.
  const listTop = useRef(0);

  const update = () => {
    const next = lineRange(listTop.current - scrollY, innerHeight, lineHeight, count);
    setRange((before) => (before.first === next.first && before.last === next.last ? before : next));
  };
  useEffect(() => {
    listTop.current = (list.current?.getBoundingClientRect().top ?? 0) + scrollY;
    update();
  });

  useEffect(() => {
    let frame = 0;
    const later = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        update();
      });
    };
    addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", later);
      removeEventListener("resize", later);
    };
    // update is made anew with these
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [lineHeight, count]);

  return { first: Math.min(range.first, count), last: Math.min(range.last, count) };
}

/** The height of a line in pixels, as the tokens have it: larger for fingers. */
export function useLineHeight(): number {
  const [height, setHeight] = useState(readLineHeight);
  useEffect(() => {
    const coarse = matchMedia("(pointer: coarse)");
    const onChange = () => setHeight(readLineHeight());
    coarse.addEventListener("change", onChange);
    return () => coarse.removeEventListener("change", onChange);
  }, []);
  return height;
}

function readLineHeight(): number {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) || 36;
}

/** Scrolls a line into the window, clear of the bars at its edges. */
export function scrollToLine(list: HTMLElement, line: number, lineHeight: number): void {
  const top = list.getBoundingClientRect().top + line * lineHeight;
  const upper = 72;
  const lower = innerHeight - 96;
  if (top < upper) scrollBy(0, top - upper);
  else if (top + lineHeight > lower) scrollBy(0, top + lineHeight - lower);
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const onChange = () => setMatches(media.matches);
    onChange();
    media.addEventListener("change", onChange);
    return () => media.removeEventListener("change", onChange);
  }, [query]);
  return matches;
}
