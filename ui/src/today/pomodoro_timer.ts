// The one timer of this browser: kept in localStorage, the same in all tabs, shown in the title of the window on every page.

import { effect, signal } from "@preact/signals";
import {
  finish,
  fromText,
  isOver,
  pause,
  resume,
  startTimer,
  timerText,
  titleWith,
  toText,
  type TimerState,
  type TimerWork,
} from "./timer_state";

export class PomodoroTimer {
  private readonly state_ = signal<TimerState | null>(null);
  private readonly now_ = signal(Date.now());
  private beat: ReturnType<typeof setInterval> | undefined;
  /** Told once per pomodoro or break, in the tab that notices first. */
  onOver: ((state: TimerState) => void) | undefined;

  constructor(private readonly key: string) {
    this.read();
    addEventListener("storage", (event) => event.key === this.key && this.read());
    effect(() => this.showTitle());
  }

  get state(): TimerState | null {
    return this.state_.value;
  }

  get now(): number {
    return this.now_.value;
  }

  start(work: TimerWork): void {
    this.set(startTimer(work, Date.now()));
  }

  toggle(): void {
    const state = this.state_.peek();
    if (state) this.set(state.pausedAt === undefined ? pause(state, Date.now()) : resume(state, Date.now()));
  }

  finish(): void {
    const state = this.state_.peek();
    if (state) this.set(finish(state, Date.now()));
  }

  stop(): void {
    this.set(null);
  }

  private set(state: TimerState | null): void {
    const text = toText(state);
    if (text === null) localStorage.removeItem(this.key);
    else localStorage.setItem(this.key, text);
    this.adopt(state);
  }

  private read(): void {
    this.adopt(fromText(localStorage.getItem(this.key)));
  }

  private adopt(state: TimerState | null): void {
    this.state_.value = state;
    clearInterval(this.beat);
    if (state && !state.told) this.beat = setInterval(() => this.tick(), 250);
    this.tick();
  }

  private tick(): void {
    this.now_.value = Date.now();
    const state = this.state_.peek();
    if (!state || state.told || !isOver(state, this.now_.peek())) return;
    // Another tab may have told it in this very second.
    const stored = fromText(localStorage.getItem(this.key));
    const told = { ...state, told: true };
    this.set(told);
    if (!stored?.told) this.onOver?.(told);
  }

  private showTitle(): void {
    const state = this.state_.value;
    const text = state === null ? null : state.told ? "Time is up" : timerText(state, this.now_.value);
    const title = titleWith(document.title, text);
    if (document.title !== title) document.title = title;
  }
}

const timers = new Map<string, PomodoroTimer>();

export function timerOf(userId: string): PomodoroTimer {
  let timer = timers.get(userId);
  if (!timer) {
    timer = new PomodoroTimer(`cairn.timer.${userId}`);
    timers.set(userId, timer);
  }
  return timer;
}
