// What the server refused, shown where it was tried: blocks in the timeline, everything else as a message with a way on.

import { useEffect, useRef, useState } from "preact/hooks";
import { toast, toastProblem } from "../shell";
import { applyPlanOp } from "./apply_plan";
import { minuteOf, type Span } from "./day_grid";
import type { DayModel } from "./day_model";
import type { PlanOp } from "./plan_types";
import type { PlanStore } from "./plan_store";
import { withNames } from "./plan_words";

export interface Refusal {
  span: Span;
  text: string;
}

export function useRefusals(store: PlanStore, model: DayModel | undefined): [Refusal | null, () => void] {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const latest = useRef(model);
  latest.current = model;
  const refused = store.refused.value;

  useEffect(() => {
    const shown = latest.current;
    if (!refused || !shown) return setRefusal(null);
    const { op, problem } = refused;
    const text = withNames(problem.message, applyPlanOp(shown.plan, op), { title: shown.title, zone: shown.grid.zone });
    const span = spanIn(op, shown);
    if (problem.status === 409) {
      toast({
        text: `Another tab changed the same thing. ${text}`,
        tone: "danger",
        seconds: 0,
        key: "today-conflict",
        action: { label: "Use mine", run: () => void store.insist(refused) },
      });
    } else if (span) {
      setRefusal({ span, text });
    } else {
      toastProblem("This change was undone.", problem, () => void store.do(op));
    }
    return undefined;
  }, [refused, store]);

  return [refusal, () => (store.refused.value = null)];
}

/** The time that somebody wanted for a block. */
function spanIn(op: PlanOp, { grid, plan }: DayModel): Span | null {
  if (op.kind !== "commit") return null;
  for (const operation of op.operations) {
    if (operation.op !== "addBlock" && operation.op !== "editBlock") continue;
    const block = plan.blocks.find(({ blockId }) => blockId === operation.blockId);
    const start = operation.start ?? block?.start;
    const end = operation.end ?? block?.end;
    if (start !== undefined && end !== undefined) return { start: minuteOf(grid, start), end: minuteOf(grid, end) };
  }
  return null;
}
