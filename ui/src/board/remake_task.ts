// How a task repeats is said when it is made: one that is to repeat from now on, otherwise or no more, is made anew in its place,
// and the one before goes with its series. What was done of it stays.

import { api, problemOf } from "../api";
import { tagOf } from "../state";
import { withChange } from "./apply_board";
import type { BoardOp, Task } from "./board_types";

export interface Sending {
  path: { taskId: string };
  ifMatch: string;
  idempotencyKey: string;
}

/** Answers the new one. Throws ApiProblem; unless it is one that passes, everything is as it was then. */
export async function remakeTask({ task, change, rrule }: Extract<BoardOp, { kind: "repeat" }>, { path, ifMatch, idempotencyKey }: Sending): Promise<Task> {
  const { title, description, status, priority, dueUtc, tags } = withChange(task, change);
  const body = {
    title,
    status,
    priority,
    ...(description === undefined ? {} : { description }),
    ...(dueUtc === undefined ? {} : { dueUtc }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(rrule === null ? {} : { rrule }),
  };
  const made = await api.post("/api/nexus/tasks", { body, idempotencyKey });
  const own = { path: { taskId: made.taskId } };
  try {
    const staysInPlace = status === task.status && priority === task.priority;
    const beside = { ...own, body: { status, priority, afterId: path.taskId }, idempotencyKey: `${idempotencyKey}-place` };
    const placed = staysInPlace ? await api.post("/api/nexus/tasks/{taskId}/move", beside) : made;
    await api.delete("/api/nexus/tasks/{taskId}", { path, query: { scope: "all" }, ifMatch, idempotencyKey: `${idempotencyKey}-remove` });
    return placed;
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem.passing || problem.status === 401) throw problem; // all of it is sent again
    const { version } = await api.get("/api/nexus/tasks/{taskId}", own);
    await api.delete("/api/nexus/tasks/{taskId}", { ...own, query: { scope: "all" }, ifMatch: tagOf(version) });
    throw problem;
  }
}
