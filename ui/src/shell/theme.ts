// Light, dark, or as the system says. public/theme.js does the first part of this before anything is painted.

import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const kKey = "cairn.theme";

export const theme = signal<Theme>(kept());

export function setTheme(wanted: Theme): void {
  theme.value = wanted;
  if (wanted === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = wanted;
  try {
    if (wanted === "system") localStorage.removeItem(kKey);
    else localStorage.setItem(kKey, wanted);
  } catch {
    return; // it lasts as long as the tab
  }
}

/** Other tabs follow. */
export function listenForTheme(): () => void {
  const onStorage = ({ key }: StorageEvent) => key === kKey && setTheme(kept());
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}

function kept(): Theme {
  try {
    const value = localStorage.getItem(kKey);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}
