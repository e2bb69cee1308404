// Every page there is, in the order of the navigation. A page is a folder with a page.tsx; its code is loaded when it is
// opened.

import type { PageEntry } from "./shell";

export const home = "/today";

export const pages: readonly PageEntry[] = [
  {
    path: "/today",
    name: "Today",
    icon: "today",
    place: "main",
    keys: "g t",
    audience: "signedIn",
    load: () => import("./today/page"),
  },
  {
    path: "/calendar",
    name: "Calendar",
    icon: "calendar",
    place: "main",
    keys: "g c",
    audience: "signedIn",
    load: () => import("./calendar/page"),
  },
  {
    path: "/board",
    name: "Board",
    icon: "board",
    place: "main",
    keys: "g b",
    audience: "signedIn",
    load: () => import("./board/page"),
  },
  {
    path: "/notes",
    name: "Notes",
    icon: "notes",
    place: "main",
    keys: "g n",
    audience: "signedIn",
    load: () => import("./notes/page"),
  },
  {
    path: "/values",
    name: "Values",
    icon: "values",
    place: "main",
    keys: "g v",
    audience: "signedIn",
    load: () => import("./values/page"),
  },
  {
    path: "/review",
    name: "Review",
    icon: "review",
    place: "main",
    wideOnly: true,
    keys: "g r",
    audience: "signedIn",
    load: () => import("./review/page"),
  },
  {
    path: "/data",
    name: "Data",
    icon: "data",
    place: "foot",
    wideOnly: true,
    keys: "g d",
    audience: "signedIn",
    load: () => import("./data/page"),
  },
  {
    path: "/account",
    name: "Account",
    icon: "account",
    place: "foot",
    keys: "g a",
    audience: "signedIn",
    load: () => import("./account/page"),
  },
  {
    path: "/sign-in",
    name: "Sign in",
    icon: "account",
    place: "none",
    audience: "signedOut",
    load: () => import("./sign_in/page"),
  },
  {
    path: "/sign-up",
    name: "Sign up",
    icon: "account",
    place: "none",
    audience: "signedOut",
    load: () => import("./sign_in/sign_up_page"),
  },
];
