// Live events: one WebSocket for the whole page, rooms with cursors, reconnecting. A room is joined with a function that
// reads its state anew; it is called when there is something to read, never twice at once. See docs/live.md.

import { signal, type ReadonlySignal } from "@preact/signals";

/** connecting: the first try, or one after a loss. waiting: lost; the next try is planned. off: not wanted. */
export type ConnectionState = "off" | "connecting" | "open" | "waiting";

/** What of a WebSocket is used here. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface LiveParts {
  open: () => Socket;
  /** Runs later; the returned function takes it back. */
  later: (milliseconds: number, run: () => void) => () => void;
  random: () => number;
  /** The server may not know us any more. True: we are still signed in, as far as anybody can tell. */
  stillSignedIn: () => Promise<boolean>;
}

export type ReadRoom = () => Promise<void> | void;

/** What a room was told: "item_changed", {"entityType":"TASK",...}. */
export interface RoomEvent {
  name: string;
  data: Record<string, unknown>;
}

/** Whether a reader has to read again after an event. One that is not asked reads after every one. */
export type Concerns = (event: RoomEvent) => boolean;

interface Message {
  type: string;
  room?: string;
  cursor?: string;
  event?: string;
  data?: Record<string, unknown>;
}

interface Member {
  read: ReadRoom;
  concerns: Concerns | undefined;
  /** Something was told since it has read. */
  stale: boolean;
}

interface Room {
  members: Set<Member>;
  cursor: string | undefined; // up to where everything is read
  newest: string | undefined; // up to where we were told
  reading: boolean;
  failures: number;
  retry: (() => void) | undefined;
}

const kPingMs = 25_000; // the server gives up on silent clients after 75 seconds
const kPongMs = 10_000;
const kPauseMs = 800;
const kPauseMaxMs = 30_000;
const kNotIdentified = 4401;

export class Live {
  private readonly state_ = signal<ConnectionState>("off");
  private readonly rooms = new Map<string, Room>();
  private socket: Socket | undefined;
  private failures = 0;
  private cancelRetry: (() => void) | undefined;
  private cancelPing: (() => void) | undefined;

  constructor(private readonly parts: LiveParts) {}

  get state(): ReadonlySignal<ConnectionState> {
    return this.state_;
  }

  /** Wanted from now on: connects, and connects again. */
  start(): void {
    if (this.state_.value === "off") this.connect();
  }

  /** Not wanted any more; what is known of rooms is forgotten, for the next user may be another one. */
  stop(): void {
    this.state_.value = "off";
    this.drop();
    for (const room of this.rooms.values()) {
      room.cursor = room.newest = undefined;
      room.retry?.();
      room.retry = undefined;
    }
  }

  /** Tries at once instead of later: the network is back, the tab is looked at, somebody pressed "Try now". */
  hurry(): void {
    if (this.state_.value === "waiting") this.connect();
  }

  /**
   * `read` runs now and after every change of the room, until the returned function is called. While there is no
   * connection it runs at once, so that a page need not wait for one, and once more when the room is entered. Events that
   * `concerns` says no to are passed over.
   */
  join(name: string, read: ReadRoom, concerns?: Concerns): () => void {
    const member: Member = { read, concerns, stale: true };
    const known = this.rooms.get(name);
    if (known) {
      known.members.add(member);
      void this.readForOne(name, known, member);
    } else {
      const room: Room = {
        members: new Set([member]),
        cursor: undefined,
        newest: undefined,
        reading: false,
        failures: 0,
        retry: undefined,
      };
      this.rooms.set(name, room);
      if (this.state_.value === "open") this.say({ type: "subscribe", room: name });
      else void this.readEarly(member);
    }
    return () => this.leave(name, member);
  }

  private leave(name: string, member: Member): void {
    const room = this.rooms.get(name);
    if (!room?.members.delete(member) || room.members.size > 0) return;
    room.retry?.();
    this.rooms.delete(name);
    if (this.state_.value === "open") this.say({ type: "unsubscribe", room: name });
  }

