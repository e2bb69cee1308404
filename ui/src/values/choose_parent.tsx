import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { classNames, Dialog } from "../parts";
import type { ValuesModel } from "./model";
import { refusal } from "./places";
import { plain } from "./rows";
import type { ParentQuestion } from "./row_menu";
import { childrenOf, driversOf, isLiving, parentsOf, pathTo, placeText, titleOf, type Tree } from "./tree";
import { TypeMark } from "./tree_row";

interface ChooseParentProps {
  values: ValuesModel;
  what: ParentQuestion;
  nodeId: string;
  onClose: () => void;
}

/** A search for the driver or milestone that something goes under. */
export function ChooseParent({ values, what, nodeId, onClose }: ChooseParentProps) {
  const tree = values.tree.value;
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const places = useMemo(() => possibleParents(tree, what, nodeId), [tree, what, nodeId]);
  const words = plain(text).split(/\s+/).filter(Boolean);
  const found = places
    .filter((parentId) => {
      const name = plain(`${titleOf(tree, parentId)} ${placeText(tree, parentId)}`);
      return words.every((word) => name.includes(word));
    })
    .slice(0, 50);
  const current = Math.min(at, found.length - 1);

  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [current]);

  function choose(parentId: string | undefined) {
    if (parentId === undefined) return;
    onClose();
    if (what === "move") values.move(nodeId, { parentId }, parentsOf(tree, nodeId)[0] ?? null);
    else values.link(nodeId, parentId);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setAt((current + step + found.length) % found.length);
    else if (event.key === "Enter") choose(found[current]);
    else return;
    event.preventDefault();
  }

  const title = titleOf(tree, nodeId);
  return (
    <Dialog title={what === "move" ? `Move “${title}” to` : `Link “${title}” to`} onClose={onClose} atTop class="choose-parent">
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label="Search for a driver or milestone"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[current] === undefined ? undefined : `${id}-${current}`}
        placeholder="Search for a driver or milestone"
        data-autofocus
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={`${id}-list`} aria-label="Drivers and milestones" class="choose-list" ref={list}>
        {found.map((parentId, index) => {
          const node = tree.nodes.get(parentId)!;
          return (
            <div
              key={parentId}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === current}
              class={classNames("choose-line", index === current && "choose-line-current")}
              onPointerMove={() => index !== current && setAt(index)}
              onClick={() => choose(parentId)}
            >
              <TypeMark type={node.nodeType} isDone={node.completedAt !== undefined} isAway />
              <span class="one-line">{node.title}</span>
              <span class="one-line faint small grow">{placeText(tree, parentId)}</span>
            </div>
          );
        })}
      </div>
      {found.length === 0 && (
        <p class="soft">
          {places.length === 0 && what === "link"
            ? "There is no other parent under the same driver. Move it instead."
            : "Nothing has that name."}
        </p>
      )}
    </Dialog>
  );
}

/** Where it may go, in the order of the tree. All parents of a node are under one driver, so links stay there. */
function possibleParents(tree: Tree, what: ParentQuestion, nodeId: string): string[] {
  const now = parentsOf(tree, nodeId);
  const driver = pathTo(tree, nodeId)[0];
  const found: string[] = [];
  const visit = (id: string) => {
    const node = tree.nodes.get(id);
    if (!node || !isLiving(node) || node.nodeType === "ACTION" || found.includes(id)) return;
    const isAllowed = refusal(tree, nodeId, id) === undefined && !(what === "link" ? now.includes(id) : now[0] === id);
    if (isAllowed) found.push(id);
    childrenOf(tree, id).forEach(visit);
  };
  driversOf(tree)
    .filter((id) => what === "move" || id === driver)
    .forEach(visit);
  return found;
}
