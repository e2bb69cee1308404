#!/usr/bin/env python3
"""Holds src/ to its layers.

usage: check_layers.py SOURCE_ROOT LAYERS_FILE

LAYERS_FILE is written by CMake from the cairn_layer() calls: one line `layer: allowed allowed ...` each. Refused are

- an #include that points up or sideways, that names no file, or that names another layer's `internal/`;
- a folder of src/ that is not a layer;
- a permission that no file of its layer uses;
- a layer without README.md, and a README.md that leaves out a file of its folder or has a row about one that is not there.

A README.md names files in backquotes, by their paths without suffix or by a pattern: `layout.h`, `internal/layout`, `lint_*`.
It speaks for subfolders that have no README.md of their own. Tests and what only tests use need no name.

The layer `models` is generated: "models/personal_os.h" comes from models/personal-os.toml, nothing of it lies below src/.
"""
import pathlib
import re
import sys

GENERATED = "models"
FOR_TESTS = re.compile(r"_test$|_for_tests?$|fixture")
FILE_TABLE = re.compile(r"^\| file \|.*\n\|[-|]+\n((?:\|.*\n?)*)", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def read_layers(text):
    """The layers that each layer may include, from `layer: allowed allowed ...` lines."""
    lines = (line.split(":") for line in text.splitlines() if line.strip())
    return {name.strip(): uses.split() for name, uses in lines}


def source_files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in {".h", ".cc"})


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


def check_includes(root, allowed):
    """Findings, how many includes there are, and the pairs (layer, layer that it includes)."""
    findings, checked, used = [], 0, set()
    for path in source_files(root / "src"):
        layer = layer_of(path.relative_to(root / "src").as_posix(), allowed)
        if layer not in allowed:
            findings.append(f"{path}: folder src/{layer} is not declared with cairn_layer() in CMakeLists.txt")
            continue
        for target in INCLUDE.findall(path.read_text()):
            checked += 1
            other = layer_of(target, allowed)
            used.add((layer, other))
            if not exists(root, target):
                findings.append(f'{path}: #include "{target}" names no file below src/ and no model')
            elif other != layer and other not in allowed[layer]:
                findings.append(f"{path}: layer {layer} may not include {target} (allowed: {sorted(allowed[layer])})")
            elif other != layer and "/internal/" in target:
                findings.append(f"{path}: {target} is private to {other}")
    return findings, checked, used


def check_permissions(allowed, used):
    return [f"CMakeLists.txt: layer {layer} may include {other}, but none of its files does"
            for layer, uses in allowed.items() if layer != GENERATED
            for other in uses if (layer, other) not in used]


def named_files(readme, text):
    """For each name in backquotes that can be one of files: the files below the README's folder that it means."""
    named = {}
    for name in re.findall(r"`([\w*{},./-]+)`", text):
        braces = re.search(r"{(.*)}", name)
        parts = braces[1].split(",") if braces else [""]
        patterns = [re.sub(r"{.*}", part, name) for part in parts]
        if all(re.search(r"\w[^/]*$", re.sub(r"\.(h|cc)$", "", p)) and not p.startswith("/") for p in patterns):
            named[name] = [path for p in patterns for end in ("", ".*") for path in readme.parent.glob(p + end)]
    return named


def check_readme(readme):
    """Findings about one README.md: of the files that it should name, and of those that it tells about."""
    text = re.sub(r"^```.*?^```", "", readme.read_text(), flags=re.M | re.S)
    named = {path.with_suffix("") for paths in named_files(readme, text).values() for path in paths}
    missing = set()
    for path in source_files(readme.parent):
        responsible = next(folder for folder in path.parents if (folder / "README.md").exists())
        if responsible == readme.parent and not FOR_TESTS.search(path.stem) and path.with_suffix("") not in named:
            missing.add(path.relative_to(readme.parent).with_suffix("").as_posix())
    findings = [f"{readme}: does not name {name}" for name in sorted(missing)]
    for rows in FILE_TABLE.findall(text):
        cells = "\n".join(row.split("|")[1] for row in rows.splitlines())
        findings += [f"{readme}: has a row about {name}, which is not there"
                     for name, paths in named_files(readme, cells).items() if not paths]
    return findings


def check_readmes(root, allowed):
    folders = [root / "src" / layer for layer in allowed if layer != GENERATED]
    findings = [f"{folder}: a layer has a README.md" for folder in folders if not (folder / "README.md").exists()]
    for folder in folders:
        for readme in sorted(folder.rglob("README.md")):
            findings += check_readme(readme)
    return findings


def main():
    root, layers_file = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    allowed = read_layers(layers_file.read_text())
    findings, checked, used = check_includes(root, allowed)
    findings += check_permissions(allowed, used) + check_readmes(root, allowed)
    print("\n".join(findings) if findings else f"{checked} includes, all downwards; every file is named in a README.md")
    return 1 if findings or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
