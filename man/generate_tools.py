#!/usr/bin/env python3
"""Writes man/tools/TOOL.d.8 for every script in tools/, from its header comment and its example; --check only compares."""
import pathlib
import re
import string
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS, PAGES = ROOT / "tools", ROOT / "man" / "tools"


def escaped(text):
    text = text.replace("\\", "\\\\").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def header_of(script):
    """The sentences before "Usage:", the command lines after it, and what follows those."""
    comment = re.search(r"/\*(.*?)\*/", script.read_text(), re.S).group(1)
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.strip().split("\n")]
    start = next(i for i, line in enumerate(lines) if line.startswith("Usage:"))
    end = start + 1
    while end < len(lines) and lines[end].startswith("       "):
        end += 1
    usage = [line.removeprefix("Usage:").strip() for line in lines[start:end]]
    return " ".join(lines[:start]), usage, " ".join(line for line in lines[end:] if line)


PAGE = r""".\" Made by generate_tools.py from tools/$script and its example: change those.
.TH $heading 8 "" "dscope" "dscope tools"
.SH NAME
$name \- $title
.SH SYNOPSIS
$usage
.SH DESCRIPTION
$summary
$notes
.PP
The script takes the options of
.BR dscope (8),
such as \-c (trace a command until it ends) and \-o (write to a file).
.SH EXAMPLE
.nf
.B $command
$output
.fi
.SH SEE ALSO
.BR dscope (8)
"""


def page(script):
    summary, usage, notes = header_of(script)
    command, _, output = (TOOLS / "examples" / f"{script.stem}.txt").read_text().partition("\n")
    title = summary.split(":")[0].split(". ")[0].rstrip(".")
    text = string.Template(PAGE).substitute(
        script=script.name, heading=script.name.upper(), name=escaped(script.name),
        title=escaped(title[0].lower() + title[1:]), usage="\n.br\n".join(escaped(line) for line in usage),
        summary=escaped(summary), notes=escaped(notes), command=escaped(command.removeprefix("# ")),
        output=escaped(output.rstrip()))
    return text.replace("\n\n.PP", "\n.PP")


def main():
    is_current = True
    for script in sorted(TOOLS.glob("*.d")):
        target, text = PAGES / f"{script.name}.8", page(script)
        if target.exists() and target.read_text() == text:
            continue
        if "--check" in sys.argv:
            print(f"{target} is not what {script} and its example say: run man/generate_tools.py")
            is_current = False
        else:
            PAGES.mkdir(exist_ok=True)
            target.write_text(text)
    sys.exit(0 if is_current else 1)


main()
