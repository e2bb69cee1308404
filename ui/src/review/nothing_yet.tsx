import { api } from "../api";
import { Button, EmptyState, Notice } from "../parts";
import { navigate } from "../shell";
import { useRequest } from "../state";

export function NothingYet({ onFilled }: { onFilled: () => void }) {
  const fill = useRequest(async () => {
    await api.post("/api/values/demo");
    onFilled();
  });

  return (
    <EmptyState
      icon="review"
      title="Your weekly reviews will appear here"
      actions={
        <>
          <Button variant="primary" icon="values" onClick={() => navigate("/values")}>
            Start with your values
          </Button>
          <Button icon="sparkle" busy={fill.busy} onClick={fill.run}>
            Add demo data
          </Button>
        </>
      }
    >
      <p>At the end of a week you see what you completed and added, and what has gone stale. For that there have to be actions first.</p>
      {fill.problem && <Notice tone="danger">{fill.problem}</Notice>}
    </EmptyState>
  );
}
