// Loads the code of a page and shows it; says so when that does not work, or when the page breaks.

import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { EmptyState, Button, SkeletonRows, Skeleton } from "../parts";
import type { Match, PageEntry, PageProps } from "./pages";

type Loaded = ComponentType<PageProps> | "failed" | undefined;

/** What was loaded stays, so that coming back shows the page at once. */
const loaded = new Map<PageEntry, ComponentType<PageProps>>();
const loading = new Map<PageEntry, Promise<ComponentType<PageProps>>>();

/** Asked for twice it is loaded once: whoever imports it a second time would not be made to wait for its styles. */
export function loadPage(entry: PageEntry): Promise<ComponentType<PageProps>> {
  let page = loading.get(entry);
  if (!page) {
    page = entry.load().then(({ default: component }) => {
      loaded.set(entry, component);
      return component;
    });
    loading.set(entry, page);
    page.catch(() => loading.delete(entry)); // the next one tries again
  }
  return page;
}

export function PageView({ match, query }: { match: Match; query: URLSearchParams }) {
  const { entry, rest } = match;
  const [state, setState] = useState<{ entry: PageEntry; page: Loaded }>({ entry, page: loaded.get(entry) });
  const page = state.entry === entry ? state.page : loaded.get(entry);

  useEffect(() => {
    let current = true;
    loadPage(entry).then(
      (component) => current && setState({ entry, page: component }),
      () => current && setState({ entry, page: "failed" }),
    );
    return () => {
      current = false;
    };
  }, [entry]);

  if (page === undefined) return <PageSkeleton />;
  if (page === "failed") return <PageFailed text="This page could not be loaded. There may be a newer version of it." />;
  const Page = page;
  return (
    <Boundary key={entry.path}>
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

class Boundary extends Component<{ children: ComponentChildren }, { broken: boolean }> {
  override state = { broken: false };

  static override getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: unknown) {
    reportError(error); // for whoever has the browser's console open
  }

  render() {
    if (this.state.broken) return <PageFailed text="Something went wrong in this page. What was saved is safe." />;
    return this.props.children;
  }
}

function PageFailed({ text }: { text: string }) {
  return (
    <EmptyState
      icon="warning"
      title="This page did not work"
      actions={
        <Button variant="primary" onClick={() => location.reload()}>
          Load it again
        </Button>
      }
    >
      <p>{text}</p>
    </EmptyState>
  );
}
