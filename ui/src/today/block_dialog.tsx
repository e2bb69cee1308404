import { useState } from "preact/hooks";
import { live } from "../api";
import { Button, Dialog, durationText, mayDiscard, Notice, Segmented, Select, TextField } from "../parts";
import { applyPlanOp } from "./apply_plan";
import { kPomodoroMinutes, minuteOf, spanOf, type Span } from "./day_grid";
import type { DayModel } from "./day_model";
import { blockNames, blockTypes, type Block, type BlockType } from "./plan_types";
import { withNames } from "./plan_words";
import { fieldTime, nextTime } from "../parts/zone_days";

interface BlockDialogProps {
  model: DayModel;
  /** A block to change, or the time of a new one. */
  block?: Block | undefined;
  span?: Span | undefined;
  onClose: () => void;
}

const kUsual: Record<BlockType, number[]> = {
  POMODORO: [25, 50],
  MEETING: [30, 60, 90],
  BREAK: [5, 15, 30],
  BUFFER: [15, 30, 60],
};

/** Makes or changes a block by typing; what the server refuses is said here, and what was typed stays. */
export function BlockDialog({ model, block, span, onClose }: BlockDialogProps) {
  const { grid, plan, actions, store } = model;
  const given = block ? spanOf(grid, block) : (span ?? { start: 0, end: kPomodoroMinutes });
  const open = plan.todos.filter((todo) => todo.completedAt === undefined || todo.actionId === block?.actionId);
  const [type, setType] = useState<BlockType>(block?.blockType ?? (open.length > 0 ? "POMODORO" : "MEETING"));
  const [actionId, setActionId] = useState(block?.actionId ?? open[0]?.actionId ?? "");
  const [start, setStart] = useState(fieldTime(grid.start + given.start * 60_000, grid.zone));
  const [end, setEnd] = useState(fieldTime(grid.start + given.end * 60_000, grid.zone));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);

  const typedNow = JSON.stringify([type, actionId, start, end]);
  const [typedFirst] = useState(typedNow);

  async function close() {
    if (await mayDiscard(typedNow !== typedFirst)) onClose();
  }

  /** As typed: the start within the day, the end after it. Times that were not touched stay exactly as they are. */
  function typedSpan(): Span {
    const same = start === fieldTime(grid.start + given.start * 60_000, grid.zone);
    const from = same ? given.start : minuteOf(grid, nextTime(grid.start, start, grid.zone));
    const fromTime = grid.start + from * 60_000;
    if (same && end === fieldTime(grid.start + given.end * 60_000, grid.zone)) return given;
    return { start: from, end: minuteOf(grid, nextTime(fromTime + 60_000, end, grid.zone)) };
  }

  function setLength(minutes: number) {
    const { start: from } = typedSpan();
    setEnd(fieldTime(grid.start + (from + minutes) * 60_000, grid.zone));
  }

  async function save(event: Event) {
    event.preventDefault();
    if (start === "" || end === "") return setProblem("Enter both times.");
    if (type === "POMODORO" && actionId === "") return setProblem("A pomodoro needs a todo. Add a todo to the day first.");
    setBusy(true);
    setProblem(undefined);
    const draft = { blockType: type, span: typedSpan(), actionId: type === "POMODORO" ? actionId : undefined };
    const sent = block ? actions.editBlock(block, draft) : actions.addBlock(draft);
    // Without a connection it waits, and is shown as it will be.
    const done = live.state.peek() === "open" ? await sent : true;
    setBusy(false);
    if (done) return onClose();
    const refused = store.refused.peek();
    store.refused.value = null;
    if (!refused) return setProblem("That was not possible.");
    // With what was tried: the sentence may be about it.
    const tried = applyPlanOp(plan, refused.op);
    setProblem(withNames(refused.problem.message, tried, { title: model.title, zone: grid.zone }));
  }

  const typed = typedSpan();
  return (
    <Dialog
      title={block ? "Edit block" : "New block"}
      onClose={() => void close()}
      footer={
        <>
          {block && (
            <Button
              variant="danger"
              icon="trash"
              onClick={() => {
                onClose();
                actions.removeBlock(block);
              }}
            >
              Remove
            </Button>
          )}
          <span class="grow" />
          <Button onClick={() => void close()}>Cancel</Button>
          <Button variant="primary" type="submit" form="block-form" busy={busy}>
            {block ? "Save" : "Add"}
          </Button>
        </>
      }
    >
      <form id="block-form" class="stack" onSubmit={(event) => void save(event)}>
        <Segmented
          label="Kind"
          value={type}
          choices={blockTypes.map((value) => ({ value, label: blockNames[value] }))}
          onChange={setType}
        />
        {type === "POMODORO" &&
          (open.length > 0 ? (
            <Select
              label="For"
              value={actionId}
              choices={open.map((todo) => ({ value: todo.actionId, label: todo.title ?? "An action" }))}
              onChange={setActionId}
            />
          ) : (
            <Notice>A pomodoro needs a todo. Add a todo to the day first.</Notice>
          ))}
        <div class="row block-times">
          <TextField class="grow" label="From" type="time" value={start} onInput={setStart} required autofocus />
          <TextField class="grow" label="Until" type="time" value={end} onInput={setEnd} required />
        </div>
        <div class="row wrap">
          <span class="soft small numbers">{durationText(typed.end - typed.start)}</span>
          <span class="grow" />
          {kUsual[type].map((minutes) => (
            <Button key={minutes} size="small" variant="quiet" onClick={() => setLength(minutes)}>
              {durationText(minutes)}
            </Button>
          ))}
        </div>
        {problem && <Notice tone="danger">{problem}</Notice>}
      </form>
    </Dialog>
  );
}