  private connect(): void {
    this.drop();
    this.state_.value = "connecting";
    const socket = this.parts.open();
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      if (socket === this.socket && typeof data === "string") this.hear(JSON.parse(data) as Message);
    };
    socket.onclose = ({ code }) => {
      if (socket === this.socket) void this.lost(code);
    };
  }

  private drop(): void {
    this.cancelRetry?.();
    this.cancelPing?.();
    this.cancelRetry = this.cancelPing = undefined;
    const socket = this.socket;
    this.socket = undefined; // first, so that its onclose is no news
    socket?.close();
  }

  private async lost(code: number): Promise<void> {
    // A browser does not say why an upgrade was refused; it may be that the session is over.
    const maybeUnknown = code === kNotIdentified || this.state_.value === "connecting";
    this.drop();
    this.state_.value = "waiting";
    if (maybeUnknown && !(await this.parts.stillSignedIn())) return;
    if (this.state_.value !== "waiting") return;
    const pause = Math.min(kPauseMs * 2 ** this.failures, kPauseMaxMs) * (0.5 + this.parts.random());
    ++this.failures;
    this.cancelRetry = this.parts.later(pause, () => this.connect());
  }

  private hear(message: Message): void {
    switch (message.type) {
      case "welcome":
        this.failures = 0;
        this.state_.value = "open";
        for (const [name, room] of this.rooms) this.say({ type: "subscribe", room: name, cursor: room.cursor });
        this.planPing();
        break;
      case "pong":
        this.planPing();
        break;
      case "subscribed":
        this.noteSubscribed(message);
        break;
      case "event":
      case "reset":
        this.noteChange(message);
        break;
    }
  }

  private noteSubscribed({ room: name, cursor }: Message): void {
    const room = this.rooms.get(name ?? "");
    if (!room || room.cursor !== undefined) return; // we have a cursor: what we missed is told next
    room.newest = cursor;
    for (const member of room.members) member.stale = true;
    void this.readRoom(name!, room);
  }

  private noteChange({ type, room: name, cursor, event, data }: Message): void {
    const room = this.rooms.get(name ?? "");
    if (!room) return;
    room.newest = cursor;
    for (const member of room.members) {
      const passes = type === "event" && member.concerns?.({ name: event ?? "", data: data ?? {} }) === false;
      if (!passes) member.stale = true;
    }
    void this.readRoom(name!, room);
  }

  /** Reads until nothing newer was told meanwhile. Many events during one read cost one more read. */
  private async readRoom(name: string, room: Room): Promise<void> {
    if (room.reading) return;
    room.reading = true;
    room.retry?.();
    room.retry = undefined;
    try {
      while (room.newest !== room.cursor && this.rooms.get(name) === room) {
        const target = room.newest;
        await Promise.all([...room.members].filter(({ stale }) => stale).map(readMember));
        room.cursor = target;
        room.failures = 0;
      }
    } catch {
      this.planRead(name, room); // the reader has shown what is wrong; here it is only tried again
    } finally {
      room.reading = false;
    }
  }

  private planRead(name: string, room: Room): void {
    const pause = Math.min(kPauseMs * 2 ** room.failures, kPauseMaxMs);
    ++room.failures;
    room.retry = this.parts.later(pause, () => {
      room.retry = undefined;
      if (this.rooms.get(name) === room) void this.readRoom(name, room);
    });
  }

  /** Before the room is entered: a failure is the reader's to show, and it reads again on entering. */
  private async readEarly(member: Member): Promise<void> {
    try {
      await member.read();
    } catch {
      return; // still stale
    }
  }

  /** Somebody joined a room that others are in. */
  private async readForOne(name: string, room: Room, member: Member): Promise<void> {
    try {
      await readMember(member);
    } catch {
      room.cursor = undefined; // so that everybody reads again
      if (!room.reading && !room.retry) this.planRead(name, room);
    }
  }

  /** Browsers do not notice a connection that died silently; an unanswered ping does. */
  private planPing(): void {
    this.cancelPing?.();
    this.cancelPing = this.parts.later(kPingMs, () => {
      this.say({ type: "ping" });
      this.cancelPing = this.parts.later(kPongMs, () => void this.lost(0));
    });
  }

  private say(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }
}

async function readMember(member: Member): Promise<void> {
  member.stale = false; // before: what is told meanwhile is news again
  try {
    await member.read();
  } catch (thrown) {
    member.stale = true;
    throw thrown;
  }
}
