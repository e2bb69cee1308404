// Our own icons: strokes on a grid of 24, drawn with the colour of the text. They say nothing to screen readers; whatever
// shows one has a name of its own.

const kShapes = {
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  "chevron-right": "M9.5 6l6 6-6 6",
  "chevron-left": "M14.5 6l-6 6 6 6",
  "chevron-down": "M6 9.5l6 6 6-6",
  "chevron-up": "M6 14.5l6-6 6 6",
  "arrow-up": "M12 19V5M6 11l6-6 6 6",
  "arrow-down": "M12 5v14M6 13l6 6 6-6",
  "arrow-left": "M19 12H5M11 6l-6 6 6 6",
  "arrow-right": "M5 12h14M13 6l6 6-6 6",
  indent: "M4 5h16M11 10h9M11 14h9M4 19h16M4 9l3.5 3L4 15",
  outdent: "M4 5h16M11 10h9M11 14h9M4 19h16M7.5 9L4 12l3.5 3",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  menu: "M4 7h16M4 12h16M4 17h16",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20",
  filter: "M4 6h16M7 12h10M10 18h4",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  values: "M12 4.5v5M12 9.5H6.5v5M12 9.5h5.5v5M10 2.5h4v3h-4zM4.5 14.5h4v4h-4zM15.5 14.5h4v4h-4z",
  today: "M5 6h14v14H5zM5 10h14M9 3.5V7M15 3.5V7M9 14.5l2 2 4-4",
  calendar: "M5 6h14v14H5zM5 10h14M9 3.5V7M15 3.5V7",
  review: "M5 20V11M12 20V4M19 20v-6",
  data: "M12 9c3.9 0 7-1.1 7-2.5S15.9 4 12 4 5 5.1 5 6.5 8.1 9 12 9zM5 6.5v11C5 18.9 8.1 20 12 20s7-1.1 7-2.5v-11M5 12c0 1.4 3.1 2.5 7 2.5s7-1.1 7-2.5",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.9-3.7 3.9-5.5 7.5-5.5s6.6 1.8 7.5 5.5",
  people:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.7-3.3 3.3-5 6.5-5s5.8 1.7 6.5 5M16 5a3.5 3.5 0 0 1 0 6.3M18 14.9c1.9.8 3.1 2.3 3.5 4.6",
  "sign-out": "M10 4.5H5v15h5M10 12h10M16 8l4 4-4 4",
  undo: "M8.5 5L4 9.5 8.5 14M4 9.5h10a5.5 5.5 0 0 1 0 11h-3",
  redo: "M15.5 5L20 9.5 15.5 14M20 9.5H10a5.5 5.5 0 0 0 0 11h3",
  refresh: "M20 5v5h-5M4 19v-5h5M19.4 10A8 8 0 0 0 5.3 7.6M4.6 14a8 8 0 0 0 14.1 2.4",
  history: "M4 5v4.5h4.5M4.4 9.5A8.2 8.2 0 1 1 4 14M12 8v4.5l3 2",
  clock: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.5V12l3 2",
  timer: "M12 21a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM12 9.5v4M9.5 2.5h5",
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  stop: "M7 7h10v10H7z",
  archive: "M4 5h16v4H4zM5.5 9v10.5h13V9M10 13h4",
  restore: "M4 5h16v4H4zM5.5 9v10.5h13V9M12 17v-5M9.5 14l2.5-2.5 2.5 2.5",
  trash: "M4.5 6.5h15M9.5 6.5v-3h5v3M6.5 6.5l.8 14h9.4l.8-14M10 10.5v6M14 10.5v6",
  edit: "M5 19l.8-4L16 4.8 19.2 8 9 18.2zM14 6.8L17.2 10",
  note: "M6 3.5h8.5L18 7v13.5H6zM9 11h6M9 15h6",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  tag: "M4 4h7.5l8.5 8.5-7.5 7.5L4 11.5zM8 8h.01",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4",
  board: "M4 5h16v14H4zM9.3 5v14M14.7 5v14",
  notes: "M4 4.5h7v7H4zM13.5 4.5H20v4.5h-6.5zM13.5 12H20v7.5h-6.5zM4 14.5h7v5H4z",
  pin: "M9 4h6l-.7 6 3.2 3.5h-11L9.7 10zM12 13.5V20",
  repeat: "M17 3.5l3 3-3 3M4 11.5v-2a3 3 0 0 1 3-3h13M7 20.5l-3-3 3-3M20 12.5v2a3 3 0 0 1-3 3H4",
  place: "M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  settings:
    "M10.1 5.4L10.5 2.9L13.5 2.9L13.9 5.4L15.4 6L17.4 4.5L19.5 6.6L18 8.6L18.6 10.1L21.1 10.5L21.1 13.5L18.6 13.9L18 15.4L19.5 17.4L17.4 19.5L15.4 18L13.9 18.6L13.5 21.1L10.5 21.1L10.1 18.6L8.6 18L6.6 19.5L4.5 17.4L6 15.4L5.4 13.9L2.9 13.5L2.9 10.5L5.4 10.1L6 8.6L4.5 6.6L6.6 4.5L8.6 6zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  globe:
    "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM3.5 12h17M12 3.5c2.5 2.3 3.7 5.2 3.7 8.5s-1.2 6.2-3.7 8.5c-2.5-2.3-3.7-5.2-3.7-8.5s1.2-6.2 3.7-8.5z",
  driver: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM15.5 8.5l-2 5-5 2 2-5z",
  milestone: "M6 21V4M6 4.5h11.5l-2.5 4 2.5 4H6",
  action: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16z",
  done: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM8 12.3l2.8 2.7L16 9.5",
  urgent: "M13 3L5.5 13.5H11L10 21l8-11h-5.5z",
  important: "M12 4l2.5 5.3 5.7.7-4.2 4 1.1 5.8L12 17l-5.1 2.8L8 14 3.8 10l5.7-.7z",
  coffee: "M5 9h11v6a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4zM16 10.5h1.5a2.5 2.5 0 0 1 0 5H16M8.5 3.5v2M12.5 3.5v2",
  wand: "M5 19L15 9M17 3.5v3M15.5 5h3M19.5 11v3M18 12.5h3M9 4v2.5M7.8 5.3h2.4",
  warning: "M12 4L2.8 20h18.4zM12 10v4.5M12 17.2v.01",
  info: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 11v5M12 8v.01",
  offline:
    "M4 4l16 16M8.5 15.5a5 5 0 0 1 5-1.3M5 12a10 10 0 0 1 4.5-2.6M13 9.1a10 10 0 0 1 6 2.9M2 8.5a15 15 0 0 1 4.3-2.8M10.5 4.6A15 15 0 0 1 22 8.5M12 19h.01",
  keyboard: "M3 6.5h18v11H3zM7 10h.01M10.3 10h.01M13.7 10h.01M17 10h.01M7.5 14h9",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  sparkle: "M12 3.5l1.8 5.7 5.7 1.8-5.7 1.8L12 18.5l-1.8-5.7L4.5 11l5.7-1.8zM18.5 17v4M16.5 19h4",
  external: "M13 4.5h6.5V11M19.5 4.5L11 13M17 14v5.5H4.5V7H10",
} as const;

export type IconName = keyof typeof kShapes;

export const iconNames = Object.keys(kShapes) as IconName[];

interface IconProps {
  name: IconName;
  size?: number;
  class?: string;
}

export function Icon({ name, size = 16, class: className }: IconProps) {
  return (
    <svg
      class={className ? `icon ${className}` : "icon"}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={size > 20 ? 1.6 : 1.9}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={kShapes[name]} />
    </svg>
  );
}

/** The stones of the product's name. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" fill="currentColor" aria-hidden="true">
      <ellipse cx="16" cy="25" rx="12" ry="4.5" />
      <ellipse cx="16.6" cy="16.2" rx="8.6" ry="4" opacity=".85" />
      <ellipse cx="15.6" cy="8.2" rx="5.4" ry="3.4" opacity=".7" />
    </svg>
  );
}
