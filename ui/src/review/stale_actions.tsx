import { useRef } from "preact/hooks";
import { announce, Button, Icon, IconButton, When } from "../parts";
import { toastUndo } from "../shell";
import { nodeAddress } from "./driver_sections";
import type { ReviewStore } from "./review_store";
import { pathOf, type Node, type ReviewState } from "./week";

interface Props {
  state: ReviewState;
  store: ReviewStore;
}

function complete(store: ReviewStore, node: Node): void {
  void store.do({ kind: "complete", nodeId: node.nodeId, at: new Date().toISOString() });
  toastUndo(`Completed “${node.title}”.`, () => void store.do({ kind: "uncomplete", nodeId: node.nodeId }));
}

function archive(store: ReviewStore, nodes: Node[]): void {
  const nodeIds = nodes.map(({ nodeId }) => nodeId);
  void store.do({ kind: "archive", nodeIds });
  const text = nodes.length === 1 ? `Archived “${nodes[0]!.title}”.` : `Archived ${nodes.length} actions.`;
  toastUndo(text, () => void store.do({ kind: "restore", nodeIds }));
  announce(text);
}

/** Milestones with nothing left to do. */
export function Offers({ state, store }: Props) {
  const { offers } = state.review;
  if (offers.length === 0) return null;
  return (
    <section class="review-card" aria-labelledby="offers-title">
      <h2 id="offers-title">Ready to complete</h2>
      <p class="small soft">All actions of these milestones are done.</p>
      <ul role="list">
        {offers.map((node) => (
          <li key={node.nodeId} class="row review-line">
            <span class="milestone-icon">
              <Icon name="milestone" size={15} />
            </span>
            <a class="grow" href={nodeAddress(node.nodeId)}>
              {node.title}
            </a>
            <Button size="small" icon="check" aria-label={`Complete ${node.title}`} onClick={() => complete(store, node)}>
              Complete
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Open actions that nobody has touched for two weeks, and what can be done about each. */
export function StaleActions({ state, store }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const { stale } = state.review;

  /** The line under the focus goes away: the next one takes it. */
  function keepFocus(index: number) {
    const lines = list.current?.querySelectorAll<HTMLElement>(".review-line a");
    (lines?.[index + 1] ?? lines?.[index - 1])?.focus();
  }

  return (
    <section class="review-card" aria-labelledby="stale-title">
      <div class="row">
        <h2 id="stale-title" class="grow">
          Stale
        </h2>
        {stale.length > 1 && (
          <Button size="small" variant="quiet" icon="archive" onClick={() => archive(store, stale)}>
            Archive all
          </Button>
        )}
      </div>
      {stale.length === 0 ? (
        <p class="small soft">Nothing has gone untouched for two weeks. Well done.</p>
      ) : (
        <>
          <p class="small soft">Untouched for two weeks. Do they still matter?</p>
          <ul role="list" ref={list}>
            {stale.map((node, index) => (
              <li key={node.nodeId} class="row review-line">
                <div class="grow">
                  <a href={nodeAddress(node.nodeId)}>{node.title}</a>
                  <div class="small faint">
                    {pathOf(state.tree, node.nodeId).join(" › ")} · added <When at={node.createdAt} />
                  </div>
                </div>
                <IconButton
                  icon="check"
                  size="small"
                  label={`Complete ${node.title}`}
                  onClick={() => {
                    keepFocus(index);
                    complete(store, node);
                  }}
                />
                <IconButton
                  icon="archive"
                  size="small"
                  label={`Archive ${node.title}`}
                  onClick={() => {
                    keepFocus(index);
                    archive(store, [node]);
                  }}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
