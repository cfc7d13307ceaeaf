#!/usr/bin/env python3
"""Vim with editors/vim: which files are D scripts, and :DscopeFormat."""
import subprocess

from common import PROGRAM, ROOT, environment, expect, fresh_scratch, require

FILES = {
    "shebang.d": ("#!/usr/bin/env -S dscope -s\n", True),
    "pragma.d": ("/* x */\n#pragma D option quiet\n", True),
    "clause.d": ("\nsyscall::open:entry\n{\n}\n", True),
    "begin.d": ("BEGIN { exit(0); }\n", True),
    "language.d": ("module shop;\nimport std.stdio;\nvoid main() { writeln(1); }\n", False),
}


def main():
    vim = require("vim")
    folder = fresh_scratch()
    for name, (text, _) in FILES.items():
        (folder / name).write_text(text)
    (folder / "format.d").write_text("BEGIN{x=1;}\n\nEND{ }\n")

    def run(name, *commands):
        arguments = [vim, "-N", "-u", "NONE", "-i", "NONE", "-n", "-es",
                     "--cmd", f"set runtimepath^={ROOT / 'editors/vim'}",
                     "--cmd", f"let g:dscope_program = '{PROGRAM}'",
                     "--cmd", "filetype plugin on", "-S", "check.vim", name]
        (folder / "check.vim").write_text(f"edit {name}\n" + "\n".join(commands) + "\nqall!\n")
        subprocess.run(arguments, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, timeout=60)

    for name, (_, is_ours) in FILES.items():
        run(name, "call writefile([&filetype], 'type')")
        found = (folder / "type").read_text().strip()
        expect((found == "dtrace") == is_ours, f"the file type of {name} is {found}")
    run("format.d", "DscopeFormat", "write")
    expect((folder / "format.d").read_text() == "BEGIN { x = 1; }\n\nEND { }\n", (folder / "format.d").read_text())


main()
