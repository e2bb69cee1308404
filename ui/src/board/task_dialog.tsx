import { useState } from "preact/hooks";
import { Button, Checkbox, Dialog, mayDiscard, momentOf, Notice, RepeatField, Select, TextArea, TextField, wallAt } from "../parts";
import { ruleDays, useResource } from "../state";
import type { BoardActions } from "./board_actions";
import { isOpen, kPriorities, priorityNames, statusNames, type Board, type Status, type Task, type TaskChange } from "./board_types";

interface TaskDialogProps {
  task: Task;
  board: Board;
  actions: BoardActions;
  zone: string;
  onClose: () => void;
}

const kUsualTime = "17:00";

export function TaskDialog({ task, board, actions, zone, onClose }: TaskDialogProps) {
  const local = task.dueUtc === undefined ? "" : wallAt(Date.parse(task.dueUtc), zone);
  const [title, setTitle] = useState(task.title);
  const [description, setDescription] = useState(task.description ?? "");
  const [status, setStatus] = useState<Status>(task.status);
  const [priority, setPriority] = useState(String(task.priority));
  const [day, setDay] = useState(local.slice(0, 10));
  const [time, setTime] = useState(local === "" ? kUsualTime : local.slice(11, 16));
  const [tags, setTags] = useState([...task.tags].sort().join(", "));
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const rule = useResource(`rule ${task.taskId}`, () => actions.store.rule(task));
  const ruleBefore = rule.data.value;
  const [ruleTyped, setRuleTyped] = useState<string | null>(null);
  const [withFollowing, setWithFollowing] = useState(false);
  const rrule = ruleTyped ?? ruleBefore ?? "";
  const isSeries = ruleBefore !== undefined && ruleBefore !== "";

  const dueOn = (on: string) => `${on}T${time === "" ? kUsualTime : time}:00`;

  function changes(): TaskChange {
    const change: TaskChange = {};
    if (title.trim() !== task.title) change.title = title.trim();
    if (description.trim() !== (task.description ?? "")) change.description = description.trim() === "" ? null : description.trim();
    if (status !== task.status) change.status = status;
    if (Number(priority) !== task.priority) change.priority = Number(priority);
    const due = day === "" ? "" : dueOn(day);
    if (due !== local) change.dueUtc = due === "" ? null : new Date(momentOf(due, zone)).toISOString().replace(".000Z", "Z");
    const words = [
      ...new Set(
        tags
          .split(",")
          .map((word) => word.trim())
          .filter(Boolean),
      ),
    ].sort();
    if (words.join() !== [...task.tags].sort().join()) change.tags = words.length === 0 ? null : words;
    return change;
  }

  async function close() {
    const isRuleChanged = ruleTyped !== null && ruleTyped !== ruleBefore;
    if (await mayDiscard(isRuleChanged || Object.keys(changes()).length > 0)) onClose();
  }

  async function save(event: Event) {
    event.preventDefault();
    if (title.trim() === "") return setErrors({ title: "Enter a title." });
    const change = changes();
    const isRepeated = ruleBefore !== undefined && (rrule !== ruleBefore || (isSeries && withFollowing && Object.keys(change).length > 0));
    if (isRepeated && rrule !== "" && day === "") return setErrors({ dueUtc: "Enter when the first one is due." });
    if (isRepeated && rrule !== "" && (status === "DONE" || status === "ARCHIVED"))
      return setErrors({ rrule: "A completed task cannot repeat. Reopen it, or choose “Does not repeat”." });
    if (!isRepeated && Object.keys(change).length === 0) return onClose();
    setBusy(true);
    setErrors({});
    setProblem(null);
    const refused = await actions.save(
      isRepeated ? { kind: "repeat", task, change, rrule: rrule === "" ? null : rrule } : { kind: "change", task, change },
    );
    setBusy(false);
    if (refused === null) return onClose();
    setErrors(Object.fromEntries(refused.errors.map(({ field }) => [field, refused.field(field)])));
    setProblem(
      refused.status === 412
        ? "This was changed elsewhere in the meantime. Close this dialog to see the latest version; your text stays here until then."
        : refused.errors.length > 0
          ? null
          : refused.message,
    );
  }

  const columnName = (value: Status) => board.columns.find((column) => column.status === value)?.title ?? statusNames[value];
  return (
    <Dialog
      title="Edit card"
      onClose={() => void close()}
      footer={
        <>
          <Button variant="danger" icon="trash" onClick={() => void actions.remove(task).then((gone) => gone && onClose())}>
            Delete
          </Button>
          <span class="grow" />
          <Button onClick={() => void close()}>Cancel</Button>
          <Button variant="primary" type="submit" form="task-form" busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <form id="task-form" class="stack" noValidate onSubmit={(event) => void save(event)}>
        {problem !== null && <Notice tone="danger">{problem}</Notice>}
        <TextField label="Title" value={title} onInput={setTitle} error={errors.title} maxLength={500} autocomplete="off" autofocus />
        <div class="row task-fields">
          <Select
            class="grow"
            label="Column"
            value={status}
            choices={(Object.keys(statusNames) as Status[]).map((value) => ({ value, label: columnName(value) }))}
            onChange={setStatus}
          />
          <Select
            class="grow"
            label="Priority"
            value={priority}
            choices={kPriorities.map((value) => ({ value: String(value), label: priorityNames[value]! }))}
            onChange={setPriority}
          />
        </div>
        <div class="row task-fields">
          <TextField class="grow" label="Due" type="date" value={day} onInput={setDay} error={errors.dueUtc} />
          <TextField class="grow" label="Due time" type="time" value={time} onInput={setTime} disabled={day === ""} />
        </div>
        {task.status === "BACKLOG" && status === "BACKLOG" && day !== "" && (
          <p class="small faint">It appears in the calendar once it leaves the backlog.</p>
        )}
        {isOpen(task) && (
          <RepeatField
            rrule={rrule}
            onChange={setRuleTyped}
            start={dueOn(day === "" ? wallAt(Date.now(), zone).slice(0, 10) : day)}
            zone={zone}
            error={errors.rrule ?? rule.problem.value?.message}
            disabled={ruleBefore === undefined}
            days={ruleDays}
          />
        )}
        {isSeries && rrule === ruleBefore && (
          <Checkbox label="Also change the following tasks" checked={withFollowing} onChange={setWithFollowing} />
        )}
        <TextField label="Tags" value={tags} onInput={setTags} error={errors.tags} hint="Separated by commas" autocomplete="off" />
        <TextArea label="Description" value={description} onInput={setDescription} error={errors.description} rows={4} />
      </form>
    </Dialog>
  );
}
