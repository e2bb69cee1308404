// Everything about one node: title, notes, dates, progress, where it hangs, what happened to it, what can be done.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Badge, Button, dateTimeText, Icon, IconButton, InlineText, Kbd, ProgressBar, TextArea, When } from "../parts";
import type { ValuesModel } from "./model";
import { NodeHistory } from "./node_history";
import type { ParentQuestion } from "./row_menu";
import { isLiving, knownProgress, parentsOf, pathTo, placeText, titleOf, typeNames, type Tree, type TreeNode } from "./tree";
import { TypeMark } from "./tree_row";
import "./details.css";

interface DetailsProps {
  values: ValuesModel;
  node: TreeNode;
  ask: (what: ParentQuestion, nodeId: string) => void;
}

export function Details({ values, node, ask }: DetailsProps) {
  const tree = values.tree.value;
  return (
    <div class="details">
      <Path tree={tree} node={node} values={values} />
      <Title key={node.nodeId} values={values} node={node} />
      <Actions values={values} node={node} ask={ask} />
      {node.nodeType !== "ACTION" && <ProgressLine tree={tree} node={node} />}
      <Notes key={node.nodeId} values={values} node={node} />
      {node.nodeType !== "DRIVER" && <Parents values={values} node={node} ask={ask} />}
      <Dates node={node} />
      <NodeHistory nodeId={node.nodeId} revId={tree.revId} tree={tree} />
    </div>
  );
}

function Title({ values, node }: { values: ValuesModel; node: TreeNode }) {
  const tree = values.tree.value;
  // What others change after the typing began is a conflict.
  const seenRevId = useRef<string | undefined>(undefined);
  const onFocus = (event: FocusEvent) => {
    if (event.target instanceof HTMLInputElement) seenRevId.current = values.seenRevId;
  };
  return (
    <div class="details-title" onFocusIn={onFocus}>
      <TypeMark type={node.nodeType} isDone={node.completedAt !== undefined} isAway progress={knownProgress(tree, node.nodeId)} />
      {node.deletedAt === undefined ? (
        <InlineText
          value={node.title}
          label="Title"
          class="details-name"
          onSave={(title) => values.rename(node.nodeId, title, seenRevId.current)}
        />
      ) : (
        <span class="details-name">{node.title}</span>
      )}
    </div>
  );
}

function Path({ tree, node, values }: { tree: Tree; node: TreeNode; values: ValuesModel }) {
  const above = pathTo(tree, node.nodeId).slice(0, -1);
  return (
    <div class="details-path small">
      <span class="faint">{typeNames[node.nodeType]}</span>
      {above.length > 0 && <span class="faint">in</span>}
      {above.map((id, index) => (
        <span key={id} class="row details-step">
          {index > 0 && <Icon name="chevron-right" size={11} />}
          <button type="button" class="plain-link one-line" onClick={() => values.outline.reveal(id)}>
            {titleOf(tree, id)}
          </button>
        </span>
      ))}
      {node.deletedAt !== undefined ? <Badge tone="danger">Deleted</Badge> : node.archived && <Badge>Archived</Badge>}
    </div>
  );
}

function Actions({ values, node, ask }: DetailsProps) {
  const id = node.nodeId;
  if (node.archived) {
    return (
      <div class="row wrap details-actions">
        <Button size="small" icon="restore" onClick={() => values.restore(id)}>
          Restore
        </Button>
        {node.deletedAt === undefined && (
          <Button size="small" variant="quiet" icon="trash" onClick={() => values.putAway(id, "delete")}>
            Delete
          </Button>
        )}
      </div>
    );
  }
  const isDriver = node.nodeType === "DRIVER";
  const isDone = node.completedAt !== undefined;
  return (
    <div class="row wrap details-actions">
      {!isDriver && (
        <Button
          size="small"
          variant={isDone ? "secondary" : "primary"}
          icon={isDone ? "undo" : "check"}
          keys="mod+Enter"
          onClick={() => values.toggleComplete(id)}
        >
          {isDone ? "Reopen" : "Complete"}
        </Button>
      )}
      {!isDriver && (
        <Button size="small" icon="arrow-right" onClick={() => ask("move", id)}>
          Move
        </Button>
      )}
      <Button size="small" icon="archive" onClick={() => values.putAway(id, "archive")}>
        Archive
      </Button>
      <IconButton
        size="small"
        variant="danger"
        icon="trash"
        label="Delete"
        keys="shift+Delete"
        onClick={() => values.putAway(id, "delete")}
      />
    </div>
  );
}

