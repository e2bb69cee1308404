"""The figures of the store benchmark as markdown: one table of figures, one of targets."""

OPERATIONS = {
    "get": "GetItem", "query": "Query of 20", "begins": "begins_with, 10", "put": "PutItem",
    "update": "UpdateItem, version condition", "transact": "TransactWrite of 4", "batch": "BatchWrite of 25",
}
CPU_TARGETS = {"get": 7, "query": 7, "put": 7, "update": 7, "transact": 7, "batch": 10}


class Figures:
    def __init__(self, rows):
        self._rows = {(row["storage"], row["server"], row["operation"], row["connections"]): row for row in rows}

    def get(self, storage, server, operation, connections):
        return self._rows.get((storage, server, operation, connections))

    def value(self, field, storage, server, operation, connections):
        row = self.get(storage, server, operation, connections)
        return None if row is None else row[field]

    def distinct(self, position):
        return list(dict.fromkeys(key[position] for key in self._rows))


def number(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"


def milliseconds(us):
    return "-" if us is None else f"{us / 1000:.2f}"


def ratio(above, below):
    return None if above is None or not below else above / below


def times(value):
    return "-" if value is None else f"{value:.1f}"


def figures_table(figures):
    lines = ["| storage | operation | conn. | Cairn ops/s | p50 ms | p99 ms | CPU us | dynoxide ops/s | p50 ms "
             "| p99 ms | CPU us | dynalite ops/s | p50 ms | p99 ms | CPU us | dynoxide CPU / Cairn CPU "
             "| Cairn ops/s / dynoxide ops/s |",
             "|---|---|" + "---:|" * 15]
    for storage in figures.distinct(0):
        for operation, title in OPERATIONS.items():
            for connections in figures.distinct(3):
                at = lambda field, server: figures.value(field, storage, server, operation, connections)  # noqa: E731
                cells = [storage, title, str(connections)]
                for server in ("cairn", "dynoxide", "dynalite"):
                    cells += [number(at("per_second", server)), milliseconds(at("p50_us", server)),
                              milliseconds(at("p99_us", server)), number(at("cpu_us", server), 1)]
                cells += [times(ratio(at("cpu_us", "dynoxide"), at("cpu_us", "cairn"))),
                          times(ratio(at("per_second", "cairn"), at("per_second", "dynoxide")))]
                if set(cells[3:]) != {"-"}:
                    lines.append("| " + " | ".join(cells) + " |")
    return lines


def nginx_table(figures):
    lines = ["| nginx, a file of 300 bytes | ops/s | p50 ms | p99 ms | CPU us |", "|---|" + "---:|" * 4]
    for storage in figures.distinct(0):
        for connections in figures.distinct(3):
            row = figures.get(storage, "nginx", "file", connections)
            if row:
                lines.append(f"| {connections} conn. | {number(row['per_second'])} | {milliseconds(row['p50_us'])} "
                             f"| {milliseconds(row['p99_us'])} | {number(row['cpu_us'], 1)} |")
    return lines if len(lines) > 2 else []


def verdict(value, bound, at_most=False):
    if value is None:
        return "not measured"
    return "met" if (value <= bound if at_most else value >= bound) else "**missed**"


def cpu_target(figures, storage, operation, factor):
    """Judged at every number of connections; the verdict says where it holds if not everywhere."""
    ratios = {}
    for connections in figures.distinct(3):
        at = lambda server: figures.value("cpu_us", storage, server, operation, connections)  # noqa: E731
        ratios[connections] = ratio(at("dynoxide"), at("cairn"))
    known = {connections: value for connections, value in ratios.items() if value is not None}
    met = [connections for connections, value in known.items() if value >= factor]
    if not known:
        judged = "not measured"
    elif len(met) == len(known):
        judged = "met"
    else:
        judged = "**missed**" + (f", met at {' and '.join(map(str, met))}" if met else "")
    measured = ", ".join(f"1/{value:.1f} at {connections}" for connections, value in known.items()) or "-"
    return f"{OPERATIONS[operation]}, {storage}: CPU at most 1/{factor} of dynoxide's", measured, judged


def targets(figures, syncs):
    """(target, measured, verdict) for each."""
    rows = [cpu_target(figures, storage, operation, factor) for storage in figures.distinct(0)
            for operation, factor in CPU_TARGETS.items()]
    file_rate = next((rate for storage in figures.distinct(0)
                      if (rate := figures.value("per_second", storage, "nginx", "file", 16))), None)
    for storage in figures.distinct(0):
        value = ratio(figures.value("per_second", storage, "cairn", "get", 16), file_rate)
        rows.append((f"GetItem, {storage}, 16 connections: ops/s at least 0.7 of nginx's",
                     "-" if value is None else f"{value:.2f}", verdict(value, 0.7)))
    value = ratio(figures.value("per_second", "disk", "cairn", "put", 64),
                  figures.value("per_second", "disk", "dynoxide", "put", 64))
    rows.append(("PutItem, disk, 64 connections: ops/s at least 10 times dynoxide's", times(value), verdict(value, 10)))
    sync_p99 = sum(each["p99_us"] for each in syncs) / len(syncs) if syncs else None
    value = ratio(figures.value("p99_us", "disk", "cairn", "put", 16), sync_p99)
    rows.append(("PutItem, disk, 16 connections: p99 at most 4 times the disk's fsync p99"
                 + (f" ({milliseconds(sync_p99)} ms)" if sync_p99 else ""), times(value), verdict(value, 4, True)))
    return rows


def report(rows, syncs, remarks):
    figures = Figures(rows)
    lines = ["; ".join(remarks) + ".", "", *figures_table(figures), ""]
    nginx = nginx_table(figures)
    lines += [*nginx, ""] if nginx else []
    if syncs:
        lines += ["The disk alone (512 bytes appended, fdatasync), before each round of Cairn's puts: "
                  + "; ".join(f"p50 {milliseconds(each['p50_us'])} ms, p99 {milliseconds(each['p99_us'])} ms"
                              for each in syncs) + ".", ""]
    lines += ["| target | measured (at connections) | |", "|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in targets(figures, syncs)]
    return "\n".join(lines) + "\n"
