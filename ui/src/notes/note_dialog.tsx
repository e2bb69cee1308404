import { useState } from "preact/hooks";
import { problemOf } from "../api";
import { Button, Dialog, mayDiscard, Notice, Segmented, TextArea, TextField, useShortcut } from "../parts";
import { Markdown } from "./markdown_view";
import type { NoteActions } from "./note_actions";
import { tagsIn, type Note, type NoteText } from "./note_types";

interface NoteDialogProps {
  /** null: a new one. */
  note: Note | null;
  /** Of a new one, when the page shows those of a tag. */
  tags: string[];
  actions: NoteActions;
  onClose: () => void;
}

/** Writes a note, and shows how it will look. */
export function NoteDialog({ note, tags, actions, onClose }: NoteDialogProps) {
  // What it is a change of, should the note be changed elsewhere while this is open.
  const [base, setBase] = useState(note);
  const [title, setTitle] = useState(note?.title ?? "");
  const [body, setBody] = useState(note?.body ?? "");
  const [tagText, setTagText] = useState([...(note?.tags ?? tags)].sort().join(", "));
  const [mode, setMode] = useState<"write" | "look">("write");
  const [problem, setProblem] = useState<{ text: string; isStale: boolean } | null>(null);
  const [busy, setBusy] = useState(false);

  const text: NoteText = { title: title.trim(), body, tags: tagsIn(tagText) };
  const change: Partial<NoteText> = {};
  if (text.title !== (note?.title ?? "")) change.title = text.title;
  if (text.body !== (note?.body ?? "")) change.body = text.body;
  if (text.tags.join() !== [...(note?.tags ?? [])].sort().join()) change.tags = text.tags;
  const isChanged = note ? Object.keys(change).length > 0 : text.title !== "" || text.body.trim() !== "";

  async function close() {
    if (await mayDiscard(isChanged)) onClose();
  }

  async function save(on: Note | null) {
    if (busy) return;
    if (!isChanged) return onClose();
    if (text.title === "" && text.body.trim() === "") return setProblem({ text: "Enter a title or some text.", isStale: false });
    setBusy(true);
    setProblem(null);
    const refused = await actions.save(on, text, change);
    setBusy(false);
    if (refused === null) return onClose();
    const named = refused.field("title") ?? refused.field("body") ?? refused.field("tags");
    if (refused.status === 412)
      setProblem({ text: "This note was changed elsewhere in the meantime. Your text is still here.", isStale: true });
    else setProblem({ text: named ?? refused.message, isStale: false });
  }

  async function insist() {
    if (!base) return;
    try {
      const now = await actions.store.read(base.noteId);
      setBase(now);
      await save(now);
    } catch (thrown) {
      setProblem({ text: problemOf(thrown).message, isStale: false });
    }
  }

  return (
    <Dialog
      title={note ? "Note" : "New note"}
      size="large"
      onClose={() => void close()}
      footer={
        <>
          {note && (
            <Button variant="danger" icon="trash" onClick={() => void actions.remove(note).then((gone) => gone && onClose())}>
              Delete
            </Button>
          )}
          <span class="grow" />
          <Button onClick={() => void close()}>Cancel</Button>
          <Button variant="primary" type="submit" form="note-form" busy={busy} keys="mod+Enter">
            Save
          </Button>
        </>
      }
    >
      <SaveKey onSave={() => void save(base)} />
      <form
        id="note-form"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save(base);
        }}
      >
        {problem && (
          <Notice tone="danger" {...(problem.isStale ? { action: { label: "Save mine anyway", run: () => void insist() } } : {})}>
            {problem.text}
          </Notice>
        )}
        <TextField label="Title" value={title} onInput={setTitle} maxLength={500} autocomplete="off" autofocus={note === null} />
        <Segmented
          label="Write or preview"
          value={mode}
          choices={[
            { value: "write", label: "Write", icon: "edit" },
            { value: "look", label: "Preview", icon: "eye" },
          ]}
          onChange={setMode}
        />
        {mode === "write" ? (
          <TextArea
            label="Text"
            hint="Markdown: # heading, - list, - [ ] to tick, **strong**, `code`"
            value={body}
            onInput={setBody}
            rows={12}
            maxLength={200_000}
            autofocus={note !== null}
          />
        ) : (
          <div class="note-look">{body.trim() === "" ? <p class="faint">Nothing to preview yet.</p> : <Markdown text={body} />}</div>
        )}
        <TextField label="Tags" value={tagText} onInput={setTagText} hint="Separated by commas" autocomplete="off" />
      </form>
    </Dialog>
  );
}

/** In the dialog's own layer, where shortcuts are awake. */
function SaveKey({ onSave }: { onSave: () => void }) {
  useShortcut("mod+Enter", onSave, { inFields: true });
  return null;
}
