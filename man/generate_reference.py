#!/usr/bin/env python3
"""Generates the manual pages from their man/PAGE.in, man/reference.txt, the rows of the catalog and tools/*.d.

A line @NAME@ or @NAME words ...@ of a page stands for the text of SECTIONS["NAME"].

usage: generate_reference.py           write the pages
       generate_reference.py --check   exit with status 1 if a page is out of date
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import generate_tools

ROOT = pathlib.Path(__file__).resolve().parent.parent


def rows(path, macro):
    """The arguments of each `MACRO(...)` line, strings without their quotes."""
    found = []
    for line in (ROOT / path).read_text().splitlines():
        if not line.startswith(macro + "("):
            continue
        inner = line[len(macro) + 1 : line.rindex(")")]
        parts = re.findall(r'\s*("(?:[^"\\]|\\.)*"|\'.\'|[^,]+)\s*(?:,|$)', inner)
        found.append([part.strip()[1:-1].replace('\\"', '"') if part.strip()[0] in "\"'" else part.strip() for part in parts])
    return found


RELEASE = -1  # the column of variables, subroutines and actions


def descriptions():
    texts = {}
    for line in (ROOT / "man/reference.txt").read_text().splitlines():
        if "|" in line and not line.startswith("#"):
            name, text = line.split("|", 1)
            texts[tuple(name.split())] = text.strip()
    return texts


def escape(text):
    """Text that mdoc prints literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def item(head, text):
    sentences = re.sub(r"(?<=[\w)])\. (?=[A-Z])", ".\n", text).split("\n")  # mdoc: new sentence, new line
    return [f".It Li {quote(head)}"] + [escape(sentence) for sentence in sentences]


def quote(head):
    return '"' + escape(head).replace('"', "\\(dq") + '"'


def prototype(name, text):
    result, arguments = text.split("(", 1)
    return f"{result}{'' if result.endswith('*') else ' '}{name}({arguments}"


def call(name, text):
    return f"{name}({text.split('(', 1)[1]}"


def variables(texts, _):
    lines = []
    for _, name, kind, *columns in rows("src/catalog/variables.def", "DS_VARIABLE"):
        if columns[RELEASE] == "Now":
            lines += item(f"{kind}{'' if kind.endswith('*') else ' '}{name}", texts["variable", name])
    return lines


def subroutines(texts, _):
    """The subroutines, without those of the D libraries, whose names start with two underscores."""
    lines = []
    for _, name, proto, *columns in rows("src/catalog/subroutines.def", "DS_SUBROUTINE"):
        if columns[RELEASE] == "Now" and not name.startswith("__"):
            lines += item(prototype(name, proto), texts["subroutine", name])
    return lines


def actions(texts, _):
    lines = []
    for _, name, proto, *columns in rows("src/catalog/actions.def", "DS_ACTION"):
        if columns[RELEASE] == "Now":
            lines += item(call(name, proto), texts["action", name])
    return lines


def aggregations(texts, _):
    lines = []
    for _, name, proto, *_ in rows("src/catalog/aggregations.def", "DS_AGGREGATION"):
        lines += item(call(name, proto), texts["aggregation", name])
    return lines


def default_text(kind, value):
    if value == "-1":
        return ""
    number = eval(value, {"__builtins__": {}})  # a literal or a shift such as 4 << 20
    if kind == "Rate":
        return "0" if number == 0 else f"{number // 1000000000}s"
    for letter, unit in (("m", 1 << 20), ("k", 1 << 10)):
        if kind == "Size" and number and number % unit == 0:
            return f"{number // unit}{letter}"
    return "on" if kind == "Flag" else str(number)


def available_options():
    """The rows of the options that have no other release than this one."""
    return {row[1]: row for row in rows("src/catalog/options.def", "DS_OPTION") if row[5] == "Now"}


