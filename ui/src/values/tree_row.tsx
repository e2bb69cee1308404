// One line of the tree. Presses are handled by the tree around it (data-act says what was pressed), so that a line has
// few properties and is drawn again only when one of them changes.

import { Component } from "preact";
import { classNames, Icon, IconButton, ProgressRing } from "../parts";
import type { NewDraft, RenameDraft } from "./draft";
import type { ValuesModel } from "./model";
import { matchRanges, searchWords, type Row } from "./rows";
import { TitleField } from "./title_field";
import { typeNames, type NodeType, type Progress } from "./tree";

export interface TreeRowProps {
  row: Row;
  line: number;
  top: number;
  isCurrent: boolean;
  /** The one that Tab leads to. */
  isTabStop: boolean;
  isDragged: boolean;
  isPending: boolean;
  hasOtherParents: boolean;
  completed: number;
  total: number;
  search: string;
  draft: RenameDraft | null;
  /** Absent: to be read only. */
  values: ValuesModel | undefined;
  idBase: string;
}

export class TreeRow extends Component<TreeRowProps> {
  override shouldComponentUpdate(next: TreeRowProps): boolean {
    const before = this.props;
    if (!sameRow(before.row, next.row)) return true;
    return (Object.keys(next) as (keyof TreeRowProps)[]).some((name) => name !== "row" && next[name] !== before[name]);
  }

  render() {
    const { row, top, isCurrent, isDragged, isPending, draft, values, idBase, completed, total } = this.props;
    const { node, depth } = row;
    const isDone = node.completedAt !== undefined;
    const isAway = node.archived;
    return (
      <div
        role="treeitem"
        id={`${idBase}-${row.key}`}
        data-key={row.key}
        class={classNames(
          "tree-row",
          `tree-${node.nodeType.toLowerCase()}`,
          isDone && "tree-done",
          isAway && "tree-away",
          isCurrent && "tree-current",
          isDragged && "tree-dragged",
          isPending && "tree-pending",
        )}
        style={{ transform: `translateY(${top}px)`, "--depth": depth }}
        aria-label={nameOfRow(row, { completed, total })}
        aria-level={depth + 1}
        aria-posinset={row.position}
        aria-setsize={row.setSize}
        aria-expanded={row.hasChildren ? row.isOpen : undefined}
        aria-selected={isCurrent}
        aria-checked={node.nodeType === "DRIVER" ? undefined : isDone}
        tabIndex={this.props.isTabStop ? 0 : -1}
      >
        <span class="tree-guides" />
        <span class={classNames("tree-chevron", row.isOpen && "tree-chevron-open")} data-act={row.hasChildren ? "toggle" : undefined}>
          {row.hasChildren && <Icon name="chevron-right" size={14} />}
        </span>
        <TypeMark type={node.nodeType} isDone={isDone} isAway={isAway} progress={{ completed, total }} />
        {draft && values ? <TitleField values={values} draft={draft} /> : this.renderTitle()}
        {!draft && this.renderFacts()}
        {values && !draft && this.renderButtons(values)}
      </div>
    );
  }

  private renderTitle() {
    const { row, search } = this.props;
    const { title } = row.node;
    const ranges = search === "" ? [] : matchRanges(title, searchWords(search));
    const parts: preact.ComponentChildren[] = [];
    let at = 0;
    for (const [start, end] of ranges) {
      parts.push(title.slice(at, start), <mark key={start}>{title.slice(start, end)}</mark>);
      at = end;
    }
    parts.push(title.slice(at));
    return (
      <span class="tree-title" data-act="title">
        <span class="tree-title-text">{parts}</span>
      </span>
    );
  }

  private renderFacts() {
    const { row, hasOtherParents, completed, total } = this.props;
    const { node } = row;
    return (
      <span class="tree-facts" aria-hidden="true">
        {node.notes !== undefined && <Icon name="note" size={13} />}
        {hasOtherParents && <Icon name="link" size={13} />}
        {node.nodeType !== "ACTION" && total > 0 && (
          <span class="numbers">
            {completed}/{total}
          </span>
        )}
        {node.deletedAt !== undefined ? <span>deleted</span> : node.archived && <span>archived</span>}
      </span>
    );
  }

