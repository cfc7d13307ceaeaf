#!/usr/bin/env python3
"""Completion in zsh: an interactive shell on a pseudo terminal, with the tab key pressed."""
import os
import pty
import re
import select
import subprocess

from common import ROOT, environment, expect, fresh_scratch, require

# The words typed before the tab key, and the line after it.
LINES = {
    "dscope --dry": "dscope --dry-run ",
    "dscope -x aggsi": "dscope -x aggsize=",
    "dscope -x bufpolicy=r": "dscope -x bufpolicy=ring ",
    "dscope --format=c": "dscope --format=csv ",
    "dscope -n syscall::openat2:e": "dscope -n syscall::openat2:entry ",
    "dscope -n 'syscall::openat2:e": "dscope -n 'syscall::openat2:entry' ",
    "dscope -s scr": "dscope -s script.d ",
}

SETUP = """
unsetopt prompt_cr prompt_sp; PS1=; setopt no_beep
fpath=({completions} $fpath)
autoload -Uz compinit; compinit -u -D
# After the completion, the line is written to a file.
finish() {{ zle expand-or-complete; print -r -- "$BUFFER|" >> {result}; BUFFER=; zle .redisplay }}
zle -N finish; bindkey '^I' finish
print -r -- ready >> {result}
"""


def main():
    zsh = require("zsh")
    folder = fresh_scratch()
    (folder / "script.d").write_text("BEGIN { }\n")
    result = folder / "result"
    result.touch()
    (folder / ".zshrc").write_text(SETUP.format(completions=ROOT / "packaging/completions", result=result))
    main_end, shell_end = pty.openpty()
    shell = subprocess.Popen([zsh, "-i"], stdin=shell_end, stdout=shell_end, stderr=shell_end, cwd=folder,
                             env={**environment(), "ZDOTDIR": str(folder)}, start_new_session=True)
    os.close(shell_end)
    shown = b""

    def wait_for(lines):
        nonlocal shown
        for _ in range(3000):
            if len(result.read_text().splitlines()) >= lines:
                return
            if select.select([main_end], [], [], 0.01)[0]:
                shown += os.read(main_end, 65536)
        shell.kill()
        expect(False, f"zsh does not answer: {shown.decode(errors='replace')}")

    wait_for(1)
    for number, line in enumerate(LINES):
        os.write(main_end, line.encode() + b"\t")
        wait_for(number + 2)
    os.write(main_end, b"exit\n")
    os.close(main_end)
    shell.wait(10)
    found = [re.sub(r"\|$", "", text) for text in result.read_text().splitlines()[1:]]
    for line, expected, actual in zip(LINES, LINES.values(), found):
        expect(actual == expected, f"{line!r} becomes {actual!r}, not {expected!r}")


main()