def options(_, names):
    lines = []
    when_text = {"Dynamic": "May change while tracing.", "CompileCommandLine": "Not by #pragma.",
                 "RunCommandLine": "Not by #pragma."}
    available = available_options()
    for _, name, when, kind, default, _, text in (available[name] for name in names):
        value = default_text(kind, default)
        notes = [f"Default: {value}."] if value else []
        notes += [when_text[when]] if when in when_text else []
        head = name if kind == "Flag" else f"{name}[={kind.lower()}]" if kind == "Bool" else f"{name}={kind.lower()}"
        # "auto: ..." begins with a value of the option, which has no capital.
        is_value = re.match(r"\w+: ", text)
        sentence = " ".join([(text if is_value else text[0].upper() + text[1:]) + "."] + notes)
        lines += item(head, sentence)
    return lines


def letter_rows():
    return rows("src/driver/command_line/letters.def", "DS_LETTER")


def letter_groups():
    return {group for *_, group, _ in letter_rows() if group != "Hidden"}


def letters(_, groups):
    lines = []
    for letter, argument, _, _, group, text in letter_rows():
        if group in groups:
            lines += item(f"-{letter} {argument}".strip(), text[0].upper() + text[1:] + ("" if text.endswith(".") else "."))
    return lines


def later(*_):
    """Names that are reserved, but not implemented in this version."""
    names = []
    for path, macro in (("variables", "VARIABLE"), ("subroutines", "SUBROUTINE"), ("actions", "ACTION")):
        for row in rows(f"src/catalog/{path}.def", f"DS_{macro}"):
            if row[RELEASE] != "Now":
                names.append(row[1])
    return [escape(", ".join(sorted(names)) + ".")]


def scripts():
    return sorted(generate_tools.TOOLS.glob("*.d"))


def tools(_, names):
    """The names of these scripts and the questions that they answer, from their headers."""
    lines = []
    for name in names:
        summary, _ = generate_tools.header_of(generate_tools.TOOLS / f"{name}.d")
        lines += item(f"dscope-{name}", summary)
    return lines


def targets(*_):
    """The scripts that use $target, as a sentence ends."""
    names = [escape(generate_tools.command_of(script)) for script in scripts() if "$target" in script.read_text()]
    return [", ".join(names[:-1]) + f" and {names[-1]}."]


def example(_, names):
    text = generate_tools.example_of(generate_tools.TOOLS / f"{names[0]}.d")
    return [escape(line) if line else "" for line in text.rstrip().splitlines()]


# Rows that a page lists in groups: each must be in one.
GROUPED = {"LETTERS": letter_groups, "OPTIONS": available_options, "TOOLS": lambda: [script.stem for script in scripts()]}

SECTIONS = {"VARIABLES": variables, "SUBROUTINES": subroutines, "ACTIONS": actions, "AGGREGATIONS": aggregations,
            "OPTIONS": options, "LETTERS": letters, "LATER": later, "TOOLS": tools,
            "TARGETS": targets, "EXAMPLE": example}


def page(source):
    texts = descriptions()
    lines = [f'.\\" Generated by man/generate_reference.py from man/{source.name}; edit that file or the catalog.']
    listed = {name: [] for name in GROUPED}
    for line in source.read_text().splitlines():
        placeholder = re.fullmatch(r"@([A-Z]+)((?: [\w-]+)*)@", line)
        if not placeholder:
            lines.append(line)
            continue
        name, words = placeholder[1], placeholder[2].split()
        lines += SECTIONS[name](texts, words)
        listed.setdefault(name, []).extend(words)
    for name, words in listed.items():
        if words and sorted(words) != sorted(GROUPED[name]() if name in GROUPED else words):
            sys.exit(f"{source}: @{name} ...@ must list each of these once: {' '.join(sorted(GROUPED[name]()))}")
    return "\n".join(lines) + "\n"


def main():
    is_current = True
    for source in sorted(ROOT.glob("man/*.in")):
        target, text = source.with_suffix(""), page(source)
        if target.exists() and target.read_text() == text:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{target} is out of date: run man/generate_reference.py")
            is_current = False
        else:
            target.write_text(text)
    sys.exit(0 if is_current else 1)


if __name__ == "__main__":
    main()
