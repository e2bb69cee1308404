/** Joins the class names that are there: `classNames("row", open && "row-open")`. */
export function classNames(...names: (string | false | undefined | null)[]): string {
  return names.filter(Boolean).join(" ");
}
