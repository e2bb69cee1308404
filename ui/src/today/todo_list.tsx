import { useRef, useState } from "preact/hooks";
import { beginDrag, dayText, listSlot, measureRows, useCommands, type Command, type MeasuredRow } from "../parts";
import type { DayModel } from "./day_model";
import { classifications } from "./plan_types";
import type { Todo } from "./plan_types";
import type { TimelineHandle } from "./timeline";
import { TodoRow } from "./todo_row";
import { useKeepFocus } from "../parts/use_keep_focus";
import "./todo_list.css";

interface TodoListProps {
  model: DayModel;
  /** Where a todo can be dropped to plan a pomodoro; null while the timeline is not shown. */
  timeline: { current: TimelineHandle | null };
}

export function TodoList({ model, timeline }: TodoListProps) {
  const { plan, actions, readOnly } = model;
  const list = useRef<HTMLOListElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  useKeepFocus(list);

  const focused = (): Todo | undefined => {
    const row = document.activeElement?.closest<HTMLElement>("[data-todo]");
    return plan.todos.find(({ actionId }) => actionId === row?.dataset.id);
  };
  const focusTitle = (index: number) => {
    list.current?.querySelectorAll<HTMLElement>(".todo-title")[index]?.focus();
  };
  const step = (by: number) => {
    const todo = focused();
    const at = todo ? plan.todos.indexOf(todo) : by > 0 ? -1 : plan.todos.length;
    focusTitle(Math.max(0, Math.min(at + by, plan.todos.length - 1)));
  };
  const move = (by: number) => {
    const todo = focused();
    if (!todo) return false;
    const at = plan.todos.indexOf(todo);
    const slot = by < 0 ? at - 1 : at + 2;
    if (slot >= 0 && slot <= plan.todos.length) actions.reorder(todo.actionId, slot);
    return true;
  };
  /** Removing the row under the focus must not lose the focus. */
  const keepFocus = (todo: Todo) => {
    const at = plan.todos.indexOf(todo);
    focusTitle(at + 1 < plan.todos.length ? at + 1 : Math.max(0, at - 1));
  };
  const withTodo = (run: (todo: Todo) => void) => () => {
    const todo = focused();
    if (!todo || readOnly) return false;
    run(todo);
    return true;
  };

  const group = "Selected todo";
  const commands: Command[] = [
    { keys: "j", label: "Next todo", group, run: () => step(1) },
    { keys: "k", label: "Previous todo", group, run: () => step(-1) },
    { keys: "ArrowDown", run: () => step(1), within: list },
    { keys: "ArrowUp", run: () => step(-1), within: list },
    { keys: "alt+ArrowUp", label: "Move up", group, run: () => !readOnly && move(-1), within: list },
    { keys: "alt+ArrowDown", label: "Move down", group, run: () => !readOnly && move(1), within: list },
    { keys: "x", label: "Complete or reopen", group, run: withTodo((todo) => actions.setCompleted(todo, !todo.completedAt)) },
    { keys: "mod+Enter", run: withTodo((todo) => actions.setCompleted(todo, !todo.completedAt)), within: list, inFields: true },
    ...classifications.map<Command>((classification, index) => ({
      keys: String(index + 1),
      label: `Mark as ${classification}`,
      group,
      run: withTodo((todo) => actions.classify(todo, classification)),
    })),
    { keys: "+", label: "One pomodoro more", group, run: withTodo((todo) => actions.estimate(todo, (todo.estimatedPomodoros ?? 0) + 1)) },
    { keys: "-", label: "One pomodoro fewer", group, run: withTodo((todo) => actions.estimate(todo, (todo.estimatedPomodoros ?? 1) - 1)) },
    { keys: "p", label: "Plan a pomodoro at the next free time", group, run: withTodo((todo) => actions.planPomodoro(todo)) },
    { keys: "s", label: "Start a pomodoro now", group, run: withTodo((todo) => actions.startPomodoro(todo)) },
    { keys: "e", label: "Notes and details", group, run: withTodo((todo) => setOpenId(openId === todo.actionId ? null : todo.actionId)) },
    {
      keys: "Delete",
      label: "Remove from the day",
      group,
      within: list,
      run: withTodo((todo) => {
        keepFocus(todo);
        actions.remove(todo);
      }),
    },
  ];
  useCommands(commands);

  function onPointerDown(event: PointerEvent, todo: Todo) {
    if (readOnly || !(event.target instanceof Element)) return;
    if (event.target.closest("input, textarea, select, a, label, .todo-side, .todo-details")) return;
    const row = (event.currentTarget as HTMLElement).closest<HTMLElement>("[data-todo]")!;
    const scroller = document.scrollingElement as HTMLElement;
    let rows: MeasuredRow[] = [];
    let listTop = 0;
    const hide = () => {
      if (line.current) line.current.hidden = true;
      timeline.current?.aim(null);
    };
    beginDrag(event, {
      element: row.querySelector<HTMLElement>(".todo-line")!,
      scroller,
      onStart: () => {
        rows = measureRows(list.current!, scroller, "[data-todo]");
        listTop = list.current!.getBoundingClientRect().top + scroller.scrollTop;
      },
      onMove: (at) => {
        const overTime = timeline.current?.aim({ x: at.x, y: at.y }) ?? false;
        const marker = line.current;
        if (!marker) return;
        marker.hidden = overTime;
        const slot = listSlot(rows, at.contentY);
        const y = (rows[slot]?.top ?? rows[rows.length - 1]?.bottom ?? listTop) - listTop;
        marker.style.transform = `translateY(${y}px)`;
      },
      onDrop: (at) => {
        const span = timeline.current?.spanAt({ x: at.x, y: at.y }) ?? null;
        if (span) void actions.addBlock({ blockType: "POMODORO", span, actionId: todo.actionId });
        else actions.reorder(todo.actionId, listSlot(rows, at.contentY));
      },
      onEnd: hide,
    });
  }

  return (
    <div class="todos-frame">
      <ol class="todos" role="list" ref={list} aria-label={`Todos of ${dayText(plan.day)}`}>
        {plan.todos.map((todo) => (
          <TodoRow
            key={todo.actionId}
            todo={todo}
            model={model}
            open={openId === todo.actionId}
            onOpen={(open) => setOpenId(open ? todo.actionId : null)}
            onDrag={(event) => onPointerDown(event, todo)}
            onRemove={() => {
              keepFocus(todo);
              actions.remove(todo);
            }}
          />
        ))}
      </ol>
      <div class="drop-line" ref={line} hidden />
    </div>
  );
}
