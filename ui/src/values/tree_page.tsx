import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Dialog, EmptyState, Icon, IconButton, Kbd, Notice, SkeletonRows, useShortcut, type MenuEntry } from "../parts";
import { ChooseParent } from "./choose_parent";
import { Details } from "./details";
import { FailedChanges } from "./failed_changes";
import { ValuesFrame } from "./frame";
import type { ValuesModel } from "./model";
import type { ParentQuestion } from "./row_menu";
import { typeNames } from "./tree";
import { TreeView } from "./tree_view";
import { useMedia } from "./use_window";

/** The tree of now, with the details of the current line beside it, or over it where there is little room. */
export function TreePage({ values, nodeId }: { values: ValuesModel; nodeId: string | null }) {
  const [asked, setAsked] = useState<{ what: ParentQuestion; nodeId: string } | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);
  const hasRoom = useMedia("(min-width: 1080px)");
  const { outline, store } = values;
  const isLoaded = store.view.value !== undefined;
  const isEmpty = isLoaded && outline.rows.value.length === 0 && outline.search.value === "";
  const current = outline.current.value;
  const ask = (what: ParentQuestion, id: string) => setAsked({ what, nodeId: id });

  useEffect(() => {
    if (nodeId !== null && isLoaded) outline.reveal(nodeId);
  }, [nodeId, isLoaded, outline]);
  useShortcut("/", () => search.current?.focus(), { label: "Search the tree", group: "Values", icon: "search" });
  useShortcut("n", () => values.startDriver(), { label: "New driver", group: "Values", icon: "plus" });

  function openDetails() {
    if (!outline.current.peek()) return;
    if (!hasRoom) values.detailsOpen.value = true;
    else panel.current?.querySelector<HTMLElement>(".inline-text, button")?.focus();
  }
  function onPanelKey(event: KeyboardEvent) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    (document.activeElement as HTMLElement | null)?.blur();
    ++values.focusTree.value;
  }

  const hasDraft = values.draft.value !== null;
  return (
    <ValuesFrame values={values} title="Values" room="tree" menu={viewMenu(values)}>
      <div class="values-columns">
        <div class="values-main">
          {!(isEmpty && !hasDraft) && <Toolbar values={values} field={search} />}
          <FailedChanges values={values} />
          {!isLoaded && store.problem.value === undefined && <SkeletonRows rows={10} label="Loading the tree" />}
          {!isLoaded && store.problem.value !== undefined && (
            <Notice
              tone="danger"
              title="The tree could not be loaded."
              action={{ label: "Try again", run: () => void store.refresh().catch(() => undefined) }}
            >
              {store.problem.value.message}
            </Notice>
          )}
          {isEmpty && !hasDraft && <Newcomer values={values} />}
          {isLoaded && (!isEmpty || hasDraft) && (
            <TreeView
              outline={outline}
              label="Values"
              values={values}
              ask={ask}
              leave={() => search.current?.focus()}
              openDetails={openDetails}
              pressOpens={!hasRoom}
            />
          )}
          {outline.search.value !== "" && outline.rows.value.length === 0 && (
            <p class="soft values-none">
              Nothing has “{outline.search.value}” in its title or notes.{" "}
              <button type="button" class="plain-link" onClick={() => (outline.search.value = "")}>
                Show everything
              </button>
            </p>
          )}
          {isLoaded && !isEmpty && (
            <Button variant="quiet" icon="plus" class="values-add" onClick={() => values.startDriver()}>
              Add a driver
            </Button>
          )}
        </div>
        {hasRoom && (
          <aside class="values-panel" aria-label="Details" ref={panel} onKeyDown={onPanelKey}>
            {current ? <Details values={values} node={current.node} ask={ask} /> : <NothingChosen />}
          </aside>
        )}
      </div>
      {!hasRoom && values.detailsOpen.value && current && (
        <Dialog title={typeNames[current.node.nodeType]} onClose={() => (values.detailsOpen.value = false)} class="values-sheet">
          <Details values={values} node={current.node} ask={ask} />
        </Dialog>
      )}
      {asked && <ChooseParent values={values} what={asked.what} nodeId={asked.nodeId} onClose={() => setAsked(null)} />}
    </ValuesFrame>
  );
}

