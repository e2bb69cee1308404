import { api, useMe, useRoom } from "../api";
import { Button, Notice, Skeleton } from "../parts";
import { navigate, toast } from "../shell";
import { useRequest, useResource } from "../state";
import { Section } from "./section";

/** For an account that has nothing yet: something to look at and to play with. */
export function DemoData() {
  const me = useMe();
  const commits = useResource("first commit", (signal) => api.get("/api/values/commits", { query: { limit: 1 }, signal }));
  useRoom(`values:${me.userId}`, () => commits.refresh());
  const fill = useRequest(async () => {
    const { days } = await api.post("/api/values/demo");
    toast({ text: `Your account has a tree of values and ${days} planned days now.`, tone: "success" });
    navigate("/values");
  });

  const isEmpty = commits.data.value?.items.length === 0;
  return (
    <Section title="Demo data" intro="A tree of values with its history, and three weeks of plans, to try things with.">
      <div class="stack demo-data">
        {fill.problem && <Notice tone="danger">{fill.problem}</Notice>}
        {commits.problem.value && !commits.data.value && <p class="soft">{commits.problem.value.message}</p>}
        {!commits.data.value && !commits.problem.value && <Skeleton width="180px" height="var(--control)" />}
        {isEmpty && (
          <div>
            <Button icon="wand" busy={fill.busy} onClick={fill.run}>
              Fill with demo data
            </Button>
          </div>
        )}
        {commits.data.value && !isEmpty && <p class="soft">Only an empty account can be filled, and yours has values of its own.</p>}
      </div>
    </Section>
  );
}
