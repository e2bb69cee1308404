import { Badge, classNames, IconButton, MenuButton, When } from "../parts";
import { Markdown } from "./markdown_view";
import type { NoteActions } from "./note_actions";
import { nameOf, type Note } from "./note_types";

interface NoteCardProps {
  note: Note;
  actions: NoteActions;
  onOpen: (note: Note) => void;
  onTag: (tag: string) => void;
  onWalk: (note: Note, by: number) => void;
}

export function NoteCard({ note, actions, onOpen, onTag, onWalk }: NoteCardProps) {
  const name = nameOf(note);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowDown: 1, ArrowRight: 1, j: 1, ArrowUp: -1, ArrowLeft: -1, k: -1 }[event.key];
    if (by !== undefined) onWalk(note, by);
    else if (event.key === "e") onOpen(note);
    else if (event.key === "p") actions.togglePin(note);
    else if (event.key === "a") void actions.toggleArchived(note);
    else if (event.key === "Delete" || event.key === "Backspace") void actions.remove(note);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <li data-id={note.noteId} class={classNames("note", note.isPinned && "note-pinned")}>
      <article
        aria-label={name}
        onClick={(event) => {
          // The note as a whole opens; what can be pressed in it does its own.
          if (!(event.target as Element).closest("a, button") && (getSelection()?.isCollapsed ?? true)) onOpen(note);
        }}
      >
        <header class="note-head">
          <h2 class="grow">
            <button
              type="button"
              class="note-name"
              aria-label={note.title !== undefined && note.title !== "" ? `Open ${name}` : `Untitled: open ${name}`}
              onClick={() => onOpen(note)}
              onKeyDown={onKeyDown}
            >
              {note.title !== undefined && note.title !== "" ? note.title : <span class="note-untitled">Untitled</span>}
            </button>
          </h2>
          <IconButton
            icon="pin"
            size="small"
            keys="p"
            label={note.isPinned ? `Unpin ${name}` : `Pin ${name}`}
            aria-pressed={note.isPinned}
            onClick={() => actions.togglePin(note)}
          />
          <MenuButton
            label={`More for ${name}`}
            size="small"
            entries={[
              { label: "Edit", icon: "edit", keys: "e", onSelect: () => onOpen(note) },
              note.isArchived
                ? { label: "Unarchive", icon: "restore", keys: "a", onSelect: () => void actions.toggleArchived(note) }
                : { label: "Archive", icon: "archive", keys: "a", onSelect: () => void actions.toggleArchived(note) },
              "line",
              { label: "Delete", icon: "trash", danger: true, onSelect: () => void actions.remove(note) },
            ]}
          />
        </header>
        {note.body !== undefined && note.body !== "" && (
          <div class="note-body">
            <Markdown text={note.body} />
          </div>
        )}
        <footer class="row wrap note-foot">
          {note.tags.map((tag) => (
            <button key={tag} type="button" class="note-tag" aria-label={`Notes with ${tag}`} onClick={() => onTag(tag)}>
              <Badge>{tag}</Badge>
            </button>
          ))}
          <span class="grow" />
          <span class="small faint">
            <When at={note.updatedAt} />
          </span>
        </footer>
      </article>
    </li>
  );
}
