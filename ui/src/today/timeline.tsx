// The day as hours from top to bottom. Blocks are dragged, resized at their edges, and made by dragging over free time; all of
// it works by keys as well. While something is dragged only transforms change.

import type { Ref } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { beginDrag, classNames, IconButton, minuteAt, Notice, type TimeGrid } from "../parts";
import { BlockView } from "./block_view";
import {
  hourMarks,
  kPixelsPerMinute,
  kPomodoroMinutes,
  kSnapMinutes,
  lastMinute,
  minuteOf,
  overlaps,
  spanOf,
  spanText,
  type Span,
} from "./day_grid";
import { morning } from "./day_actions";
import type { DayModel } from "./day_model";
import { blockNames, type Block } from "./plan_types";
import { useKeepFocus } from "../parts/use_keep_focus";
import { layOut } from "../parts/side_by_side";
import { clockText } from "../parts/zone_days";
import "./timeline.css";

export interface TimelineHandle {
  /** Shows where a pomodoro would go that is dragged here; null: nowhere. True if the point is over the timeline. */
  aim: (point: { x: number; y: number } | null) => boolean;
  spanAt: (point: { x: number; y: number }) => Span | null;
}

interface TimelineProps {
  model: DayModel;
  handle: Ref<TimelineHandle>;
  /** Blocks that a schedule would bring, or that are shown instead. */
  ghosts?: Block[] | undefined;
  /** Blocks that a schedule would take away. */
  fading?: ReadonlySet<string> | undefined;
  /** What was refused, where it was tried. */
  refusal: { span: Span; text: string } | null;
  onCloseRefusal: () => void;
  onDraft: (span: Span) => void;
  onEdit: (block: Block) => void;
}

