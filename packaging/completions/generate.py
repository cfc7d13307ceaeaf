#!/usr/bin/env python3
"""Generates the completions of bash and zsh from the rows that --help is made of.

usage: generate.py           write dscope.bash and _dscope
       generate.py --check   exit with status 1 if one of them is out of date
"""
import pathlib
import re
import string
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "man"))
from generate_reference import rows

USAGE = (ROOT / "src/driver/command_line/usage.cpp").read_text()
OPTION_VALUES = (ROOT / "src/catalog/option_values.cpp").read_text()

# How shells complete the argument of a letter, by its name in the table.
KINDS = {"FILE": "file", "DIR": "directory", "PID": "pid", "COMMAND": "command", "PROVIDER": "provider",
         "NAME[=VALUE]": "setting", "a|c|s|t": "word"}


def letters():
    """letter, argument, help: those of --help."""
    return [(row[0], row[1], row[5]) for row in rows("src/driver/command_line/letters.def", "DS_LETTER")
            if row[4] != "Hidden"]


def settings():
    """The names for -x, each with its values: some words, or none if any value may follow."""
    words = {}
    for name, allowed, later in re.findall(r'\{OptionId::(\w+), "([^"]*)", "([^"]*)", "[^"]*"\}', OPTION_VALUES):
        words[name] = [word for word in allowed.split() if word not in later.split()]
    found = {}
    for row in rows("src/catalog/options.def", "DS_OPTION"):
        identifier, name, kind, release, help_text = row[0], row[1], row[3], row[5], row[6]
        if release == "Now" and not help_text.startswith(("accepted", "for -G")):
            found[name] = words.get(identifier, ["on", "off"] if kind == "Bool" else []), kind != "Flag", help_text
    return found


def long_options():
    """Name, with "=" if it has an argument, and help; from the lines of usage.cpp."""
    found = re.findall(r'help_line\(\s*"(--[a-z-]+=?)[^"]*",\s*"([^"]*)"\)', USAGE)
    return found + [("--save-facts=", "write a description of this machine"), ("--info=", "describe a bundle"),
                    ("--bind=", "add the types of a kernel without BTF to a bundle"),
                    ("--serve-token-file=", "require the token of this file from clients of --serve"),
                    ("--serve-cert=", "certificate of --serve"), ("--serve-key=", "private key of --serve"),
                    ("--serve-anyone", "serve on any address without a token"),
                    ("--report=", "write a page with pictures of the run"),
                    ("--timeline=", "write a timeline for Perfetto; into a directory: CTF"), ("--help", "print the options"),
                    ("--version", "print the version")]


def stages():
    return re.search(r'"print stages: ([^"]*)"', USAGE)[1].split()


def formats():
    return settings()["format"][0]


def providers():
    table = (ROOT / "runtime/providers/stability.h").read_text().partition("rows[] = {")[2]
    return sorted(re.findall(r'^    \{"(\w+)", ', table, re.M))


def values_by_words():
    """A line of `case` for each list of words: the names that take one of them."""
    names = {}
    for name, (words, _, _) in settings().items():
        if words:
            names.setdefault(" ".join(words), []).append(name)
    return "\n".join(f"    {' | '.join(same)}) words='{words}' ;;" for words, same in names.items())


def bash():
    with_argument = "".join(letter for letter, argument, _ in letters() if argument)
    names = " ".join(name + ("=" if takes_value else "") for name, (_, takes_value, _) in settings().items())
    return string.Template((HERE / "dscope.bash.in").read_text()).substitute(
        letters=" ".join(f"-{letter}" for letter, _, _ in letters()), with_argument=with_argument,
        long_options=" ".join(name for name, _ in long_options()), stages=" ".join(stages()),
        formats=" ".join(formats()), names=names, values=values_by_words(), providers=" ".join(providers()))


def zsh_text(text):
    """Text in the brackets of a specification of _arguments, inside single quotes."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


ZSH_ACTIONS = {"file": "_files", "directory": "_files -/", "pid": "_pids", "command": "_command_names -e",
               "provider": "(" + " ".join(providers()) + ")", "word": "(a c s t)"}


def zsh_letters():
    lines = []
    for letter, argument, help_text in letters():
        action = ""
        if argument:
            kind = KINDS.get(argument, "text")
            chosen = ZSH_ACTIONS.get(kind, " ")
            if letter == "s":
                chosen = "_files -g \"*.d\""
            elif letter == "x":
                chosen = "_dscope_setting"
            elif kind == "setting":
                chosen = " "
            action = f"+:{argument.split('[')[0].split('|')[0].lower()}:{chosen}"
        head, _, tail = action.partition(":")
        lines.append(f"  '*-{letter}{head}[{zsh_text(help_text)}]{':' + tail if tail else ''}'")
    return lines


def zsh():
    actions = {"--dump=": "_sequence compadd - " + " ".join(stages()), "--format=": f"({' '.join(formats())})",
               "--facts=": "_files", "--save-facts=": "_files", "--build=": "_files", "--info=": "_files", "--bind=": "_files",
               "--report=": "_files", "--timeline=": "_files",
               "--serve=": " ", "--serve-token-file=": "_files", "--serve-cert=": "_files", "--serve-key=": "_files"}
    lines = zsh_letters()
    for name, help_text in long_options():
        argument = f":{name.strip('-=')}:{actions[name]}" if name.endswith("=") else ""
        lines.append(f"  '{name}[{zsh_text(help_text)}]{argument}'")
    names = []
    for name, (words, takes_value, help_text) in settings().items():
        value = f":value:({' '.join(words)})" if words else ":value: " if takes_value else ""
        names.append(f"    '{name}[{zsh_text(help_text)}]{value}'")
    return string.Template((HERE / "_dscope.in").read_text()).substitute(
        arguments=" \\\n".join(lines), names="\n".join(names))


def main():
    is_current = True
    for name, text in (("dscope.bash", bash()), ("_dscope", zsh())):
        target = HERE / name
        if target.exists() and target.read_text() == text:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{target} is out of date: run packaging/completions/generate.py")
            is_current = False
        else:
            target.write_text(text)
    sys.exit(0 if is_current else 1)


if __name__ == "__main__":
    main()
