import { useRef, useState } from "preact/hooks";
import { api, ApiProblem, problemOf } from "../api";
import { announce, Button, Checkbox, Dialog, IconButton, mayDiscard, Notice, TextField, useKeepFocus } from "../parts";
import { tagOf } from "../state";
import { columnErrors, columnsOf, draftsOf, movedDraft, type ColumnDraft, type ColumnErrors } from "./column_drafts";
import { statusNames, type NexusSettings, type Status } from "./board_types";

interface ColumnsDialogProps {
  settings: NexusSettings;
  onSaved: (settings: NexusSettings) => void;
  onClose: () => void;
}

const kTitleMax = 60;

/** Names, order and limits of the columns, and which there are. */
export function ColumnsDialog({ settings, onSaved, onClose }: ColumnsDialogProps) {
  const [drafts, setDrafts] = useState(() => draftsOf(settings.columns));
  const [errors, setErrors] = useState<ColumnErrors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  useKeepFocus(list);

  function change(status: Status, to: Partial<ColumnDraft>) {
    setDrafts(drafts.map((draft) => (draft.status === status ? { ...draft, ...to } : draft)));
    setErrors({});
    setProblem(null);
  }

  function move(status: Status, by: 1 | -1) {
    const next = movedDraft(drafts, status, by);
    setDrafts(next);
    announce(`${statusNames[status]}: place ${next.findIndex((draft) => draft.status === status) + 1} of ${next.length}`);
  }

  async function close() {
    const isChanged = JSON.stringify(drafts) !== JSON.stringify(draftsOf(settings.columns));
    if (await mayDiscard(isChanged)) onClose();
  }

  async function save(event: Event) {
    event.preventDefault();
    const found = columnErrors(drafts);
    setErrors(found);
    if (Object.keys(found).length > 0) {
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    const columns = columnsOf(drafts);
    if (columns.length === 0) return setProblem("A board needs at least one column.");
    if (same(columns, settings.columns)) return onClose();
    setBusy(true);
    setProblem(null);
    try {
      onSaved(await send(columns, settings));
      onClose();
    } catch (thrown) {
      const refused = problemOf(thrown);
      setProblem(
        refused.status === 412
          ? "The columns were changed elsewhere in the meantime. Close this dialog to see the latest version."
          : refused.message,
      );
      setBusy(false);
    }
  }

  return (
    <Dialog
      title="Columns"
      onClose={() => void close()}
      footer={
        <>
          <Button onClick={() => void close()}>Cancel</Button>
          <Button variant="primary" type="submit" form="columns-form" busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <form id="columns-form" class="stack" noValidate onSubmit={(event) => void save(event)}>
        {problem !== null && <Notice tone="danger">{problem}</Notice>}
        <p class="small soft">
          From left to right. A limit warns; it stops nobody. Cards of a column that is not shown stay where they are.
        </p>
        <ol ref={list} class="columns-list" role="list">
          {drafts.map(({ status, isShown, title, limit }, index) => {
            const name = statusNames[status];
            return (
              <li key={status} data-id={status} class="columns-row">
                <Checkbox
                  class="columns-shown"
                  label={name}
                  checked={isShown}
                  onChange={(checked) => change(status, { isShown: checked })}
                />
                <TextField
                  class="columns-title"
                  label={`Name of ${name}`}
                  hideLabel
                  value={title}
                  onInput={(value) => change(status, { title: value })}
                  disabled={!isShown}
                  error={errors[status]?.title}
                  maxLength={kTitleMax}
                  autocomplete="off"
                  autofocus={index === 0}
                />
                <TextField
                  class="columns-limit"
                  label={`Limit of ${name}`}
                  hideLabel
                  placeholder="No limit"
                  value={limit}
                  onInput={(value) => change(status, { limit: value })}
                  disabled={!isShown}
                  error={errors[status]?.limit}
                  inputMode="numeric"
                  autocomplete="off"
                />
                <span class="row columns-moves">
                  <IconButton icon="arrow-up" size="small" label={`${name}: move left`} onClick={() => move(status, -1)} />
                  <IconButton icon="arrow-down" size="small" label={`${name}: move right`} onClick={() => move(status, 1)} />
                </span>
              </li>
            );
          })}
        </ol>
      </form>
    </Dialog>
  );
}

type Columns = NexusSettings["columns"];

const same = (one: Columns, other: Columns): boolean => JSON.stringify(draftsOf(one)) === JSON.stringify(draftsOf(other));

/** On the settings as they were seen. What else of them was changed meanwhile is no obstacle. */
async function send(columns: Columns, seen: NexusSettings): Promise<NexusSettings> {
  const on = (version: number) => api.patch("/api/nexus/settings", { body: { columns }, ifMatch: tagOf(version) });
  try {
    return await on(seen.version);
  } catch (thrown) {
    if (!(thrown instanceof ApiProblem) || thrown.status !== 412) throw thrown;
    const now = await api.get("/api/nexus/settings");
    if (!same(now.columns, seen.columns)) throw thrown;
    return on(now.version);
  }
}
