import { useEffect, useState } from "preact/hooks";
import { api, problemOf, type Schemas } from "../api";
import { Button, Skeleton, When } from "../parts";
import { Section } from "./details";
import { commitTitle } from "./commit_title";
import type { Tree } from "./tree";

type CommitList = Schemas["CommitList"];

interface Pages {
  nodeId: string;
  items: CommitList["items"];
  nextCursor: string | undefined;
}

const kPage = 5;

/** The revisions that touched a node, newest first. */
export function NodeHistory({ nodeId, revId, tree }: { nodeId: string; revId: string | undefined; tree: Tree }) {
  const [pages, setPages] = useState<Pages | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const shown = pages?.nodeId === nodeId ? pages : undefined;

  async function read(more: Pages | undefined) {
    try {
      const query = { limit: kPage, ...(more?.nextCursor === undefined ? {} : { cursor: more.nextCursor }) };
      const list = await api.get("/api/values/nodes/{nodeId}/history", { path: { nodeId }, query });
      setPages({ nodeId, items: [...(more?.items ?? []), ...list.items], nextCursor: list.nextCursor });
      setProblem(undefined);
    } catch (thrown) {
      const refused = problemOf(thrown);
      // A node that is being added has no history yet.
      if (refused.status === 404) setPages({ nodeId, items: [], nextCursor: undefined });
      else setProblem(refused.message);
    }
  }

  useEffect(() => {
    // Whoever walks through the tree with the arrow keys asks for one history, not for all.
    const timer = setTimeout(() => void read(undefined), 120);
    return () => clearTimeout(timer);
    // read again when the node or the tree is another one
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [nodeId, revId]);

  return (
    <Section title="History">
      {problem !== undefined && <p class="small soft">{problem}</p>}
      <ol role="list" class="node-history small">
        {shown?.items.map((commit) => (
          <li key={commit.revId}>
            <a href={`/values/history/${commit.revId}`}>{commitTitle(commit, tree)}</a>
            <span class="faint">
              <When at={commit.revTs} />
            </span>
          </li>
        ))}
        {!shown && problem === undefined && (
          <li>
            <Skeleton width="70%" height="14px" />
          </li>
        )}
      </ol>
      {shown?.nextCursor !== undefined && (
        <Button size="small" variant="quiet" onClick={() => void read(shown)}>
          Show older
        </Button>
      )}
    </Section>
  );
}
