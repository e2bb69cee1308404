"""The figures of the scale benchmark as markdown: starts, reads, memory, targets."""

from store_report import OPERATIONS, milliseconds, number, verdict

START_MS = {"empty": 60, "middle": 1000}
IDLE_MB, GROWTH = 40, 1.5


def starts_table(starts):
    lines = ["| start | until the first answer, ms | of them CPU | idle memory, MB | of it private |",
             "|---|" + "---:|" * 4]
    for each in starts:
        lines.append(f"| {each['what']} | {number(each['ms'])} | {number(each['cpu_ms'])} "
                     f"| {number(each['memory']['now'], 1)} | {number(each['memory']['private'], 1)} |")
    return lines


def reads_table(reads):
    lines = ["| read | items | ops/s | p50 ms | p99 ms | CPU us |", "|---|" + "---:|" * 5]
    for each in reads:
        lines.append(f"| {OPERATIONS[each['operation']]} | {each['items']:,} | {number(each['per_second'])} "
                     f"| {milliseconds(each['p50_us'])} | {milliseconds(each['p99_us'])} "
                     f"| {number(each['cpu_us'], 1)} |")
    return lines


def memory_table(memory):
    lines = ["| memory at " f"{memory[0]['items']:,} items, `--cache-mb {memory[0]['cache_mb']}` | MB | highest so far "
             "| of it private |", "|---|---:|---:|---:|"]
    for each in memory:
        lines.append(f"| after {OPERATIONS[each['after']]} | {number(each['now'])} | {number(each['peak'])} "
                     f"| {number(each['private'])} |")
    return lines


def growth(reads, operation):
    cpu = [each["cpu_us"] for each in sorted(reads, key=lambda each: each["items"]) if each["operation"] == operation]
    return cpu[-1] / cpu[0] if len(cpu) > 1 else None


def targets(figures):
    """(target, measured, verdict) for each."""
    rows = []
    for each in figures["starts"]:
        bound = START_MS.get(each["size"])
        if bound is not None:
            rows.append((f"start {each['what']}: under {bound} ms", f"{each['ms']:.0f} ms",
                         verdict(each["ms"], bound, True)))
        if each["size"] == "empty":
            rows.append((f"idle memory {each['what']}: under {IDLE_MB} MB", f"{each['memory']['now']:.1f} MB",
                         verdict(each["memory"]["now"], IDLE_MB, True)))
    for operation in ("get", "query"):
        value = growth(figures["reads"], operation)
        if value is not None:
            rows.append((f"{OPERATIONS[operation]}: CPU at the largest table at most {GROWTH} times the smallest's",
                         f"{value:.2f}", verdict(value, GROWTH, True)))
    if figures["memory"]:
        last = figures["memory"][-1]
        rows.append((f"memory at {last['items']:,} items under the configured {last['cache_mb']} MB",
                     f"{last['peak']:.0f} MB", verdict(last["peak"], last["cache_mb"], True)))
    return rows


def report(figures, remarks):
    p50, p99 = (milliseconds(figures["sync"][field]) for field in ("p50_us", "p99_us"))
    sync = f"the disk's fsync: p50 {p50} ms, p99 {p99} ms"
    lines = ["; ".join([*remarks, sync]) + ".", ""]
    for rows, table in ((figures["starts"], starts_table), (figures["reads"], reads_table),
                        (figures["memory"], memory_table)):
        if rows:
            lines += [*table(rows), ""]
    lines += ["| target | measured | |", "|---|---:|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in targets(figures)]
    return "\n".join(lines) + "\n"
