// The whole: who is here decides what is shown. Everything that exists once per page is mounted here.

import { effect, untracked } from "@preact/signals";
import { Fragment, type ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { live, session } from "../api";
import { AnnounceHost, Button, ConfirmHost, EmptyState, listenForShortcuts, TooltipHost } from "../parts";
import { ConnectionBanner, watchConnection } from "./connection";
import { Navigation } from "./navigation";
import { watchStyles } from "./load_page";
import { PageFrame } from "./page_frame";
import { PageView } from "./page_view";
import { matchPage, type PageEntry } from "./pages";
import { PaletteHost } from "./palette";
import { ReminderHost } from "./reminders";
import { address, listenForNavigation, navigate, ownAddress } from "./router";
import { listenForTheme } from "./theme";
import { ToastHost } from "./toasts";
import "./app.css";

interface AppProps {
  pages: readonly PageEntry[];
  /** Where "/" leads. */
  home: string;
  /** Lies over the pages when the session has ended, so that nothing typed is lost. */
  signInAgain: ComponentType<{ email: string }>;
}

export function App({ pages, home, signInAgain }: AppProps) {
  useEffect(() => {
    const leave = [listenForNavigation(), listenForShortcuts(), listenForTheme(), watchConnection(), watchStyles(), followSession()];
    return () => leave.forEach((run) => run());
  }, []);
  return (
    <>
      <Screen pages={pages} home={home} signInAgain={signInAgain} />
      <ConfirmHost />
      <ToastHost />
      <AnnounceHost />
      <TooltipHost />
    </>
  );
}

function Screen({ pages, home, signInAgain: SignInAgain }: AppProps) {
  const state = session.state.value;
  const { path, query } = address.value;
  const match = matchPage(pages, path);
  const known = state.kind === "signedIn" || state.kind === "expired";
  const redirect = state.kind === "unknown" || state.kind === "unreachable" ? null : whereInstead();

  useEffect(() => {
    if (redirect !== null) navigate(redirect, "replace");
  }, [redirect]);

  function whereInstead(): string | null {
    if (match?.entry.audience === "anyone") return null;
    if (known && (path === "/" || match?.entry.audience === "signedOut")) return ownAddress(query.get("next")) ?? home;
    if (known || match?.entry.audience === "signedOut") return null;
    return path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path + location.search)}`;
  }

  if (state.kind === "unreachable") return <Unreachable text={state.problem.message} />;
  if (state.kind === "unknown" || redirect !== null) return <div class="blank" />;
  if (!known || match?.entry.audience === "anyone") return <main class="alone">{match && <PageView match={match} query={query} />}</main>;
  return (
    <div class="frame" key={state.me.userId}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="frame-side">
        <Navigation pages={pages.filter(({ audience }) => audience === "signedIn")} current={match?.entry} />
      </header>
      <main class="frame-main" id="main" tabIndex={-1}>
        {match ? <PageView match={match} query={query} /> : <NotFound pages={pages} path={path} home={home} />}
      </main>
      <ConnectionBanner />
      <PaletteHost />
      <ReminderHost />
      {state.kind === "expired" && <SignInAgain email={state.me.email ?? ""} />}
    </div>
  );
}

function NotFound({ pages, path, home }: { pages: readonly PageEntry[]; path: string; home: string }) {
  return (
    <PageFrame title="Page not found">
      <EmptyState
        icon="search"
        title="There is no page at this address"
        actions={
          <Button variant="primary" onClick={() => navigate(home)}>
            Go to the home page
          </Button>
        }
      >
        <p>
          <code>{path}</code> leads nowhere. Perhaps a letter is wrong, or the link is an old one.
        </p>
        <p>
          {pages
            .filter(({ audience, place }) => audience === "signedIn" && place !== "none")
            .map(({ path: to, name }, index) => (
              <Fragment key={to}>
                {index > 0 && " · "}
                <a href={to}>{name}</a>
              </Fragment>
            ))}
        </p>
      </EmptyState>
    </PageFrame>
  );
}

function Unreachable({ text }: { text: string }) {
  return (
    <main class="alone">
      <h1 class="unseen">Cairn</h1>
      <EmptyState
        icon="offline"
        title="Cairn is not responding"
        actions={
          <Button variant="primary" onClick={() => void session.load()}>
            Try again
          </Button>
        }
      >
        <p>{text}</p>
      </EmptyState>
    </main>
  );
}

/** There is a live connection while somebody is signed in, and never one for somebody else. */
function followSession(): () => void {
  let userId: string | undefined;
  return effect(() => {
    const state = session.state.value;
    // Follows the session alone: whoever followed the connection as well would hurry it after every loss.
    untracked(() => {
      if (state.kind === "signedIn") {
        if (userId !== state.me.userId) live.stop();
        userId = state.me.userId;
        live.start();
        live.hurry();
      } else if (state.kind === "signedOut") {
        userId = undefined;
        live.stop();
      }
    });
  });
}
