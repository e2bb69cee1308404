// Short messages at the edge: what was done, with Undo; what did not work, with Try again. They wait while they are pointed
// at or have the focus.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ApiProblem } from "../api";
import { Button, classNames, Icon, IconButton, useShortcut, type IconName } from "../parts";
import "./toasts.css";

export interface Toast {
  text: string;
  tone?: "neutral" | "success" | "danger";
  action?: { label: string; run: () => void };
  /** 0: until it is closed. Otherwise 6, and 10 with an action. */
  seconds?: number;
  /** A newer toast with the same key takes the place of the older one. */
  key?: string;
}

interface Shown extends Toast {
  id: number;
}

const kShownMax = 3;
const shown = signal<Shown[]>([]);
let lastId = 0;

/** Shows a message; the returned function takes it away. */
export function toast(message: Toast): () => void {
  const id = ++lastId;
  const others = shown.peek().filter((other) => message.key === undefined || other.key !== message.key);
  shown.value = [...others, { ...message, id }].slice(-kShownMax);
  return () => close(id);
}

/** "Archived Health. [Undo]" */
export function toastUndo(text: string, undo: () => void, key?: string): () => void {
  return toast({ text, tone: "success", action: { label: "Undo", run: undo }, ...(key === undefined ? {} : { key }) });
}

/** What did not work, in the server's words, and the way to try again. */
export function toastProblem(what: string, problem: ApiProblem, retry?: () => void): () => void {
  return toast({
    text: `${what} ${problem.message}`,
    tone: "danger",
    seconds: retry ? 0 : 10,
    ...(retry ? { action: { label: "Try again", run: retry } } : {}),
  });
}

function close(id: number): void {
  shown.value = shown.value.filter((other) => other.id !== id);
}

/** Mounted once. */
export function ToastHost() {
  const list = shown.value;
  const latest = list.findLast(({ action }) => action?.label === "Undo");
  useShortcut("mod+z", () => (latest ? act(latest) : false), {
    label: latest ? `Undo: ${latest.text}` : undefined,
    group: "General",
    icon: "undo",
    when: () => latest !== undefined,
  });
  return (
    <section class="toasts" aria-label="Messages" role="region" tabIndex={-1}>
      <ol role="list" aria-live="polite" aria-relevant="additions">
        {list.map((message) => (
          <ToastLine key={message.id} message={message} />
        ))}
      </ol>
    </section>
  );
}

function act(message: Shown): void {
  close(message.id);
  message.action?.run();
}

const kIcons: Record<NonNullable<Toast["tone"]>, IconName> = { neutral: "info", success: "done", danger: "warning" };

function ToastLine({ message }: { message: Shown }) {
  const { id, text, tone = "neutral", action, seconds = action ? 10 : 6 } = message;
  const line = useRef<HTMLLIElement>(null);

  useEffect(() => {
    if (seconds === 0) return undefined;
    let leftMs = seconds * 1000;
    // Counts only while nobody looks at it.
    const timer = setInterval(() => {
      if (line.current?.matches(":hover, :focus-within") || document.hidden) return;
      leftMs -= 250;
      if (leftMs <= 0) close(id);
    }, 250);
    return () => clearInterval(timer);
  }, [id, seconds]);

  return (
    <li ref={line} class={classNames("toast", `toast-${tone}`)}>
      <Icon name={kIcons[tone]} size={18} />
      <span class="grow">{text}</span>
      {action && (
        <Button size="small" variant="quiet" class="toast-action" onClick={() => act(message)}>
          {action.label}
        </Button>
      )}
      <IconButton icon="close" size="small" label="Close message" onClick={() => close(id)} />
    </li>
  );
}
