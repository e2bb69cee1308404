// Shows a page once its code is there; says so when that does not work, or when the page breaks.

import { Component, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { live } from "../api";
import { EmptyState, Button, SkeletonRows, Skeleton } from "../parts";
import { unsavedCount } from "../state";
import { followPage, knownPage, type LoadedPage } from "./load_page";
import { PageFrame } from "./page_frame";
import type { Match, PageEntry } from "./pages";

export function PageView({ match, query }: { match: Match; query: URLSearchParams }) {
  const { entry, rest } = match;
  const [state, setState] = useState<{ entry: PageEntry; page: LoadedPage | undefined }>({ entry, page: knownPage(entry) });
  const [attempts, setAttempts] = useState(0);
  const page = state.entry === entry ? state.page : knownPage(entry);

  useEffect(() => followPage(entry, (next) => setState({ entry, page: next })), [entry, attempts]);

  function tryNow() {
    live.hurry();
    setAttempts((count) => count + 1);
  }

  if (page === undefined) return <PageSkeleton />;
  if (page === "absent") return <PageAbsent name={entry.name} onTry={tryNow} />;
  if (page === "failed") return <PageFailed name={entry.name} text="It could not be loaded. There may be a newer version of Cairn." />;
  const Page = page;
  return (
    <Boundary key={entry.path} name={entry.name}>
      <Page rest={rest} query={query} />
    </Boundary>
  );
}

/** As high as the head of a page and a few lines. */
export function PageSkeleton() {
  return (
    <div class="page">
      <div class="page-head">
        <Skeleton width="160px" height="30px" />
      </div>
      <SkeletonRows rows={6} />
    </div>
  );
}

class Boundary extends Component<{ name: string; children: ComponentChildren }, { broken: boolean }> {
  override state = { broken: false };

  static override getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: unknown) {
    reportError(error); // for whoever has the browser's console open
  }

  render() {
    if (this.state.broken) return <PageFailed name={this.props.name} text="Something went wrong. Everything that was saved is safe." />;
    return this.props.children;
  }
}

/** Opened without a connection, and never before: its code is not here. */
function PageAbsent({ name, onTry }: { name: string; onTry: () => void }) {
  return (
    <PageFrame title={name}>
      <EmptyState icon="offline" title="This page has not been loaded yet" actions={<Button onClick={onTry}>Try now</Button>}>
        <p>You are offline. The page will open when the connection is back, and your changes are kept until then.</p>
      </EmptyState>
    </PageFrame>
  );
}

function PageFailed({ name, text }: { name: string; text: string }) {
  const waiting = unsavedCount.value;
  return (
    <PageFrame title={name}>
      <EmptyState
        icon="warning"
        title="This page could not be shown"
        actions={
          <Button variant="primary" disabled={waiting > 0} onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        <p>{text}</p>
        {waiting > 0 && (
          <p>
            {waiting === 1 ? "One change has" : `${waiting} changes have`} not been saved yet. You can load the page again when that is
            done.
          </p>
        )}
      </EmptyState>
    </PageFrame>
  );
}
