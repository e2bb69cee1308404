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
      title="Your weeks will be here"
      actions={
        <>
          <Button variant="primary" icon="values" onClick={() => navigate("/values")}>
            Begin with your values
          </Button>
          <Button icon="sparkle" busy={fill.busy} onClick={fill.run}>
            Fill in demo data
          </Button>
        </>
      }
    >
      <p>
        At the end of a week you see what you completed and added, and what has been lying still. For that there have to be
        actions first.
      </p>
      {fill.problem && <Notice tone="danger">{fill.problem}</Notice>}
    </EmptyState>
  );
}
