#!/usr/bin/env python3
"""dscope --fmt on files and standard input."""
import os
import subprocess

from common import PROGRAM, expect, fresh_scratch

UGLY, PRETTY = "BEGIN{x=1;}", "BEGIN { x = 1; }\n"


def run(*arguments, text=""):
    done = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def main():
    folder = fresh_scratch()
    ugly, pretty, broken, link = (folder / name for name in ("ugly.d", "pretty.d", "broken.d", "link.d"))
    ugly.write_text(UGLY)
    ugly.chmod(0o750)
    pretty.write_text(PRETTY)
    broken.write_text('BEGIN { x = "a\n')
    link.symlink_to(ugly)

    expect(run("--fmt", text=UGLY) == (0, PRETTY, ""), "standard input")
    expect(run("--fmt", "-", text=UGLY) == (0, PRETTY, ""), "- is standard input")
    expect(run("--fmt", str(ugly)) == (0, PRETTY, ""), "a file")
    expect(run("--fmt=check", str(pretty)) == (0, "", ""), "--fmt=check of a formatted file")
    expect(run("--fmt=check", str(pretty), str(ugly)) == (1, f"{ugly}\n", ""), "--fmt=check")
    status, output, messages = run("--fmt", str(broken), str(pretty))
    expect((status, output) == (1, PRETTY), "a broken file does not stop the others")
    expect(f"{broken}: line 1, column 13: " in messages, messages)

    expect(run("--fmt=write", str(link), str(pretty)) == (0, "", ""), "--fmt=write")
    expect(link.is_symlink() and ugly.read_text() == PRETTY, "the file behind a link is written")
    expect(ugly.stat().st_mode & 0o777 == 0o750, "the mode is kept")
    expect(sorted(os.listdir(folder)) == ["broken.d", "link.d", "pretty.d", "ugly.d"], "no temporary file is left")
    expect(run("--fmt=write", str(broken))[0] == 1 and broken.read_text().startswith("BEGIN"), "broken files are kept")

    expect(run("--fmt=write", text=UGLY)[0] == 2, "standard input cannot be changed")
    expect(run("--fmt=no")[0] == 2, "an unknown word")
    expect(run("--fmt", "-q")[0] == 2, "other options")
    expect(run("--fmt", str(folder / "none.d"))[0] == 1, "a missing file")


main()
