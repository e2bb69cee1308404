#!/usr/bin/env python3
"""Refuses an #include that points up or sideways.

usage: check_layers.py SOURCE_ROOT LAYERS_FILE

LAYERS_FILE is written by CMake from the cairn_layer() calls: one line `layer: allowed allowed ...` each.
Also refuses: a folder of src/ that is no layer, and another layer's `internal/` headers.
The layer `models` is generated: "models/personal_os.h" comes from models/personal-os.toml and is no file below src/.
"""
import pathlib
import re
import sys


def exists(root, target):
    """Whether an include names a file below src/, or one that is generated from a model."""
    generated = re.fullmatch(r"models/(\w+)\.h", target)
    if generated:
        return (root / "models" / (generated[1].replace("_", "-") + ".toml")).exists()
    return (root / "src" / target).exists()


def layer_of(path, allowed):
    """The layer a path below src/ belongs to: its first folder, or its first two (domains/values)."""
    parts = path.split("/")
    return next((name for name in ("/".join(parts[:2]), parts[0]) if name in allowed), parts[0])


def main():
    root, layers_file = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    allowed = {}
    for line in layers_file.read_text().splitlines():
        if line.strip():
            name, uses = line.split(":")
            allowed[name.strip()] = set(uses.split())
    include = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
    findings, checked = [], 0
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        layer = layer_of(str(path.relative_to(root / "src")), allowed)
        if layer not in allowed:
            findings.append(f"{path}: folder src/{layer} is not declared with cairn_layer() in CMakeLists.txt")
            continue
        for target in include.findall(path.read_text()):
            checked += 1
            other = layer_of(target, allowed)
            if not exists(root, target):
                findings.append(f'{path}: #include "{target}" names no file below src/ and no model')
            elif other != layer and other not in allowed[layer]:
                findings.append(f"{path}: layer {layer} may not include {target} (allowed: {sorted(allowed[layer])})")
            elif other != layer and "/internal/" in target:
                findings.append(f"{path}: {target} is private to {other}")
    print("\n".join(findings) if findings else f"{checked} includes, all downwards")
    return 1 if findings or not checked else 0


sys.exit(main())
