export { App } from "./app";
export { signOut, themeChoices } from "./navigation";
export { PageFrame } from "./page_frame";
export { loadPage, PageSkeleton } from "./page_view";
export { matchPage, type PageEntry, type PageProps } from "./pages";
export { openHelp, openPalette, usePaletteSearch } from "./palette";
export { address, navigate, ownAddress } from "./router";
export { setTheme, theme, type Theme } from "./theme";
export { toast, toastProblem, toastUndo, type Toast } from "./toasts";
