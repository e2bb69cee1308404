// One day: todos beside the timeline, and whatever is going on with them.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  Button,
  daysBetween,
  dayText,
  Icon,
  IconButton,
  isMac,
  MenuButton,
  Notice,
  SkeletonRows,
  Tabs,
  useCommands,
  useShortcut,
} from "../parts";
import { PageFrame, usePaletteSearch } from "../shell";
import { AddTodo } from "./add_todo";
import { BlockDialog } from "./block_dialog";
import { DayActions, morning } from "./day_actions";
import { dayOfPlan, freeSpan, kPomodoroMinutes, minuteOf, type Span } from "./day_grid";
import type { DayModel } from "./day_model";
import { DayPicker } from "./day_picker";
import { NoPlan, NoValues } from "./empty_day";
import { HistoryBar } from "./history_bar";
import { search } from "./open_actions";
import type { Block, Plan, PlanSettings } from "./plan_types";
import { timerOf } from "./pomodoro_timer";
import { RolloverBanner } from "./rollover_banner";
import { SchedulePanel, type SchedulePreview } from "./schedule_panel";
import { Timeline, type TimelineHandle } from "./timeline";
import { TimerBar } from "./timer_bar";
import { TodoList } from "./todo_list";
import { useDay } from "./use_day";
import { useRefusals } from "./use_refusals";
import { useTimerEnd } from "./use_timer_end";
import { useIsNarrow } from "../parts/use_is_narrow";
import { ZoneNotice } from "./zone_notice";

interface DayPageProps {
  userId: string;
  day: string;
  today: string;
  now: number;
  settings: PlanSettings;
  onSettings: () => void;
  onChanged: (settings: PlanSettings) => void;
}

type Mode = "plan" | "history" | "schedule";

