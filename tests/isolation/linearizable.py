"""Is a history of one register linearizable? A search after Wing and Gong, by events, as Lowe describes it.

The checker walks through sends and answers in order of time. It keeps every state in which the register might be: its
value, and which of the open operations have already taken effect. When an answer arrives its operation must have
taken effect; states in which it cannot are dropped. If none is left, no order explains the history.

Operations, as (kind, arguments): ("read", None) with the value as result, ("write", value), ("cas", (old, new)). A
compare-and-set that was refused is an operation too: it saw another value than `old`.
"""

from history import FAIL, INFO

READ, WRITE, CAS = "read", "write", "cas"


def first_contradiction(operations, initial):
    """The first operation whose answer no order explains, or None. All operations are of one register."""
    states = {(initial, frozenset())}
    open_ = {}  # number -> operation, sent and not answered
    for _, answered, number in _events(operations):
        if not answered:
            open_[number] = operations[number]
            continue
        states = _after_answer(states, open_, number)
        if not states:
            return operations[number]
        del open_[number]
    return None


def _events(operations):
    """(time, is an answer, number). Unsure operations are never answered, so they stay open to the end."""
    events = []
    for number, operation in enumerate(operations):
        if operation.status == INFO and operation.kind == READ or operation.status == FAIL and operation.kind != CAS:
            continue  # says nothing, changes nothing
        events.append((operation.invoked, False, number))
        if operation.status != INFO:
            events.append((operation.completed, True, number))
    return sorted(events)


def _after_answer(states, open_, number):
    """Every state reachable by effects of open operations in which `number` has taken effect."""
    reached, seen, work = set(), set(), list(states)
    while work:
        state = _with_free_effects(work.pop(), open_)
        if state in seen:
            continue
        seen.add(state)
        value, done = state
        if number in done:
            reached.add((value, done - {number}))
            continue
        for other, operation in open_.items():
            if other not in done and _changes(operation):
                effect = _effect(operation, value)
                if effect is not None:
                    work.append((effect[0], done | {other}))
    return reached


def _with_free_effects(state, open_):
    """What only looks takes effect as soon as it fits: that forbids nothing later."""
    value, done = state
    free = {number for number, operation in open_.items()
            if number not in done and not _changes(operation) and _effect(operation, value) is not None}
    return (value, done | free) if free else state


def _changes(operation):
    return operation.kind == WRITE or operation.kind == CAS and operation.status != FAIL


def _effect(operation, value):
    """(the register afterwards,) if the operation can take effect on `value` and answer what it answered."""
    if operation.kind == READ:
        return (value,) if operation.result == value else None
    if operation.kind == WRITE:
        return (operation.arguments,)
    old, new = operation.arguments
    if operation.status == FAIL:
        return (value,) if value != old else None
    return (new,) if value == old else None