export function Timeline(props: TimelineProps) {
  const { model, ghosts = [], fading, refusal, onDraft, onEdit } = props;
  const { plan, grid, now, readOnly } = model;
  const scroller = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const note = useRef<HTMLDivElement>(null);
  const ghostText = useRef<HTMLSpanElement>(null);
  useKeepFocus(surface);

  const last = lastMinute(grid, [...plan.blocks, ...ghosts]);
  const { start, end, zone } = grid;
  const marks = useMemo(() => hourMarks({ start, end, minutes: (end - start) / 60_000, zone }, last), [start, end, zone, last]);
  const placed = useMemo(
    () => layOut(plan.blocks.map((item) => ({ item, span: spanOf({ start, end, minutes: 0, zone }, item) }))),
    [plan.blocks, start, end, zone],
  );
  const nowMinute = minuteOf(grid, now);
  const showsNow = nowMinute >= 0 && nowMinute < last;

  // Where the day is: now, else its first block, else the morning.
  useLayoutEffect(() => {
    const first = plan.blocks[0] ? minuteOf(grid, plan.blocks[0].start) : morning(grid);
    const wanted = showsNow ? Math.min(nowMinute, Math.max(first, nowMinute - 90)) : first;
    const element = scroller.current!;
    element.scrollTop = Math.max(0, wanted * kPixelsPerMinute - (showsNow ? element.clientHeight / 3 : 32));
    // Once for a day: later the user decides.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [plan.day]);

  const ghostTop = ghosts.length > 0 ? minuteOf(grid, ghosts[0]!.start) : null;
  useEffect(() => {
    if (ghostTop !== null) scroller.current!.scrollTop = Math.max(0, ghostTop * kPixelsPerMinute - 48);
  }, [ghostTop]);

  useEffect(() => {
    if (refusal) note.current?.scrollIntoView({ block: "nearest" });
  }, [refusal]);

  const timeGrid = (): TimeGrid => ({
    top: surface.current!.getBoundingClientRect().top,
    pixelsPerMinute: kPixelsPerMinute,
    firstMinute: 0,
    lastMinute: grid.minutes,
    snapMinutes: kSnapMinutes,
  });

  const spanAt: TimelineHandle["spanAt"] = ({ x, y }) => {
    const frame = scroller.current?.getBoundingClientRect();
    if (!frame || x < frame.left || x > frame.right || y < frame.top || y > frame.bottom) return null;
    const at = Math.min(minuteAt(timeGrid(), y - 12), grid.minutes - kSnapMinutes);
    return { start: at, end: at + kPomodoroMinutes };
  };

  const isTaken = (span: Span) => plan.blocks.some((block) => block.blockType !== "BUFFER" && overlaps(span, spanOf(grid, block)));

  function showGhost(span: Span | null) {
    const element = ghost.current;
    if (!element) return;
    element.hidden = span === null;
    if (!span) return;
    element.style.transform = `translateY(${span.start * kPixelsPerMinute}px)`;
    element.style.height = `${(span.end - span.start) * kPixelsPerMinute}px`;
    element.classList.toggle("ghost-refused", isTaken(span));
    // Not rendered: this runs with every frame of a drag.
    ghostText.current!.textContent = spanText(grid, span);
  }

  useImperativeHandle(props.handle, () => ({
    aim: (point) => {
      const span = point && spanAt(point);
      showGhost(span);
      return span !== null;
    },
    spanAt,
  }));

  function beginDraft(event: PointerEvent) {
    if (readOnly || (event.target as Element).closest(".block, .timeline-note")) return;
    let from = 0;
    const spanTo = (y: number): Span => {
      const to = minuteAt(timeGrid(), y);
      return { start: Math.min(from, to), end: Math.max(from, to, Math.min(from, to) + kSnapMinutes) };
    };
    beginDrag(event, {
      element: surface.current!,
      scroller: scroller.current!,
      follow: "none",
      axis: "y",
      onStart: (move) => {
        from = minuteAt(timeGrid(), move.y - move.contentDy);
      },
      onMove: (move) => showGhost(spanTo(move.y)),
      onDrop: (move) => onDraft(spanTo(move.y)),
      onEnd: () => showGhost(null),
    });
  }

  return (
    <div class="timeline-scroll" ref={scroller} tabIndex={0} role="group" aria-label="Hours of the day">
      <div
        class="timeline-surface"
        ref={surface}
        style={{ height: `${last * kPixelsPerMinute}px` }}
        onPointerDown={beginDraft}
        onDblClick={(event) => {
          if (readOnly || (event.target as Element).closest(".block")) return;
          const at = Math.min(minuteAt(timeGrid(), event.clientY - 20), grid.minutes - kSnapMinutes);
          onDraft({ start: at, end: at + kPomodoroMinutes });
        }}
      >
        {marks.map(({ minute, label }) => (
          <div key={minute} class="hour" style={{ top: `${minute * kPixelsPerMinute}px` }} aria-hidden="true">
            <span class="numbers">{label}</span>
          </div>
        ))}
        <ol class="blocks" role="list" aria-label="Blocks">
          {placed.map(({ item, span, column, columns }) => (
            <BlockView
              key={item.blockId}
              block={item}
              span={span}
              column={column}
              columns={columns}
              model={model}
              fades={fading?.has(item.blockId) ?? false}
              onEdit={() => onEdit(item)}
            />
          ))}
        </ol>
        {ghosts.map((block) => {
          const span = spanOf(grid, block);
          return (
            <div
              key={block.blockId}
              class={classNames(
                "block",
                "block-ghost",
                `block-${block.blockType.toLowerCase()}`,
                span.end - span.start < 12 && "block-thin",
              )}
              style={{ top: `${span.start * kPixelsPerMinute}px`, height: `${(span.end - span.start) * kPixelsPerMinute}px` }}
            >
              <span class="block-face">
                <span class="block-name one-line">
                  {block.actionId === undefined ? blockNames[block.blockType] : model.title(block.actionId)}
                </span>
                <span class="block-time numbers">{clockText(block.start, zone)}</span>
              </span>
            </div>
          );
        })}
        <div class="ghost" ref={ghost} hidden aria-hidden="true">
          <span class="numbers" ref={ghostText} />
        </div>
        {showsNow && <div class="now-line" style={{ transform: `translateY(${nowMinute * kPixelsPerMinute}px)` }} aria-hidden="true" />}
        {refusal && (
          <div class="timeline-note" ref={note} style={{ top: `${Math.max(0, refusal.span.start * kPixelsPerMinute)}px` }}>
            <Notice tone="danger">{refusal.text}</Notice>
            <IconButton icon="close" size="small" label="Close" onClick={props.onCloseRefusal} />
          </div>
        )}
      </div>
    </div>
  );
}