export function DayPage({ userId, day, today, now, settings, onSettings, onChanged }: DayPageProps) {
  const { store, values, refresh } = useDay(userId, day);
  const timer = timerOf(userId);
  const actions = useMemo(() => new DayActions(store, timer, settings.timezone), [store, timer, settings.timezone]);
  const [mode, setMode] = useState<Mode>("plan");
  const [earlier, setEarlier] = useState<Plan | null>(null);
  const [preview, setPreview] = useState<SchedulePreview | null>(null);
  const [tab, setTab] = useState<"todos" | "timeline">("todos");
  const [editing, setEditing] = useState<{ block?: Block; span?: Span } | null>(null);
  const addField = useRef<HTMLInputElement>(null);
  const timeline = useRef<TimelineHandle>(null);
  const isNarrow = useIsNarrow();

  const current = store.plan.view.value;
  const plan = mode === "history" && earlier?.day === day ? earlier : current;
  const grid = plan && dayOfPlan(plan, settings.timezone);
  const model: DayModel | undefined = plan &&
    grid && {
      store,
      plan,
      grid,
      today,
      now,
      values,
      title: (id) => plan.todos.find(({ actionId }) => actionId === id)?.title ?? values?.titles.get(id) ?? "an action",
      actions,
      timer,
      readOnly: mode === "history",
    };
  const [refusal, closeRefusal] = useRefusals(store, model);
  useTimerEnd(timer, actions, model);

  function startAdding() {
    setTab("todos");
    // At once if it can be: somebody who types "n" and goes on typing must not be ahead of the focus.
    if (addField.current) addField.current.focus();
    else requestAnimationFrame(() => addField.current?.focus());
  }
  function newBlock() {
    if (!model) return;
    const from = Math.max(minuteOf(model.grid, Date.now()), morning(model.grid));
    setEditing({
      span: freeSpan(model.grid, model.plan.blocks, from, kPomodoroMinutes) ?? {
        start: morning(model.grid),
        end: morning(model.grid) + 25,
      },
    });
  }
  function schedule() {
    setPreview(null);
    setMode(mode === "schedule" ? "plan" : "schedule");
    setTab("timeline");
  }
  const toggleHistory = () => setMode(mode === "history" ? "plan" : "history");

  const group = "Today";
  const isPlan = () => mode !== "history" && model !== undefined;
  useCommands([
    { keys: "n", label: "Add a todo", group, icon: "plus", when: isPlan, run: startAdding },
    { keys: "b", label: "New block in the timeline", group, icon: "clock", when: isPlan, run: newBlock },
    { keys: "w", label: "Schedule the day automatically", group, icon: "wand", when: isPlan, run: schedule },
    { keys: "h", label: "Show earlier versions of the day", group, icon: "history", run: toggleHistory },
    {
      keys: "shift+s",
      label: "Pause or resume the timer",
      group,
      icon: "pause",
      when: () => timer.state !== null,
      run: () => timer.toggle(),
    },
    { keys: "mod+z", label: "Undo", group, icon: "undo", when: isPlan, run: () => store.undo() },
    { keys: isMac ? "mod+shift+z" : "mod+y", label: "Redo", group, icon: "redo", when: isPlan, run: () => store.redo() },
    { keys: "mod+shift+z", when: isPlan, run: () => store.redo() },
    { label: "Sort the todos by urgency", group, icon: "filter", when: isPlan, run: () => actions.sortByUrgency() },
    { label: "Day settings: time zone, start, rollover", group, icon: "clock", run: onSettings },
  ]);
  useShortcut("Escape", () => setMode("plan"), { when: () => mode === "schedule" });
  usePaletteSearch((text) =>
    text.trim() === "" || mode === "history"
      ? []
      : search(values?.actions ?? [], text, 5)
          .filter(({ id }) => !current?.todos.some(({ actionId }) => actionId === id))
          .map(({ id, title }) => ({
            label: `Add to the day: ${title}`,
            group: "Todos",
            icon: "plus" as const,
            run: () => actions.add(id, title, "other"),
          })),
  );
  useEffect(() => setPreview(null), [mode]);
  useEffect(() => {
    setMode("plan");
    setEditing(null);
  }, [day]);

  const problem = store.plan.problem.value;
  const { title, intro } = headingOf(day, today);
  const frame = {
    title,
    intro,
    width: "wide" as const,
    actions: (
      <>
        <DayPicker day={day} today={today} />
        <span class="row today-tools">
          <IconButton
            icon="wand"
            label="Schedule the day"
            keys="w"
            aria-pressed={mode === "schedule"}
            disabled={mode === "history"}
            onClick={schedule}
          />
          <IconButton icon="history" label="Earlier versions" keys="h" aria-pressed={mode === "history"} onClick={toggleHistory} />
          <MenuButton
            label="More for this day"
            entries={[
              { label: "New block", icon: "clock", keys: "b", disabled: mode === "history", onSelect: newBlock },
              { label: "Sort by urgency", icon: "filter", disabled: mode === "history", onSelect: () => actions.sortByUrgency() },
              "line",
              { label: "Day settings", icon: "clock", onSelect: onSettings },
            ]}
          />
        </span>
      </>
    ),
  };

  if (!model) {
    return (
      <PageFrame {...frame}>
        {problem ? (
          <Notice tone="danger" action={{ label: "Try again", run: () => void store.plan.refresh().catch(() => undefined) }}>
            {problem.message}
          </Notice>
        ) : (
          <SkeletonRows rows={6} height="48px" label="Loading the plan" />
        )}
      </PageFrame>
    );
  }

  const isEmptyTree = values?.isEmpty === true && model.plan.todos.length === 0;
  const openTodos = model.plan.todos.filter(({ completedAt }) => completedAt === undefined).length;
  const todos = (
    <section class="today-todos" aria-label="Todos">
      {!isNarrow && <TimerBar model={model} />}
      {mode !== "history" && <RolloverBanner key={day} model={model} />}
      {mode !== "history" && <AddTodo model={model} fieldRef={addField} />}
      {model.plan.todos.length > 0 ? (
        <TodoList model={model} timeline={timeline} />
      ) : (
        <NoPlan isPast={day < today || mode === "history"} onAdd={startAdding} />
      )}
      {model.plan.todos.length > 0 && <DaySum model={model} open={openTodos} />}
    </section>
  );
  const known = new Set(model.plan.blocks.map(({ blockId }) => blockId));
  const kept = preview && new Set(preview.blocks.map(({ blockId }) => blockId));
  const hours = (
    <section class="today-timeline" aria-label="Timeline">
      {mode === "schedule" && <SchedulePanel model={model} preview={preview} onPreview={setPreview} onClose={() => setMode("plan")} />}
      <Timeline
        model={model}
        handle={timeline}
        ghosts={preview?.blocks.filter(({ blockId }) => !known.has(blockId))}
        fading={kept ? new Set([...known].filter((id) => !kept.has(id))) : undefined}
        refusal={refusal}
        onCloseRefusal={closeRefusal}
        onDraft={(span) => setEditing({ span })}
        onEdit={(block) => setEditing({ block })}
      />
      {mode === "plan" && (
        <div class="row today-hint small faint">
          <span class="grow">Drag over free time to add a block.</span>
          <Button size="small" variant="quiet" icon="plus" keys="b" onClick={newBlock}>
            Block
          </Button>
        </div>
      )}
    </section>
  );
  return (
    <PageFrame {...frame}>
      <ZoneNotice userId={userId} settings={settings} onSettings={onSettings} onChanged={onChanged} />
      {(isNarrow || isEmptyTree) && <TimerBar model={model} />}
      {mode === "history" && <HistoryBar model={model} onShow={setEarlier} onClose={() => setMode("plan")} />}
      {mode === "history" && earlier && (
        <p class="today-past small">
          <Icon name="eye" size={15} /> An earlier state, to look at only.
        </p>
      )}
      {isEmptyTree ? (
        <NoValues onFilled={() => void refresh()} />
      ) : isNarrow ? (
        <Tabs
          label="Parts of the day"
          current={tab}
          onChange={setTab}
          tabs={[
            { id: "todos", label: "Todos", count: openTodos },
            { id: "timeline", label: "Timeline" },
          ]}
        >
          <div class="today-narrow">{tab === "todos" ? todos : hours}</div>
        </Tabs>
      ) : (
        <div class="today-columns">
          {todos}
          {hours}
        </div>
      )}
      {editing && <BlockDialog model={model} {...editing} onClose={() => setEditing(null)} />}
    </PageFrame>
  );
}

/** "Tomorrow", and the day below it; a day far away is its own heading. */
function headingOf(day: string, today: string): { title: string; intro: string } {
  const apart = daysBetween(today, day);
  const near = { "-1": "Yesterday", "0": "Today", "1": "Tomorrow" }[String(apart)];
  if (near !== undefined) return { title: near, intro: dayText(day) };
  return { title: dayText(day), intro: apart > 0 ? `In ${apart} days` : `${-apart} days ago` };
}

function DaySum({ model, open }: { model: DayModel; open: number }) {
  const { plan, now } = model;
  const estimated = plan.todos.reduce((sum, todo) => sum + (todo.completedAt ? 0 : (todo.estimatedPomodoros ?? 0)), 0);
  const blocks = plan.blocks.filter(({ blockType }) => blockType === "POMODORO");
  const over = blocks.filter(({ end }) => Date.parse(end) <= now).length;
  return (
    <p class="small faint numbers today-sum">
      {plan.todos.length - open} of {plan.todos.length} done · {estimated} pomodoros estimated · {blocks.length} planned, {over} past
    </p>
  );
}
