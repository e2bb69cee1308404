import { api, problemOf, useMe, useRoom } from "../api";
import { Button, Notice, Section, Skeleton } from "../parts";
import { navigate, toast } from "../shell";
import { useRequest, useResource } from "../state";

/** For an account that has nothing yet: something to look at and to play with. */
export function DemoData() {
  const me = useMe();
  const commits = useResource("first commit", (signal) => api.get("/api/values/commits", { query: { limit: 1 }, signal }));
  const tasks = useResource("first task", (signal) => api.get("/api/nexus/tasks", { query: { limit: 1 }, signal }));
  useRoom(`values:${me.userId}`, () => commits.refresh());
  useRoom(`nexus:${me.userId}`, () => tasks.refresh());
  const fill = useRequest(async () => {
    const hasValues = await fillIfEmpty("/api/values/demo");
    const hasCalendar = await fillIfEmpty("/api/nexus/demo");
    toast({ text: "Demo data added.", tone: "success" });
    navigate(hasValues || !hasCalendar ? "/values" : "/calendar");
  });

  const problem = commits.problem.value ?? tasks.problem.value;
  const isKnown = commits.data.value && tasks.data.value;
  const isEmpty = commits.data.value?.items.length === 0 || tasks.data.value?.items.length === 0;
  return (
    <Section title="Demo data" intro="Values with their history, three weeks of plans, a calendar, a board and notes to try things out.">
      <div class="stack demo-data">
        {fill.problem && <Notice tone="danger">{fill.problem}</Notice>}
        {problem && !isKnown && <p class="soft">{problem.message}</p>}
        {!isKnown && !problem && <Skeleton width="180px" height="var(--control)" />}
        {isKnown && isEmpty && (
          <div>
            <Button icon="wand" busy={fill.busy} onClick={fill.run}>
              Add demo data
            </Button>
          </div>
        )}
        {isKnown && !isEmpty && <p class="soft">Demo data can only be added to an empty account, and yours already has content.</p>}
      </div>
    </Section>
  );
}

/** false: there is something already, and it stays. */
async function fillIfEmpty(path: "/api/values/demo" | "/api/nexus/demo"): Promise<boolean> {
  try {
    await api.post(path);
    return true;
  } catch (thrown) {
    if (problemOf(thrown).code === "not-empty") return false;
    throw thrown;
  }
}
