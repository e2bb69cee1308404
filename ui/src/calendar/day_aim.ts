// Which day the pointer is over while something is dragged across the days of a view. Measured once, when the drag begins.

export class DayAim {
  private readonly cells: { day: string; element: HTMLElement; box: DOMRect }[];
  private marked: HTMLElement | null = null;

  /** `within` lies in the view. */
  constructor(within: HTMLElement) {
    const view = within.closest<HTMLElement>(".calendar-days")!;
    this.cells = [...view.querySelectorAll<HTMLElement>("[data-day]")].map((element) => ({
      day: element.dataset.day!,
      element,
      box: element.getBoundingClientRect(),
    }));
  }

  at(x: number, y: number): string | null {
    return this.cells.find(({ box }) => x >= box.left && x < box.right && y >= box.top && y < box.bottom)?.day ?? null;
  }

  /** Shows which day is meant. */
  mark(day: string | null): void {
    this.marked?.classList.remove("day-aimed");
    this.marked = this.cells.find((cell) => cell.day === day)?.element ?? null;
    this.marked?.classList.add("day-aimed");
  }
}
