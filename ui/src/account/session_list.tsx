import { useState } from "preact/hooks";
import { api, problemOf, type Schemas } from "../api";
import { Badge, Button, confirm, Icon, Notice, SkeletonRows, When } from "../parts";
import { signOut, toast, toastProblem } from "../shell";
import { useResource } from "../state";
import { deviceName } from "./device_name";

type Session = Schemas["Session"];

export function SessionList() {
  const sessions = useResource("sessions", (signal) => api.get("/api/auth/sessions", { signal }));
  const [ending, setEnding] = useState<string | null>(null);
  const problem = sessions.problem.value;
  const list = sessions.data.value?.items;

  async function end(entry: Session) {
    setEnding(entry.sessionId);
    try {
      await api.delete("/api/auth/sessions/{sessionId}", { path: { sessionId: entry.sessionId } });
      sessions.set({ items: (list ?? []).filter(({ sessionId }) => sessionId !== entry.sessionId) });
      toast({ text: `Signed out on ${deviceName(entry)}.`, tone: "success" });
    } catch (thrown) {
      toastProblem("The session could not be ended.", problemOf(thrown), () => void end(entry));
    } finally {
      setEnding(null);
    }
  }

  async function endAll() {
    const sure = await confirm({
      title: "Sign out everywhere?",
      text: "This ends all sessions, including this one. You will need to sign in again.",
      action: "Sign out everywhere",
    });
    if (sure) await signOut("everywhere");
  }

  if (problem && !list) {
    return (
      <Notice tone="danger" action={{ label: "Try again", run: () => void sessions.refresh() }}>
        {problem.message}
      </Notice>
    );
  }
  if (!list) return <SkeletonRows rows={2} height="57px" label="Loading your sessions" />;
  return (
    <div class="stack">
      <ul role="list" class="session-list">
        {list.map((entry) => (
          <li key={entry.sessionId} class="session">
            <Icon name={entry.kind === "browser" ? "screen" : "keyboard"} size={20} />
            <div class="grow">
              <div class="row wrap">
                <span>{deviceName(entry)}</span>
                {entry.current && <Badge tone="accent">This device</Badge>}
              </div>
              <div class="small faint one-line">
                {entry.createdAt && (
                  <>
                    Since <When at={entry.createdAt} />
                  </>
                )}
                {entry.address && ` · ${entry.address}`}
              </div>
            </div>
            {!entry.current && (
              <Button size="small" busy={ending === entry.sessionId} onClick={() => void end(entry)}>
                End<span class="unseen"> the session on {deviceName(entry)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => void endAll()}>Sign out everywhere</Button>
      </div>
    </div>
  );
}
