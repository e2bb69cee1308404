// The differences between two revisions, to be read: by driver, node by node, with the words that changed.

import { useState } from "preact/hooks";
import { Button, classNames, Icon, type IconName } from "../parts";
import { changeNames, countChanges, countText, type Change, type ChangeKind, type DriverChanges, type NodeChanges } from "./changes";
import { TypeMark } from "./tree_row";
import { WordDiff } from "./word_diff_view";
import "./diff_view.css";

const kIcons: Record<ChangeKind, IconName> = {
  added: "plus",
  removed: "minus",
  archived: "archive",
  deleted: "trash",
  restored: "restore",
  completed: "done",
  reopened: "undo",
  renamed: "edit",
  notes: "note",
  moved: "arrow-right",
  reordered: "arrow-up",
  linked: "link",
  unlinked: "close",
};

/** Which of the four colours of differences a kind has. */
function toneOf(kind: ChangeKind): string {
  if (kind === "added" || kind === "completed" || kind === "restored") return "added";
  if (kind === "removed" || kind === "deleted" || kind === "archived" || kind === "unlinked") return "removed";
  return kind === "renamed" || kind === "notes" || kind === "reopened" ? "changed" : "moved";
}

export function ChangeChips({ groups }: { groups: readonly DriverChanges[] }) {
  return (
    <span class="change-chips">
      {countChanges(groups).map(([kind, count]) => (
        <span key={kind} class={classNames("change-chip", `diff-${toneOf(kind)}`)}>
          <Icon name={kIcons[kind]} size={12} />
          {countText(kind, count)}
        </span>
      ))}
    </span>
  );
}

const kShownMax = 150;

interface DiffViewProps {
  groups: readonly DriverChanges[];
  /** Of the drivers' names: one below what is around. */
  heading?: "h2" | "h3";
}

export function DiffView({ groups, heading: Heading = "h3" }: DiffViewProps) {
  const [all, setAll] = useState(false);
  const total = groups.reduce((sum, { nodes }) => sum + nodes.length, 0);
  if (total === 0) return <p class="soft">There are no differences.</p>;
  let left = all ? Infinity : kShownMax;
  return (
    <div class="diff">
      {groups.map((group) => {
        const nodes = group.nodes.slice(0, Math.max(0, left));
        left -= nodes.length;
        if (nodes.length === 0) return null;
        return (
          <section key={group.driverId} class="diff-group">
            <Heading class="diff-driver">
              <Icon name="driver" size={15} />
              {group.title}
            </Heading>
            <ul role="list">
              {nodes.map((entry) => (
                <NodeLine key={entry.node.nodeId} entry={entry} driver={group.title} />
              ))}
            </ul>
          </section>
        );
      })}
      {!all && total > kShownMax && (
        <Button size="small" onClick={() => setAll(true)}>
          Show all {total} changes
        </Button>
      )}
    </div>
  );
}

function NodeLine({ entry, driver }: { entry: NodeChanges; driver: string }) {
  const { node, changes, place, depth } = entry;
  const [first] = changes;
  const renamed = changes.find((change) => change.kind === "renamed");
  const isGone = changes.some(({ kind }) => kind === "removed" || kind === "deleted" || kind === "archived");
  const inner = place === driver ? "" : place.slice(driver.length + 3); // behind "Driver › "
  return (
    <li class={classNames("diff-node", first && `diff-${toneOf(first.kind)}`)} style={{ "--depth": depth }}>
      <TypeMark type={node.nodeType} isDone={node.completedAt !== undefined} isAway />
      <div class="grow">
        <div class="diff-title">
          {renamed && "from" in renamed ? (
            <WordDiff from={renamed.from} to={renamed.to} />
          ) : (
            <span class={isGone ? "diff-gone" : ""}>{node.title}</span>
          )}
          {depth === 0 && inner && <span class="faint small diff-place">{inner}</span>}
        </div>
        {changes.map((change) => (
          <ChangeLine key={change.kind} change={change} />
        ))}
      </div>
      <span class="diff-kinds">
        {changes.map(({ kind }) => (
          <span key={kind} class={classNames("change-chip", `diff-${toneOf(kind)}`)}>
            <Icon name={kIcons[kind]} size={12} />
            {changeNames[kind]}
          </span>
        ))}
      </span>
    </li>
  );
}

function ChangeLine({ change }: { change: Change }) {
  switch (change.kind) {
    case "moved":
      return (
        <div class="diff-detail small">
          <span class="soft">from</span> {change.from} <span class="soft">to</span> <strong>{change.to}</strong>
        </div>
      );
    case "reordered":
      return <div class="diff-detail small soft">{change.up ? "further up" : "further down"} in its list</div>;
    case "notes":
      return (
        <div class="diff-detail diff-notes">
          <WordDiff from={change.from} to={change.to} />
        </div>
      );
    case "linked":
    case "unlinked":
      return (
        <div class="diff-detail small">
          <span class="soft">{change.kind === "linked" ? "also under" : "no longer under"}</span> {change.parent}
        </div>
      );
    default:
      return null;
  }
}
