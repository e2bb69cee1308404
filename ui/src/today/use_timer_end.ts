// Tells when the time is up, on whatever page: offers the break, and to complete the action.

import { useEffect, useRef } from "preact/hooks";
import { announce } from "../parts";
import { toast } from "../shell";
import type { DayActions } from "./day_actions";
import type { DayModel } from "./day_model";
import type { PomodoroTimer } from "./pomodoro_timer";
import type { TimerState } from "./timer_state";

export function useTimerEnd(timer: PomodoroTimer, actions: DayActions, model: DayModel | undefined): void {
  const latest = useRef(model);
  latest.current = model;
  useEffect(() => {
    timer.onOver = (state) => tell(state, actions, latest.current);
    // Stays when the page is left: the time is up on other pages as well.
  }, [timer, actions]);
}

function tell(state: TimerState, actions: DayActions, model: DayModel | undefined): void {
  announce(state.kind === "break" ? "The break is over." : `Time is up for ${state.title}.`);
  if (state.kind === "break") {
    toast({ text: "The break is over.", key: "timer", seconds: 0 });
    return;
  }
  const todo = model?.plan.todos.find(({ actionId }) => actionId === state.actionId);
  if (todo && !todo.completedAt) {
    const complete = () => {
      model?.timer.stop();
      actions.setCompleted(todo, true);
    };
    toast({ text: `Is “${state.title}” done?`, key: "timer-done", seconds: 30, action: { label: "Complete", run: complete } });
  }
  const rest = () => actions.startBreak();
  toast({
    text: `Pomodoro finished: ${state.title}.`,
    tone: "success",
    key: "timer",
    seconds: 30,
    action: { label: "Take a break", run: rest },
  });
}