  private renderButtons(values: ValuesModel) {
    const { row } = this.props;
    const { node } = row;
    return (
      <span class="tree-buttons" aria-hidden="true">
        {node.nodeType !== "ACTION" && !node.archived && (
          <IconButton icon="plus" size="small" label={`Add under ${node.title}`} tabIndex={-1} onClick={() => values.startChild(row)} />
        )}
        <IconButton icon="more" size="small" label={`More for ${node.title}`} tabIndex={-1} aria-haspopup="menu" data-act="menu" />
      </span>
    );
  }
}

function sameRow(one: Row, other: Row): boolean {
  return (
    one.node === other.node &&
    one.key === other.key &&
    one.depth === other.depth &&
    one.parentKey === other.parentKey &&
    one.position === other.position &&
    one.setSize === other.setSize &&
    one.hasChildren === other.hasChildren &&
    one.isOpen === other.isOpen &&
    one.isMatch === other.isMatch
  );
}

function nameOfRow({ node }: Row, { completed, total }: Progress): string {
  const facts = [node.title, typeNames[node.nodeType].toLowerCase()];
  if (node.completedAt !== undefined) facts.push("completed");
  if (node.nodeType !== "ACTION" && total > 0) facts.push(`${completed} of ${total} actions done`);
  if (node.deletedAt !== undefined) facts.push("deleted");
  else if (node.archived) facts.push("archived");
  if (node.notes !== undefined) facts.push("has notes");
  return facts.join(", ");
}

interface TypeMarkProps {
  type: NodeType;
  isDone: boolean;
  isAway: boolean;
  progress?: Progress;
}

/** What a node is, and whether it is done: a compass, a ring that fills, a box to tick. */
export function TypeMark({ type, isDone, isAway, progress }: TypeMarkProps) {
  if (type === "DRIVER") {
    return (
      <span class="tree-mark mark-driver">
        <Icon name="driver" size={17} />
      </span>
    );
  }
  const act = isAway ? undefined : "complete";
  if (isDone) {
    return (
      <span class={classNames("tree-mark", "mark-done", `mark-${type.toLowerCase()}`)} data-act={act}>
        <span class="mark-box">
          <Icon name="check" size={12} />
        </span>
      </span>
    );
  }
  if (type === "MILESTONE") {
    const share = progress && progress.total > 0 ? progress.completed / progress.total : 0;
    return (
      <span class="tree-mark mark-milestone" data-act={act}>
        <ProgressRing share={share} size={18} stroke={2.5} />
        <Icon name="milestone" size={9} />
      </span>
    );
  }
  return (
    <span class="tree-mark mark-action" data-act={act}>
      <span class="mark-box">
        <Icon name="check" size={12} />
      </span>
    </span>
  );
}

interface NewRowProps {
  draft: NewDraft;
  top: number;
  values: ValuesModel;
}

/** The line of a node that is being typed and not there yet. */
export function NewRow({ draft, top, values }: NewRowProps) {
  const isTop = draft.parentId === null;
  const other: NodeType = draft.nodeType === "ACTION" ? "MILESTONE" : "ACTION";
  return (
    <div
      role="treeitem"
      aria-level={draft.depth + 1}
      aria-selected="false"
      aria-label={`New ${typeNames[draft.nodeType].toLowerCase()}`}
      class={classNames("tree-row", "tree-new", `tree-${draft.nodeType.toLowerCase()}`)}
      style={{ transform: `translateY(${top}px)`, "--depth": draft.depth }}
    >
      <span class="tree-guides" />
      <span class="tree-chevron" />
      <TypeMark type={draft.nodeType} isDone={false} isAway />
      <TitleField values={values} draft={draft} />
      {!isTop && (
        <button
          type="button"
          class="tree-type"
          tabIndex={-1}
          data-tooltip={`Make it ${other === "ACTION" ? "an action" : "a milestone"}`}
          data-tooltip-keys="mod+m"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => values.setDraftType(draft, other)}
        >
          {typeNames[draft.nodeType]}
          <Icon name="chevron-down" size={12} />
        </button>
      )}
    </div>
  );
}
