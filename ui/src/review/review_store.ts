// The review of a week: read from the server, with what was done on this page since.

import { api } from "../api";
import { toastProblem } from "../shell";
import { Optimistic } from "../state";
import { applyReviewOp, type ReviewOp, type ReviewState } from "./week";

export type ReviewStore = Optimistic<ReviewState, ReviewOp>;

/** weekOf undefined: the week it is for the user. */
export function newReviewStore(weekOf: string | undefined): ReviewStore {
  const store: ReviewStore = new Optimistic<ReviewState, ReviewOp>({
    load: async () => {
      const settings = await api.get("/api/plans/settings");
      const [review, tree] = await Promise.all([
        api.get("/api/values/review", { query: { weekOf: weekOf ?? settings.today } }),
        api.get("/api/values", { query: { includeArchived: true } }),
      ]);
      return { review, tree, settings };
    },
    apply: applyReviewOp,
    send: async (op, { idempotencyKey }) => {
      if (op.kind === "complete") {
        await api.post("/api/values/nodes/{nodeId}/complete", {
          path: { nodeId: op.nodeId },
          body: { completedAt: op.at },
          idempotencyKey,
        });
      } else if (op.kind === "uncomplete") {
        await api.post("/api/values/nodes/{nodeId}/uncomplete", { path: { nodeId: op.nodeId }, idempotencyKey });
      } else {
        const operations = op.nodeIds.map((nodeId) => ({ op: op.kind, nodeId }));
        await api.post("/api/values/commits", { body: { source: "weekly_review", operations }, idempotencyKey });
      }
    },
    onRefused: (failed) => {
      store.giveUp(failed.id);
      toastProblem("This change was undone.", failed.problem, () => void store.do(failed.op));
    },
  });
  return store;
}
