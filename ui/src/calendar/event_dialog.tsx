import { useEffect, useState } from "preact/hooks";
import { newKey, problemOf } from "../api";
import { Button, Checkbox, Dialog, mayDiscard, Notice, RepeatField, Select, SkeletonRows, TextArea, TextField, zoneNames } from "../parts";
import { ruleDays } from "../state";
import type { CalendarActions } from "./calendar_actions";
import { canOpen, type CreateOp, type ChangeOp, type Item, type Times } from "./calendar_types";
import {
  changedContent,
  contentOfDraft,
  draftErrors,
  draftOf,
  sameDraft,
  sameTimes,
  timesOfDraft,
  withStart,
  type Draft,
} from "./event_draft";
import type { Known } from "./known_event";
import { timesOf } from "./move_times";
import { zoneLabel } from "./zone_dialog";

export type Editing = { item: Item } | { times: Times };

interface EventDialogProps {
  editing: Editing;
  actions: CalendarActions;
  onClose: () => void;
}

/** Makes an event, or changes one. */
export function EventDialog({ editing, actions, onClose }: EventDialogProps) {
  if (!("item" in editing)) {
    return <EventForm times={editing.times} actions={actions} onClose={onClose} />;
  }
  return <ExistingEvent item={editing.item} actions={actions} onClose={onClose} />;
}

function ExistingEvent({ item, actions, onClose }: { item: Item; actions: CalendarActions; onClose: () => void }) {
  const [known, setKnown] = useState(() => actions.store.made(item) ?? null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    if (!canOpen(item) || known) return undefined;
    actions.store.read(item).then(
      (found) => current && setKnown(found),
      (thrown: unknown) => current && setProblem(problemOf(thrown).message),
    );
    return () => {
      current = false;
    };
  }, [item, known, actions]);
  if (known) return <EventForm times={timesOf(known.item)} known={known} actions={actions} onClose={onClose} />;
  return (
    <Dialog title={item.title} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      {problem !== null ? (
        <Notice tone="danger">{problem}</Notice>
      ) : canOpen(item) ? (
        <SkeletonRows rows={6} label="Loading the event" />
      ) : (
        <Notice>This event is years ahead. You can edit it closer to the date, or edit the whole series now.</Notice>
      )}
    </Dialog>
  );
}

interface EventFormProps {
  times: Times;
  known?: Known;
  actions: CalendarActions;
  onClose: () => void;
}

const kFloating = "";

