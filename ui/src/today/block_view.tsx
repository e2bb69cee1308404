import { useEffect, useRef, useState } from "preact/hooks";
import {
  beginDrag,
  classNames,
  durationText,
  Icon,
  IconButton,
  moveSpan,
  resizeSpan,
  tooltip,
  type IconName,
  type TimeGrid,
} from "../parts";
import { kAfterDayMinutes, kPixelsPerMinute, kSnapMinutes, nudge, overlaps, spanOf, spanText, type Span } from "./day_grid";
import type { DayModel } from "./day_model";
import { blockNames, type Block, type BlockType } from "./plan_types";
import { clockRange } from "../parts/zone_days";

export const blockIcons: Record<BlockType, IconName> = { MEETING: "people", POMODORO: "timer", BREAK: "coffee", BUFFER: "clock" };

interface BlockViewProps {
  block: Block;
  span: Span;
  column: number;
  columns: number;
  model: DayModel;
  fades: boolean;
  onEdit: () => void;
}

/** Presses of arrow keys become one change once they stop. */
const kSettleMs = 500;

export function BlockView({ block, span: planned, column, columns, model, fades, onEdit }: BlockViewProps) {
  const { grid, plan, actions, readOnly, timer } = model;
  const element = useRef<HTMLLIElement>(null);
  /** Where keys or a resize have put it, until it is sent. */
  const [draft, setDraft] = useState<Span | null>(null);
  const settle = useRef<{ timer: ReturnType<typeof setTimeout>; run: () => void } | null>(null);
  const span = draft ?? planned;
  /** What it says while it is dragged. Its place is moved by hand, the text never: a text node that is replaced by hand is lost to Preact. */
  const [dragged, setDragged] = useState<{ time: string; refused: boolean } | null>(null);

  const name = block.actionId === undefined ? blockNames[block.blockType] : model.title(block.actionId);
  const isOver = planned.end * 60_000 + grid.start <= model.now;
  const action = plan.todos.find(({ actionId }) => actionId === block.actionId);
  const runs = timer.state?.blockId === block.blockId;
  const minutes = span.end - span.start;

  const place = (to: Span) => void actions.editBlock(block, { blockType: block.blockType, span: to, actionId: block.actionId });

  function flush() {
    const waiting = settle.current;
    if (!waiting) return;
    clearTimeout(waiting.timer);
    settle.current = null;
    waiting.run();
  }
  const latestFlush = useRef(flush);
  latestFlush.current = flush;
  useEffect(() => () => latestFlush.current(), []);

  function onKeyDown(event: KeyboardEvent) {
    if (readOnly) return;
    const by = event.key === "ArrowUp" ? -kSnapMinutes : event.key === "ArrowDown" ? kSnapMinutes : 0;
    if (by !== 0 && !event.ctrlKey && !event.metaKey) {
      const to = nudge(grid, span, by, event.shiftKey ? "end" : "all");
      setDraft(to);
      if (settle.current) clearTimeout(settle.current.timer);
      const run = () => {
        settle.current = null;
        setDraft(null);
        place(to);
      };
      settle.current = { timer: setTimeout(run, kSettleMs), run };
    } else if (event.key === "Delete" || event.key === "Backspace") {
      focusNeighbour(element.current);
      actions.removeBlock(block);
    } else if (event.key === "s" && canStart) {
      actions.startBlock(block, name);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const timeGrid: TimeGrid = {
    top: 0,
    pixelsPerMinute: kPixelsPerMinute,
    firstMinute: 0,
    lastMinute: grid.minutes,
    snapMinutes: kSnapMinutes,
  };
  const others = () =>
    block.blockType === "BUFFER"
      ? []
      : plan.blocks.filter((other) => other.blockId !== block.blockId && other.blockType !== "BUFFER").map((other) => spanOf(grid, other));

  function showTime(to: Span, rivals: Span[]) {
    const next = { time: rangeText(to), refused: rivals.some((other) => overlaps(to, other)) };
    setDragged((before) => (before?.time === next.time && before.refused === next.refused ? before : next));
  }

  const rangeText = (to: Span) => clockRange(grid.start + to.start * 60_000, grid.start + to.end * 60_000, grid.zone);

  function beginMove(event: PointerEvent) {
    if (readOnly || (event.target as Element).closest(".block-edge, .block-start")) return;
    let rivals: Span[] = [];
    let to = planned;
    beginDrag(event, {
      element: element.current!,
      follow: "none",
      axis: "y",
      onStart: () => (rivals = others()),
      onMove: (move) => {
        to = moveSpan({ ...timeGrid, lastMinute: grid.minutes - kSnapMinutes + (planned.end - planned.start) }, planned, move.contentDy);
        element.current!.style.transform = `translateY(${(to.start - planned.start) * kPixelsPerMinute}px)`;
        showTime(to, rivals);
      },
      onDrop: () => to !== planned && place(to),
      onEnd: () => release(),
    });
  }

  function beginResize(event: PointerEvent, edge: "start" | "end") {
    event.stopPropagation();
    if (readOnly) return;
    let rivals: Span[] = [];
    let to = planned;
    const limits = { ...timeGrid, lastMinute: grid.minutes + kAfterDayMinutes };
    beginDrag(event, {
      element: element.current!,
      follow: "none",
      axis: "y",
      touch: "now",
      onStart: () => (rivals = others()),
      onMove: (move) => {
        to = resizeSpan(limits, planned, edge, move.contentDy);
        const style = element.current!.style;
        style.transform = `translateY(${(to.start - planned.start) * kPixelsPerMinute}px)`;
        style.minHeight = style.maxHeight = `${(to.end - to.start) * kPixelsPerMinute}px`;
        showTime(to, rivals);
      },
      onDrop: () => to !== planned && place(to),
      onEnd: () => release(),
    });
  }

  function release() {
    setDragged(null);
    if (element.current) Object.assign(element.current.style, { transform: "", minHeight: "", maxHeight: "" });
  }

  const index = block.actionId !== undefined && block.pomodoroIndex !== undefined ? `pomodoro ${block.pomodoroIndex}, ` : "";
  const besides = `${index}${durationText(minutes)}`;
  const isThin = minutes < 12; // too low for words
  const canStart =
    !readOnly && !runs && (block.blockType === "POMODORO" || block.blockType === "BREAK") && action?.completedAt === undefined;
  return (
    <li
      ref={element}
      data-block={block.blockId}
      class={classNames(
        "block",
        `block-${block.blockType.toLowerCase()}`,
        isOver && "block-over",
        runs && "block-runs",
        fades && "block-fades",
        dragged && "drag-lifted",
        dragged?.refused && "block-refused",
        isThin && "block-thin",
        minutes >= 12 && minutes < 20 && "block-short",
        action?.completedAt !== undefined && "block-done",
      )}
      style={{
        top: `${span.start * kPixelsPerMinute}px`,
        height: `${minutes * kPixelsPerMinute}px`,
        left: `calc(var(--hours) + (100% - var(--hours) - 4px) * ${column / columns})`,
        width: `calc((100% - var(--hours) - 4px) * ${1 / columns} - 2px)`,
      }}
      onPointerDown={beginMove}
    >
      <button
        type="button"
        class="block-face"
        {...(isThin
          ? { "aria-label": `${name}, ${spanText(grid, span)}, ${besides}`, ...tooltip(`${name}, ${spanText(grid, span)}`) }
          : {})}
        onClick={() => !readOnly && onEdit()}
        onKeyDown={onKeyDown}
        onBlur={flush}
      >
        <Icon name={blockIcons[block.blockType]} size={14} />
        <span class="block-name one-line">{name}</span>
        <span class="block-time numbers">{dragged?.time ?? rangeText(span)}</span>
        <span class="unseen">{besides}</span>
      </button>
      {canStart && minutes >= 12 && (
        <IconButton
          icon="play"
          size="small"
          class="block-start"
          label={`Start ${name}`}
          keys="s"
          onClick={() => actions.startBlock(block, name)}
        />
      )}
      {!readOnly && <span class="block-edge block-edge-top" aria-hidden="true" onPointerDown={(event) => beginResize(event, "start")} />}
      {!readOnly && <span class="block-edge block-edge-bottom" aria-hidden="true" onPointerDown={(event) => beginResize(event, "end")} />}
    </li>
  );
}

function focusNeighbour(item: HTMLElement | null): void {
  const next = item?.nextElementSibling ?? item?.previousElementSibling;
  (next?.querySelector<HTMLElement>(".block-face") ?? item?.closest<HTMLElement>(".timeline-scroll"))?.focus();
}
