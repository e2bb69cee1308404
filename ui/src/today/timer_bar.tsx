import { Button, classNames, IconButton, ProgressRing } from "../parts";
import type { DayModel } from "./day_model";
import { leftMs, timerText } from "./timer_state";
import "./timer_bar.css";

/** What is being worked on, and how long still; when the time is up, what to do next. */
export function TimerBar({ model }: { model: DayModel }) {
  const { timer, actions, plan } = model;
  const { state } = timer;
  if (!state) return null;
  const over = state.told === true;
  const todo = plan.todos.find(({ actionId }) => actionId === state.actionId);
  const left = leftMs(state, timer.now);
  const paused = state.pausedAt !== undefined;
  const isBreak = state.kind === "break";
  return (
    <section class={classNames("timer", isBreak && "timer-break", over && "timer-over")} aria-label="Pomodoro timer">
      <ProgressRing share={1 - left / (state.minutes * 60_000)} size={34} stroke={3.5} />
      <div class="timer-time numbers" role="timer" aria-label={over ? "Time is up" : `${timerText(state, timer.now)} left`}>
        {over ? "0:00" : timerText(state, timer.now)}
      </div>
      <div class="grow timer-text">
        <div class="one-line timer-title">{state.title}</div>
        <div class="small soft">
          {over ? (isBreak ? "The break is over" : "Time is up. Well done") : paused ? "Paused" : isBreak ? "Break" : "Focus"}
        </div>
      </div>
      {over ? (
        <div class="row wrap timer-buttons">
          {!isBreak && (
            <Button size="small" variant="primary" icon="coffee" onClick={() => actions.startBreak()}>
              Take a break
            </Button>
          )}
          {todo && !todo.completedAt && (
            <Button
              size="small"
              icon="check"
              onClick={() => {
                timer.stop();
                actions.setCompleted(todo, true);
              }}
            >
              Complete the action
            </Button>
          )}
          {todo && !todo.completedAt && (
            <Button size="small" variant="quiet" icon="play" onClick={() => actions.startPomodoro(todo)}>
              Another pomodoro
            </Button>
          )}
          <IconButton size="small" icon="close" label="Close the timer" onClick={() => timer.stop()} />
        </div>
      ) : (
        <div class="row timer-buttons">
          <IconButton
            icon={paused ? "play" : "pause"}
            variant="secondary"
            label={paused ? "Resume" : "Pause"}
            keys="shift+s"
            onClick={() => timer.toggle()}
          />
          <IconButton
            icon="check"
            variant="secondary"
            label={isBreak ? "End the break" : "Finish the pomodoro"}
            onClick={() => timer.finish()}
          />
          <IconButton icon="close" label="Give up" onClick={() => timer.stop()} />
        </div>
      )}
    </section>
  );
}
