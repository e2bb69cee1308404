// Keyboard shortcuts and commands. A command is something that can be done now: it is in the palette, and if it has keys
// also in the help. Components register them with use_shortcut.ts; the shell listens with `listenForShortcuts`.

import { signal } from "@preact/signals";
import { escapeTopLayer, topLayer } from "./layers";
import type { IconName } from "./icon";

export interface Command {
  /** "g v" (one after the other), "mod+k" (mod: Command on a Mac, Control elsewhere), "shift+ArrowUp", "?", "Enter". */
  keys?: string | undefined;
  /** What it does, as a button would say: "Archive". Without a label it is in neither help nor palette. */
  label?: string | undefined;
  /** The heading it is under: "Go to", "Values". */
  group?: string | undefined;
  icon?: IconName | undefined;
  /** false: not for me, ask the next one. */
  run: (event?: KeyboardEvent) => void | boolean;
  /** Only while this says so. */
  when?: (() => boolean) | undefined;
  /** Only while the focus is in this element. */
  within?: { current: Element | null } | undefined;
  /** Also while somebody types into a field. */
  inFields?: boolean | undefined;
}

export interface Registered extends Command {
  layer: number;
}

const commands = signal<{ current: Registered }[]>([]);

/** What is registered now, oldest first. `current` of an entry may be replaced at any time. */
export function register(entry: { current: Registered }): () => void {
  commands.value = [...commands.value, entry];
  return () => {
    commands.value = commands.value.filter((other) => other !== entry);
  };
}

/** The commands of the page, for palette and help. */
export function pageCommands(): Registered[] {
  return commands.value.map(({ current }) => current).filter(({ layer, label }) => layer === 0 && label !== undefined);
}

interface Stroke {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Whether a key press is one step of a shortcut, e.g. "mod+shift+k". */
export function matchesStep(step: string, stroke: Stroke, isMac: boolean): boolean {
  const parts = step === "+" ? ["+"] : step.split("+");
  const key = parts.pop()!;
  const has = (name: string) => parts.includes(name);
  const wantsCtrl = has("ctrl") || (has("mod") && !isMac);
  const wantsMeta = has("meta") || (has("mod") && isMac);
  if (stroke.ctrlKey !== wantsCtrl || stroke.metaKey !== wantsMeta || stroke.altKey !== has("alt")) return false;
  // Which keys need shift for "?" depends on the keyboard; for letters and named keys it is part of the shortcut.
  const isSymbol = key.length === 1 && !/[a-z0-9 ]/i.test(key);
  if (!isSymbol && stroke.shiftKey !== has("shift")) return false;
  if (stroke.key.toLowerCase() === key.toLowerCase()) return true;
  // With alt, a Mac types other letters.
  return has("alt") && stroke.code === `Key${key.toUpperCase()}`;
}

const kSequenceMs = 1200;

/** Follows key presses and tells which keys were typed in sequence. Pure but for its own memory. */
export class SequenceMatcher {
  private typed: Stroke[] = [];
  private lastAt = -Infinity;

  constructor(private readonly isMac: boolean) {}

  note(stroke: Stroke, now: number): void {
    if (now - this.lastAt > kSequenceMs) this.typed = [];
    this.lastAt = now;
    this.typed = [...this.typed, stroke].slice(-3);
  }

  /** Whether all steps of a shortcut were typed just now. */
  completes(keys: string): boolean {
    const steps = keys.split(" ");
    const last = this.typed.slice(-steps.length);
    return last.length === steps.length && last.every((stroke, at) => matchesStep(steps[at]!, stroke, this.isMac));
  }

  forget(): void {
    this.typed = [];
  }
}

export function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit", "range"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

export const isMac: boolean = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Called once by the shell. Inner components register later than outer ones and are asked first. */
export function listenForShortcuts(): () => void {
  const matcher = new SequenceMatcher(isMac);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === "Escape" && topLayer() !== 0) {
      if (escapeTopLayer()) event.preventDefault();
      return;
    }
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    matcher.note(event, event.timeStamp);
    runMatching(matcher, event);
  };
  window.addEventListener("keydown", onKeyDown);
  return () => window.removeEventListener("keydown", onKeyDown);
}

function runMatching(matcher: SequenceMatcher, event: KeyboardEvent): void {
  const typing = isField(event.target);
  const layer = topLayer();
  const awake = commands.value
    .map(({ current }) => current)
    .filter(
      (command) =>
        command.keys !== undefined &&
        command.layer === layer &&
        (!typing || command.inFields) &&
        (!command.within || command.within.current?.contains(document.activeElement)) &&
        (!command.when || command.when()),
    )
    .reverse();
  // "g v" was meant when both it and "v" are there.
  const steps = (command: Command) => command.keys!.split(" ").length;
  const done = awake.filter((command) => matcher.completes(command.keys!)).sort((one, other) => steps(other) - steps(one));
  for (const command of done) {
    if (command.run(event) === false) continue;
    event.preventDefault();
    matcher.forget();
    return;
  }
}

const kCaps: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "↵",
  Escape: "Esc",
  Backspace: "⌫",
  Delete: "Del",
  " ": "Space",
  Space: "Space",
  shift: isMac ? "⇧" : "Shift",
  alt: isMac ? "⌥" : "Alt",
  mod: isMac ? "⌘" : "Ctrl",
  ctrl: "Ctrl",
  meta: "⌘",
};

/** What is printed on the keys of a shortcut. */
export function keyCaps(keys: string): string[] {
  return keys.split(" ").flatMap((step) => {
    const parts = step === "+" ? ["+"] : step.split("+");
    return parts.map((part) => kCaps[part] ?? (part.length === 1 ? part.toUpperCase() : part));
  });
}
