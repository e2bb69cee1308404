import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { problemOf, useMe } from "../api";
import { Button, classNames, EmptyState, Icon, Notice, Segmented, Skeleton, useCommands, useKeepFocus } from "../parts";
import { navigate, PageFrame, toastProblem, usePaletteSearch, type PageProps } from "../shell";
import { useOptimistic } from "../state";
import { NoteActions } from "./note_actions";
import { NoteCard } from "./note_card";
import { NoteDialog } from "./note_dialog";
import { noteStore } from "./note_store";
import { nameOf, tagCounts, type Note, type Shelf } from "./note_types";
import { useNoteSearch } from "./use_note_search";
import "./notes.css";

const kTagsShown = 12;

/** "/notes", "/notes/archive", with "?tag=work". */
export default function NotesPage({ rest, query }: PageProps) {
  const { userId } = useMe();
  const shelf: Shelf = rest[0] === "archive" ? "archive" : "grid";
  const store = useMemo(() => noteStore(userId, shelf), [userId, shelf]);
  const actions = useMemo(() => new NoteActions(store), [store]);
  useOptimistic(store.notes, `nexus:${userId}`, { concerns: ({ data }) => data.entityType === "NOTE" });
  const [editing, setEditing] = useState<{ note: Note | null } | null>(null);
  const [text, setText] = useState("");
  const grid = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  useKeepFocus(grid);

  const notes = store.notes.view.value;
  const problem = store.notes.problem.value;
  const found = useNoteSearch(text, store.notes.server.value);
  const tag = query.get("tag");
  const tags = useMemo(() => tagCounts(notes?.items ?? []), [notes]);
  const isSearching = text.trim() !== "";
  const shown = (notes?.items ?? []).filter((note) => tag === null || note.tags.includes(tag));

  useEffect(() => setText(""), [shelf]);

  const goTag = (to: string | null) =>
    navigate(`/notes${shelf === "archive" ? "/archive" : ""}${to === null ? "" : `?tag=${encodeURIComponent(to)}`}`);
  const write = () => setEditing({ note: null });
  function walk(note: Note, by: number) {
    const names = [...(grid.current?.querySelectorAll<HTMLElement>(".note-name") ?? [])];
    const at = names.findIndex((name) => name.closest<HTMLElement>("[data-id]")?.dataset.id === note.noteId);
    names[Math.max(0, Math.min(at + by, names.length - 1))]?.focus();
  }
  async function openById(noteId: string) {
    try {
      setEditing({ note: store.note(noteId) ?? (await store.read(noteId)) });
    } catch (thrown) {
      toastProblem("The note could not be opened.", problemOf(thrown));
    }
  }

  const group = "Notes";
  useCommands([
    { keys: "n", label: "New note", group, icon: "plus", run: write },
    { keys: "/", label: "Search the notes", group, icon: "search", run: () => searchField.current?.focus() },
    { keys: "j", label: "First note, then next note", group, run: () => grid.current?.querySelector<HTMLElement>(".note-name")?.focus() },
    ...kNoteKeys.map(({ keys, label }) => ({ keys, label, group: "At a note", within: grid, run: () => false })),
    {
      label: shelf === "archive" ? "Show the notes" : "Show the archive",
      group,
      icon: "archive",
      run: () => navigate(shelf === "archive" ? "/notes" : "/notes/archive"),
    },
  ]);
  usePaletteSearch((typed) =>
    (notes?.items ?? [])
      .filter((note) => nameOf(note).toLowerCase().includes(typed.toLowerCase()))
      .slice(0, 5)
      .map((note) => ({ label: nameOf(note), group, icon: "note" as const, run: () => setEditing({ note }) })),
  );

  return (
    <PageFrame
      title="Notes"
      width="full"
      actions={
        <div class="notes-tools">
          <label class="notes-search">
            <Icon name="search" size={15} />
            <input
              ref={searchField}
              class="input"
              type="search"
              aria-label="Search the notes"
              placeholder="Search"
              maxLength={200}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Escape") {
                  setText("");
                  event.currentTarget.blur();
                } else if (event.key === "ArrowDown") grid.current?.querySelector<HTMLElement>(".note-name")?.focus();
              }}
            />
          </label>
          <Segmented
            label="Show"
            value={shelf}
            choices={[
              { value: "grid", label: "Notes" },
              { value: "archive", label: "Archive" },
            ]}
            onChange={(to) => navigate(to === "archive" ? "/notes/archive" : "/notes")}
          />
          <Button variant="primary" icon="plus" class="notes-new" keys="n" onClick={write}>
            New note
          </Button>
        </div>
      }
    >
      {(tags.length > 0 || tag !== null) && !isSearching && (
        <nav class="row wrap notes-tags" aria-label="Tags">
          {(tag !== null && !tags.some(([name]) => name === tag) ? [[tag, 0] as [string, number], ...tags] : tags)
            .slice(0, kTagsShown)
            .map(([name, count]) => (
              <Button
                key={name}
                size="small"
                variant="quiet"
                class="notes-tag"
                aria-pressed={name === tag}
                onClick={() => goTag(name === tag ? null : name)}
              >
                {name} <span class="numbers">{count}</span>
              </Button>
            ))}
        </nav>
      )}
      {problem && (
        <div class="notes-problem">
          <Notice tone="danger" action={{ label: "Try again", run: () => void store.notes.refresh().catch(() => undefined) }}>
            {problem.message}
          </Notice>
        </div>
      )}
      {notes?.isCut && <Notice tone="warning">These are the newest; the search finds the others.</Notice>}
      <div ref={grid}>
        {!notes ? (
          !problem && <NotesSkeleton />
        ) : isSearching ? (
          <Hits found={found} text={text} actions={actions} onOpen={(id) => void openById(id)} onTag={goTag} onWalk={walk} />
        ) : shown.length === 0 ? (
          <Nothing shelf={shelf} tag={tag} onWrite={write} onAll={() => goTag(null)} />
        ) : (
          <ul class="notes" role="list" aria-label={shelf === "archive" ? "Archived notes" : "Notes"}>
            {shown.map((note) => (
              <NoteCard
                key={note.noteId}
                note={note}
                actions={actions}
                onOpen={(open) => setEditing({ note: open })}
                onTag={goTag}
                onWalk={walk}
              />
            ))}
          </ul>
        )}
      </div>
      {editing && <NoteDialog note={editing.note} tags={tag === null ? [] : [tag]} actions={actions} onClose={() => setEditing(null)} />}
    </PageFrame>
  );
}

