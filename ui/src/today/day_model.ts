// What the parts of the page share about the day that is shown.

import type { Day } from "./day_grid";
import type { DayActions } from "./day_actions";
import type { Values } from "./open_actions";
import type { Plan } from "./plan_types";
import type { PlanStore } from "./plan_store";
import type { PomodoroTimer } from "./pomodoro_timer";

export interface DayModel {
  store: PlanStore;
  plan: Plan;
  grid: Day;
  today: string;
  now: number;
  values: Values | undefined;
  title: (actionId: string) => string;
  actions: DayActions;
  timer: PomodoroTimer;
  /** An earlier revision is shown. */
  readOnly: boolean;
}

/** Pomodoros of an action: planned, and over by now. */
export function pomodorosOf(plan: Plan, actionId: string, now: number): { planned: number; over: number } {
  const blocks = plan.blocks.filter((block) => block.actionId === actionId);
  return { planned: blocks.length, over: blocks.filter(({ end }) => Date.parse(end) <= now).length };
}
