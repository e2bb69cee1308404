// What lies on top: dialogs, menus, a drag. Escape belongs to the top layer, and so do shortcuts: those of a page sleep
// while something lies on it.

import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Layer {
  id: number;
  onEscape: () => void;
}

const stack: Layer[] = [];
let lastId = 0;

/** The layer a component is in; 0 is the page. */
export const LayerContext = createContext(0);

export function topLayer(): number {
  return stack[stack.length - 1]?.id ?? 0;
}

/** Puts a layer on top; the returned function takes it away. */
export function pushLayer(onEscape: () => void, id = ++lastId): () => void {
  const layer: Layer = { id, onEscape };
  stack.push(layer);
  return () => {
    const at = stack.indexOf(layer);
    if (at >= 0) stack.splice(at, 1);
  };
}

/** Escape was pressed. True if a layer took it. */
export function escapeTopLayer(): boolean {
  const layer = stack[stack.length - 1];
  layer?.onEscape();
  return layer !== undefined;
}

/** A layer for as long as the component is shown. Its content goes into `LayerContext.Provider` with the answer. */
export function useLayer(onEscape: () => void): number {
  const [id] = useState(() => ++lastId);
  const newest = useRef(onEscape);
  newest.current = onEscape;
  useLayoutEffect(() => pushLayer(() => newest.current(), id), [id]);
  return id;
}

export function useLayerId(): number {
  return useContext(LayerContext);
}
