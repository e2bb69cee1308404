// The way around: a sidebar on wide screens, a bar at the bottom on narrow ones. The same list of links, styled twice.

import { problemOf, session, useMe } from "../api";
import { classNames, Icon, Kbd, Mark, MenuButton, tooltip, useCommands, type MenuEntry } from "../parts";
import { loadPage } from "./load_page";
import type { PageEntry } from "./pages";
import { openHelp, openPalette } from "./palette";
import { navigate } from "./router";
import { setTheme, theme, type Theme } from "./theme";
import { toastProblem } from "./toasts";
import "./navigation.css";

interface NavigationProps {
  pages: readonly PageEntry[];
  current: PageEntry | undefined;
}

export function Navigation({ pages, current }: NavigationProps) {
  const shown = pages.filter(({ place }) => place !== "none");
  useCommands(
    pages.map((page) => ({
      keys: page.keys,
      label: page.name,
      group: "Go to",
      icon: page.icon,
      run: () => navigate(page.path),
    })),
  );
  useCommands([
    ...(["system", "light", "dark"] as const).map((choice) => ({
      label: `Theme: ${kThemes[choice].label}`,
      group: "Appearance",
      icon: kThemes[choice].icon,
      run: () => setTheme(choice),
    })),
    { label: "Sign out", group: "Account", icon: "sign-out" as const, run: () => void signOut() },
  ]);
  return (
    <div class="navigation">
      <a class="brand" href="/" aria-label="Cairn, home page">
        <Mark />
        <span>Cairn</span>
      </a>
      <button type="button" class="search-button" onClick={openPalette}>
        <Icon name="search" size={15} />
        <span class="grow">Search</span>
        <Kbd keys="mod+k" />
      </button>
      <nav aria-label="Pages">
        <ul role="list" class="nav-list">
          {shown.map((page) => (
            <NavLink key={page.path} page={page} current={current} />
          ))}
          <li class="nav-item nav-search">
            <button type="button" class="nav-link" onClick={openPalette}>
              <Icon name="search" size={18} />
              <span>Search</span>
            </button>
          </li>
        </ul>
      </nav>
      <div class="nav-foot">
        <Who />
      </div>
    </div>
  );
}

function NavLink({ page, current }: { page: PageEntry; current: PageEntry | undefined }) {
  const isInside = current?.path.startsWith(`${page.path}/`) ?? false;
  const prepare = () => void loadPage(page).catch(() => undefined); // it is said when the page is opened
  return (
    <li class={classNames("nav-item", page.place === "foot" && "nav-item-foot", page.wideOnly && "nav-item-wide")}>
      <a
        class="nav-link"
        href={page.path}
        aria-current={page === current ? "page" : isInside ? "true" : undefined}
        onPointerEnter={prepare}
        onFocus={prepare}
        {...(page.keys ? tooltip("", page.keys) : {})}
      >
        <Icon name={page.icon} size={18} />
        <span>{page.name}</span>
      </a>
    </li>
  );
}

const kThemes = {
  system: { label: "Match system", icon: "screen" },
  light: { label: "Light", icon: "sun" },
  dark: { label: "Dark", icon: "moon" },
} as const;

export const themeChoices = (Object.keys(kThemes) as Theme[]).map((value) => ({ value, ...kThemes[value] }));

function Who() {
  const me = useMe();
  const name = me.displayName ?? me.email ?? "You";
  const entries: MenuEntry[] = [
    { label: "Account", icon: "account", onSelect: () => navigate("/account") },
    { label: "Keyboard shortcuts", icon: "keyboard", keys: "?", onSelect: openHelp },
    "line",
    ...themeChoices.map(({ value, label }) => ({
      label: `Theme: ${label}`,
      checked: theme.value === value,
      onSelect: () => setTheme(value),
    })),
    "line",
    { label: "Sign out", icon: "sign-out", onSelect: () => void signOut() },
  ];
  return (
    <div class="who">
      <span class="who-letter" aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span class="grow one-line small">{name}</span>
      <MenuButton label="Account and settings" size="small" side="top-end" entries={entries} />
    </div>
  );
}

export async function signOut(where: "here" | "everywhere" = "here"): Promise<void> {
  try {
    await session.signOut(where);
    navigate("/sign-in");
  } catch (thrown) {
    toastProblem("You are still signed in.", problemOf(thrown), () => void signOut(where));
  }
}