function ProgressLine({ tree, node }: { tree: Tree; node: TreeNode }) {
  const { completed, total } = knownProgress(tree, node.nodeId);
  if (total === 0) return <p class="small faint">No actions below it yet.</p>;
  return (
    <div class="stack details-progress">
      <ProgressBar value={completed} total={total} label="Actions done" />
      <span class="small soft numbers">
        {completed} of {total} actions done
      </span>
    </div>
  );
}

/** Saved on leaving the field; until then what was typed is kept, whatever happens around it. */
function Notes({ values, node }: { values: ValuesModel; node: TreeNode }) {
  const draft = values.notes.get(node.nodeId);
  const saved = node.notes ?? "";
  const text = draft?.text ?? saved;

  function save() {
    const now = values.notes.get(node.nodeId);
    values.notes.set(node.nodeId, undefined);
    if (now && now.text.trim() !== saved) values.writeNotes(node.nodeId, now.text.trim(), now.seenRevId);
  }

  if (node.deletedAt !== undefined) return saved === "" ? null : <p class="details-notes">{saved}</p>;
  return (
    <TextArea
      label="Notes"
      rows={4}
      value={text}
      maxLength={50_000}
      placeholder="Why it matters, what it takes…"
      hint={
        draft && draft.text !== saved ? (
          <span class="row">
            Saved when you leave the field. <Kbd keys="mod+Enter" />
          </span>
        ) : undefined
      }
      onInput={(value) => values.notes.set(node.nodeId, { text: value, seenRevId: draft?.seenRevId ?? values.seenRevId })}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.stopPropagation();
          event.currentTarget.blur();
        }
      }}
    />
  );
}

function Parents({ values, node, ask }: DetailsProps) {
  const tree = values.tree.value;
  const parents = parentsOf(tree, node.nodeId);
  return (
    <Section
      title={parents.length > 1 ? "Under several parents" : "Under"}
      action={
        !node.archived && (
          <Button size="small" variant="quiet" icon="link" onClick={() => ask("link", node.nodeId)}>
            Link to another
          </Button>
        )
      }
    >
      <ul role="list" class="details-parents">
        {parents.map((id) => {
          const parent = tree.nodes.get(id);
          if (!parent) return null;
          return (
            <li key={id} class="row">
              <TypeMark type={parent.nodeType} isDone={parent.completedAt !== undefined} isAway progress={knownProgress(tree, id)} />
              <button type="button" class="plain-link one-line grow" onClick={() => values.outline.reveal(id)}>
                {parent.title}
                {placeText(tree, id) && <span class="faint small"> · {placeText(tree, id)}</span>}
              </button>
              {!isLiving(parent) && <Badge>archived</Badge>}
              {parents.length > 1 && !node.archived && (
                <IconButton
                  size="small"
                  icon="close"
                  label={`Unlink from ${parent.title}`}
                  onClick={() => values.unlink(node.nodeId, id)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Dates({ node }: { node: TreeNode }) {
  return (
    <dl class="details-dates small">
      <div>
        <dt>Added</dt>
        <dd>
          <When at={node.createdAt} />
        </dd>
      </div>
      {node.completedAt !== undefined && (
        <div>
          <dt>Completed</dt>
          <dd>{dateTimeText(node.completedAt)}</dd>
        </div>
      )}
      {node.deletedAt !== undefined && (
        <div>
          <dt>Deleted</dt>
          <dd>{dateTimeText(node.deletedAt)}</dd>
        </div>
      )}
    </dl>
  );
}

export function Section({ title, action, children }: { title: string; action?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="details-section">
      <div class="row details-section-head">
        <h2 class="grow">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
