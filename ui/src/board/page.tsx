import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api, useMe } from "../api";
import { Button, isMac, Notice, ownZone, Skeleton, useCommands, useKeepFocus, useNow } from "../parts";
import { navigate, PageFrame, toastProblem, usePaletteSearch, type PageProps } from "../shell";
import { useOptimistic, useResource } from "../state";
import { cardIn } from "./apply_board";
import { BoardActions } from "./board_actions";
import { boardStore } from "./board_store";
import type { Board, Task } from "./board_types";
import { ColumnView } from "./column";
import { ColumnsDialog } from "./columns_dialog";
import { RemoveDialog } from "./remove_dialog";
import { TaskDialog } from "./task_dialog";
import "./board.css";

const kSettleMs = 100;
const kOthers = ["EVENT", "MASTER", "INSTANCE", "REMINDER", "NOTE"];

/** "/board", or "/board?task=task_..." with the card opened. */
export default function BoardPage({ query }: PageProps) {
  const { userId } = useMe();
  const store = useMemo(() => boardStore(userId), [userId]);
  const actions = useMemo(() => new BoardActions(store), [store]);
  useOptimistic(store.board, `nexus:${userId}`, {
    concerns: ({ data }) => !kOthers.includes(String(data.entityType)),
    settleMs: kSettleMs,
  });
  const settings = useResource("nexus settings", (signal) => api.get("/api/nexus/settings", { signal }));
  const known = settings.data.value;
  const zone = known === undefined || known.version === 0 ? ownZone() : known.timezone;
  const now = useNow(30_000);
  const [editing, setEditing] = useState<Task | null>(null);
  const [arranging, setArranging] = useState(false);
  const surface = useRef<HTMLDivElement>(null);
  const addField = useRef<HTMLInputElement>(null);
  useKeepFocus(surface);
  const board = store.board.view.value;
  const problem = store.board.problem.value;
  const question = actions.question.value;

  // A card may be asked for by its address; then the address is that of the board.
  const asked = query.get("task");
  const found = asked === null ? undefined : store.card(asked);
  useEffect(() => {
    if (asked === null || !board) return;
    if (found) setEditing(found);
    navigate("/board", "replace");
  }, [asked, board, found]);

  function walk(task: Task, direction: "up" | "down" | "left" | "right") {
    const next = board && neighbour(board, task, direction);
    if (next) surface.current?.querySelector<HTMLElement>(`[data-id="${next.taskId}"] .card-face`)?.focus();
  }

  async function arrange() {
    await settings.refresh(); // other tabs may have changed them
    if (settings.data.peek()) setArranging(true);
    else toastProblem("The columns could not be loaded.", settings.problem.peek()!);
  }

  const group = "Board";
  useCommands([
    { keys: "n", label: "New card", group, icon: "plus", run: () => addField.current?.focus() },
    { keys: "r", label: "Refresh the board", group, icon: "refresh", run: () => void store.board.refresh().catch(() => undefined) },
    { keys: "mod+z", label: "Undo the last move", group, icon: "undo", run: () => actions.undo() },
    { keys: isMac ? "mod+shift+z" : "mod+y", label: "Redo", group, icon: "redo", run: () => actions.redo() },
    { keys: "mod+shift+z", run: () => actions.redo() },
    { keys: "c", label: "Edit columns", group, icon: "board", run: () => void arrange() },
    ...(["j", "ArrowDown"] as const).map((keys) => ({
      keys,
      label: keys === "j" ? "To the first card, then from card to card" : undefined,
      group,
      run: () => surface.current?.querySelector<HTMLElement>(".card-face")?.focus(),
    })),
    ...kCardKeys.map(({ keys, label }) => ({ keys, label, group: "At a card", within: surface, run: () => false })),
  ]);
  usePaletteSearch((text) =>
    (board?.columns ?? [])
      .flatMap(({ cards }) => cards)
      .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
      .slice(0, 5)
      .map((task) => ({ label: task.title, group, icon: "board" as const, run: () => setEditing(task) })),
  );

  const columns = board?.columns ?? [];
  return (
    <PageFrame
      title="Board"
      width="full"
      intro="Your tasks, by stage."
      actions={
        <Button icon="board" onClick={() => void arrange()}>
          Columns
        </Button>
      }
    >
      {problem && (
        <div class="board-problem">
          <Notice tone="danger" action={{ label: "Try again", run: () => void store.board.refresh().catch(() => undefined) }}>
            {problem.message}
          </Notice>
        </div>
      )}
      {board ? (
        <div class="board" ref={surface} tabIndex={0} role="group" aria-label="Columns" style={{ "--columns": columns.length }}>
          {columns.map((column, index) => (
            <ColumnView
              key={column.status}
              column={column}
              actions={actions}
              zone={zone}
              now={now}
              addField={index === 0 ? addField : null}
              onEdit={setEditing}
              onWalk={walk}
            />
          ))}
          <div class="drop-line board-line" hidden />
        </div>
      ) : (
        !problem && <BoardSkeleton />
      )}
      {editing && board && (
        <TaskDialog
          task={cardIn(board, editing.taskId) ?? editing}
          board={board}
          actions={actions}
          zone={zone}
          onClose={() => setEditing(null)}
        />
      )}
      {question && <RemoveDialog question={question} />}
      {arranging && known && (
        <ColumnsDialog
          settings={known}
          onSaved={(saved) => {
            settings.set(saved);
            void store.board.refresh().catch(() => undefined);
          }}
          onClose={() => setArranging(false)}
        />
      )}
    </PageFrame>
  );
}

/** The cards hear these themselves; here they are for the help. */
const kCardKeys = [
  { keys: "alt+ArrowUp", label: "Move up" },
  { keys: "alt+ArrowDown", label: "Move down" },
  { keys: "alt+ArrowLeft", label: "To the column on the left" },
  { keys: "alt+ArrowRight", label: "To the column on the right" },
  { keys: "1", label: "Priority, from 1 to 4" },
  { keys: "x", label: "Complete or reopen" },
  { keys: "e", label: "Edit" },
  { keys: "Delete", label: "Delete" },
];

function neighbour(board: Board, task: Task, direction: "up" | "down" | "left" | "right"): Task | undefined {
  const at = board.columns.findIndex(({ cards }) => cards.some(({ taskId }) => taskId === task.taskId));
  const cards = board.columns[at]?.cards ?? [];
  const line = cards.findIndex(({ taskId }) => taskId === task.taskId);
  if (direction === "up") return cards[line - 1];
  if (direction === "down") return cards[line + 1];
  const step = direction === "left" ? -1 : 1;
  for (let next = at + step; board.columns[next]; next += step) {
    const others = board.columns[next]!.cards;
    if (others.length > 0) return others[Math.min(line, others.length - 1)];
  }
  return undefined;
}

function BoardSkeleton() {
  return (
    <div class="board" role="status" style={{ "--columns": 5 }}>
      <span class="unseen">Loading the board…</span>
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} class="column">
          <div class="column-head">
            <Skeleton width="90px" height="16px" />
          </div>
          {Array.from({ length: 3 - (index % 2) }, (_none, line) => (
            <Skeleton key={line} height="52px" />
          ))}
        </div>
      ))}
    </div>
  );
}