function viewMenu(values: ValuesModel): MenuEntry[] {
  const { outline } = values;
  const flip = (which: "showArchived" | "showCompleted") => () => {
    outline[which].value = !outline[which].value;
    outline.remember();
  };
  return [
    { label: outline.showCompleted.value ? "Hide completed" : "Show completed", icon: "done", onSelect: flip("showCompleted") },
    { label: outline.showArchived.value ? "Hide archived" : "Show archived", icon: "archive", onSelect: flip("showArchived") },
    "line",
    { label: "Expand all", icon: "chevron-down", keys: "*", onSelect: () => outline.openTo(Infinity) },
    { label: "Collapse all", icon: "chevron-right", onSelect: () => outline.openTo(0) },
    { label: "Show milestones only", icon: "milestone", onSelect: () => outline.openTo(1) },
    "line",
    { label: "Pack away old completed items", icon: "archive", onSelect: () => values.pack() },
  ];
}

function Toolbar({ values, field }: { values: ValuesModel; field: { current: HTMLInputElement | null } }) {
  const { outline } = values;
  const text = outline.search.value;
  const hidden = [!outline.showCompleted.value && "completed", outline.showArchived.value && "archived"] as const;
  return (
    <div class="values-toolbar">
      <div class="values-search">
        <Icon name="search" size={15} />
        <input
          ref={field}
          class="input"
          type="text"
          aria-label="Search the tree"
          placeholder="Search"
          value={text}
          onInput={(event) => (outline.search.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape" && text !== "") outline.search.value = "";
            else if (event.key === "ArrowDown" || event.key === "Enter" || event.key === "Escape") enterTree(values);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        {text === "" ? (
          <Kbd keys="/" />
        ) : (
          <IconButton size="small" icon="close" label="Clear the search" onClick={() => (outline.search.value = "")} />
        )}
      </div>
      {hidden[0] && (
        <Button size="small" variant="quiet" icon="eye" onClick={() => (outline.showCompleted.value = true)}>
          Completed items are hidden
        </Button>
      )}
      {hidden[1] && (
        <Button size="small" variant="quiet" icon="archive" onClick={() => (outline.showArchived.value = false)}>
          Archived items are shown
        </Button>
      )}
    </div>
  );
}

function enterTree(values: ValuesModel): void {
  const { outline } = values;
  const rows = outline.rows.peek();
  const match = outline.search.peek() === "" ? undefined : rows.find(({ isMatch }) => isMatch);
  const row = match ?? outline.current.peek() ?? rows[0];
  if (row) outline.choose(row.key);
  ++values.focusTree.value;
}

function Newcomer({ values }: { values: ValuesModel }) {
  const [busy, setBusy] = useState(false);
  async function fill() {
    setBusy(true);
    await values.fillDemo();
    setBusy(false);
  }
  return (
    <EmptyState
      icon="driver"
      title="What matters to you?"
      actions={
        <>
          <Button variant="primary" icon="plus" onClick={() => values.startDriver()}>
            Add your first driver
          </Button>
          {values.tree.value.revId === undefined && (
            <Button icon="sparkle" busy={busy} onClick={() => void fill()}>
              Add demo data
            </Button>
          )}
        </>
      }
    >
      <p>
        A driver is something you live for, such as “Stay healthy”. Under it go milestones to reach, and actions to do. Every change is
        kept, so you can try things and go back.
      </p>
    </EmptyState>
  );
}

function NothingChosen() {
  const keys: [string, string][] = [
    ["Enter", "New line"],
    ["Tab", "Move in"],
    ["alt+ArrowUp", "Move up"],
    ["mod+Enter", "Complete"],
    ["?", "All keys"],
  ];
  return (
    <div class="values-hint">
      <p class="soft">Select an item to see its notes, dates and history.</p>
      <dl class="small">
        {keys.map(([key, what]) => (
          <div key={key} class="row">
            <dt>
              <Kbd keys={key} />
            </dt>
            <dd class="soft">{what}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