function EventForm({ times, known, actions, onClose }: EventFormProps) {
  const before = known?.content;
  const [first] = useState<Draft>(() => draftOf(times, before, known?.rrule));
  const [draft, setDraft] = useState(first);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const change = (next: Draft) => {
    setDraft(next);
    setErrors({});
  };
  const set =
    <Name extends keyof Draft>(name: Name) =>
    (value: Draft[Name]) =>
      change({ ...draft, [name]: value });

  async function close() {
    if (await mayDiscard(!sameDraft(first, draft))) onClose();
  }

  function operation(): CreateOp | ChangeOp | null {
    const nextTimes = timesOfDraft(draft);
    const content = contentOfDraft(draft);
    const rrule = draft.rrule === "" ? null : draft.rrule;
    if (!known || !before) return { kind: "create", id: newKey(), times: nextTimes, content, rrule };
    const op: ChangeOp = {
      kind: "change",
      item: known.item,
      scope: "this",
      times: sameTimes(times, nextTimes) ? undefined : nextTimes,
      content: changedContent(before, {
        ...content,
        tags: content.tags.sort(),
        reminderMinutes: content.reminderMinutes.sort((one, other) => one - other),
      }),
      rrule: draft.rrule === known.rrule ? undefined : rrule,
    };
    return op.times || op.content || op.rrule !== undefined ? op : null;
  }

  async function save(event: Event) {
    event.preventDefault();
    const found = draftErrors(draft);
    setErrors(found);
    if (Object.keys(found).length > 0) {
      const form = event.currentTarget as HTMLFormElement;
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    const op = operation();
    if (!op) return onClose();
    setBusy(true);
    setProblem(null);
    const refused = await actions.save(op);
    setBusy(false);
    if (refused === "asked") return;
    if (refused === null) return onClose();
    const named = (name: string) => refused.field(name);
    setErrors({
      title: named("title"),
      startTime: named("startLocal") ?? named("startTzid"),
      endTime: named("endLocal"),
      rrule: named("rrule"),
      reminders: named("reminderMinutes"),
      tags: named("tags"),
      location: named("location"),
      description: named("description"),
    });
    setProblem(
      refused.status === 412
        ? "This was changed elsewhere in the meantime. Close this dialog to see the latest version; your text stays here until then."
        : refused.errors.length > 0
          ? null
          : refused.message,
    );
  }

  const start = timesOfDraft(draft);
  const zones = [
    { value: kFloating, label: "No time zone: the same local time everywhere" },
    ...zoneNames(draft.zone === "" ? actions.store.zone : draft.zone).map((value) => ({ value, label: zoneLabel(value) })),
  ];
  return (
    <Dialog
      title={known ? "Edit event" : "New event"}
      onClose={() => void close()}
      footer={
        <>
          {known && (
            <Button variant="danger" icon="trash" onClick={() => void actions.remove(known.item).then((gone) => gone && onClose())}>
              Delete
            </Button>
          )}
          <span class="grow" />
          <Button onClick={() => void close()}>Cancel</Button>
          <Button variant="primary" type="submit" form="event-form" busy={busy}>
            {known ? "Save" : "Add"}
          </Button>
        </>
      }
    >
      <form id="event-form" class="stack" noValidate onSubmit={(event) => void save(event)}>
        {problem !== null && <Notice tone="danger">{problem}</Notice>}
        <TextField
          label="Title"
          value={draft.title}
          onInput={set("title")}
          error={errors.title}
          maxLength={500}
          autocomplete="off"
          autofocus
        />
        <Checkbox label="All day" checked={draft.allDay} onChange={set("allDay")} />
        <div class="row event-times">
          <TextField
            class="grow"
            label="From"
            type="date"
            value={draft.startDay}
            onInput={(startDay) => change(withStart(draft, { startDay }))}
            error={errors.startDay}
          />
          {!draft.allDay && (
            <TextField
              label="Start time"
              type="time"
              value={draft.startTime}
              onInput={(startTime) => change(withStart(draft, { startTime }))}
              error={errors.startTime}
            />
          )}
        </div>
        <div class="row event-times">
          <TextField class="grow" label="Until" type="date" value={draft.endDay} onInput={set("endDay")} error={errors.endDay} />
          {!draft.allDay && (
            <TextField label="End time" type="time" value={draft.endTime} onInput={set("endTime")} error={errors.endTime} />
          )}
        </div>
        {!draft.allDay && <Select label="Time zone" value={draft.zone} choices={zones} onChange={set("zone")} />}
        <RepeatField
          rrule={draft.rrule}
          onChange={set("rrule")}
          start={start.startLocal}
          zone={start.zone}
          error={errors.rrule}
          days={ruleDays}
        />
        <TextField
          label="Location"
          value={draft.location}
          onInput={set("location")}
          error={errors.location}
          maxLength={1000}
          autocomplete="off"
        />
        <TextField
          label="Remind me"
          value={draft.reminders}
          onInput={set("reminders")}
          error={errors.reminders}
          hint="Minutes before, separated by commas, such as 10, 60"
          autocomplete="off"
        />
        <TextField
          label="Tags"
          value={draft.tags}
          onInput={set("tags")}
          error={errors.tags}
          hint="Separated by commas"
          autocomplete="off"
        />
        <TextArea label="Description" value={draft.description} onInput={set("description")} error={errors.description} rows={3} />
      </form>
    </Dialog>
  );
}
