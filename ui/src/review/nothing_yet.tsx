import { useState } from "preact/hooks";
import { api, problemOf } from "../api";
import { Button, EmptyState, Notice } from "../parts";
import { navigate } from "../shell";

export function NothingYet({ onFilled }: { onFilled: () => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);

  async function fill() {
    setBusy(true);
    setProblem(undefined);
    try {
      await api.post("/api/values/demo");
      onFilled();
    } catch (thrown) {
      setProblem(problemOf(thrown).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <EmptyState
      icon="review"
      title="Your weeks will be here"
      actions={
        <>
          <Button variant="primary" icon="values" onClick={() => navigate("/values")}>
            Begin with your values
          </Button>
          <Button icon="sparkle" busy={busy} onClick={() => void fill()}>
            Fill in demo data
          </Button>
        </>
      }
    >
      <p>
        At the end of a week you see what you completed and added, and what has been lying still. For that there have to be
        actions first.
      </p>
      {problem && <Notice tone="danger">{problem}</Notice>}
    </EmptyState>
  );
}
