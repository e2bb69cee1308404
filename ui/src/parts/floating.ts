// Where something that floats beside something else goes. Pure.

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type Side = "bottom" | "bottom-start" | "bottom-end" | "top" | "top-start" | "top-end" | "right-start";

interface Around {
  /** Of the window. */
  width: number;
  height: number;
  side: Side;
  gap?: number;
}

const kMargin = 8;

/** On the wanted side, on the opposite one if there is more room, and always inside the window. */
export function placeBeside(anchor: Box, size: { width: number; height: number }, around: Around) {
  const { width, height, side, gap = 4 } = around;
  const inside = (value: number, length: number, limit: number) => Math.max(kMargin, Math.min(value, limit - length - kMargin));

  if (side === "right-start") {
    const fitsRight = anchor.right + gap + size.width + kMargin <= width;
    const left = fitsRight ? anchor.right + gap : anchor.left - gap - size.width;
    return { left: inside(left, size.width, width), top: inside(anchor.top, size.height, height) };
  }

  const below = height - anchor.bottom - gap - kMargin;
  const above = anchor.top - gap - kMargin;
  const wantsBelow = side.startsWith("bottom");
  const isBelow = wantsBelow ? below >= size.height || below >= above : above < size.height && below > above;
  const top = isBelow ? anchor.bottom + gap : anchor.top - gap - size.height;
  const start = side.endsWith("-start");
  const middle = (anchor.left + anchor.right - size.width) / 2;
  const left = start ? anchor.left : side.endsWith("-end") ? anchor.right - size.width : middle;
  return { left: inside(left, size.width, width), top: inside(top, size.height, height) };
}

export function pointBox(x: number, y: number): Box {
  return { left: x, right: x, top: y, bottom: y };
}
