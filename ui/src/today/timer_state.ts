// The pomodoro timer as data: what runs, since when, for how long. It is kept as text, so that it goes on after a reload and
// in other tabs; time that passes changes nothing in it. Pure: the moment comes in.

export interface TimerWork {
  kind: "pomodoro" | "break";
  /** Of a pomodoro. */
  actionId?: string | undefined;
  title: string;
  day: string;
  blockId?: string | undefined;
  minutes: number;
}

export interface TimerState extends TimerWork {
  /** Moments in milliseconds. Pausing moves it on, as if it had begun later. */
  startedAt: number;
  pausedAt?: number | undefined;
  /** Its end was noticed and told. */
  told?: boolean | undefined;
}

export function startTimer(work: TimerWork, now: number): TimerState {
  return { ...work, startedAt: now };
}

export function leftMs(state: TimerState, now: number): number {
  const passed = (state.pausedAt ?? now) - state.startedAt;
  return Math.max(0, state.minutes * 60_000 - passed);
}

export function isOver(state: TimerState, now: number): boolean {
  return leftMs(state, now) === 0;
}

export function pause(state: TimerState, now: number): TimerState {
  return state.pausedAt !== undefined || isOver(state, now) ? state : { ...state, pausedAt: now };
}

export function resume(state: TimerState, now: number): TimerState {
  if (state.pausedAt === undefined) return state;
  return { ...state, startedAt: state.startedAt + (now - state.pausedAt), pausedAt: undefined };
}

/** Done before the time is up. */
export function finish(state: TimerState, now: number): TimerState {
  return { ...state, startedAt: now - state.minutes * 60_000, pausedAt: undefined };
}

/** "24:59"; the last second is shown as 0:01, not 0:00. */
export function timerText(state: TimerState, now: number): string {
  const seconds = Math.ceil(leftMs(state, now) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A long break after every fourth pomodoro. */
export function breakMinutes(pomodorosDone: number): number {
  return pomodorosDone > 0 && pomodorosDone % 4 === 0 ? 15 : 5;
}

export function toText(state: TimerState | null): string | null {
  return state === null ? null : JSON.stringify(state);
}

/** null for anything that is no timer. */
export function fromText(text: string | null): TimerState | null {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Partial<TimerState> | null;
    const isTimer =
      value !== null &&
      typeof value === "object" &&
      (value.kind === "pomodoro" || value.kind === "break") &&
      typeof value.title === "string" &&
      typeof value.day === "string" &&
      Number.isFinite(value.minutes) &&
      Number.isFinite(value.startedAt);
    return isTimer ? (value as TimerState) : null;
  } catch {
    return null;
  }
}

/** The title of the window with the time in front; null: without it. */
export function titleWith(title: string, time: string | null): string {
  const plain = title.replace(/^(?:\d+:\d\d|Time is up) · /, "");
  return time === null ? plain : `${time} · ${plain}`;
}