/** The notes hear these themselves; here they are for the help. */
const kNoteKeys = [
  { keys: "e", label: "Edit" },
  { keys: "p", label: "Pin or unpin" },
  { keys: "a", label: "Archive or unarchive" },
  { keys: "Delete", label: "Delete" },
];

interface HitsProps {
  found: ReturnType<typeof useNoteSearch>;
  text: string;
  actions: NoteActions;
  onOpen: (noteId: string) => void;
  onTag: (tag: string) => void;
  onWalk: (note: Note, by: number) => void;
}

function Hits({ found, text, actions, onOpen, onTag, onWalk }: HitsProps) {
  const { hits, isCut, problem } = found;
  if (problem !== null) return <Notice tone="danger">{problem}</Notice>;
  if (!hits) return <NotesSkeleton />;
  if (hits.length === 0) {
    return (
      <EmptyState icon="search" title="No notes found">
        <p>Looked for words that begin with “{text.trim()}”.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <p class="unseen" role="status">
        {hits.length} notes found
      </p>
      {isCut && <Notice>There are more; type another word.</Notice>}
      <ul class="notes" role="list" aria-label="Notes found">
        {hits.map((hit) => {
          const known = actions.store.note(hit.id);
          if (known)
            return (
              <NoteCard key={hit.id} note={known} actions={actions} onOpen={({ noteId }) => onOpen(noteId)} onTag={onTag} onWalk={onWalk} />
            );
          return (
            <li key={hit.id} data-id={hit.id} class={classNames("note", "note-hit")}>
              <article aria-label={hit.title}>
                <h2>
                  <button type="button" class="note-name" aria-label={`Open ${hit.title}`} onClick={() => onOpen(hit.id)}>
                    {hit.title}
                  </button>
                </h2>
                <p class="soft small">{hit.snippet}</p>
              </article>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Nothing({ shelf, tag, onWrite, onAll }: { shelf: Shelf; tag: string | null; onWrite: () => void; onAll: () => void }) {
  if (tag !== null) {
    return (
      <EmptyState icon="tag" title={`No notes tagged “${tag}”`} actions={<Button onClick={onAll}>Show all</Button>}>
        <p>It may be in the archive.</p>
      </EmptyState>
    );
  }
  if (shelf === "archive") {
    return (
      <EmptyState icon="archive" title="The archive is empty">
        <p>Archived notes are kept here, and search still finds them.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="notes"
      title="Write down what you want to keep"
      actions={
        <Button variant="primary" icon="plus" onClick={onWrite}>
          Write a note
        </Button>
      }
    >
      <p>Headings, lists and links in Markdown; tags to find them by; what matters most is pinned.</p>
    </EmptyState>
  );
}

function NotesSkeleton() {
  return (
    <div class="notes" role="status">
      <span class="unseen">Loading the notes…</span>
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} class="note">
          <Skeleton width="60%" height="18px" />
          <Skeleton height="72px" />
        </div>
      ))}
    </div>
  );
}
