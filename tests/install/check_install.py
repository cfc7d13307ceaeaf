#!/usr/bin/env python3
"""Checks what `cmake --install` installs.

usage: check_install.py --cmake=PROGRAM --source=DIR --build=DIR --scratch=DIR CASE

files        the installed files are those of files.txt; DSCOPE_UPDATE_GOLDEN=1 rewrites it
directories  each file goes to the directory that its variable of GNUInstallDirs names
programs     the installed programs and scripts run, and find each other
"""
import argparse
import os
import pathlib
import shutil
import stat
import subprocess
import sys

LIST = pathlib.Path(__file__).resolve().parent / "files.txt"
DEFAULTS = {"BINDIR": "bin", "LIBEXECDIR": "libexec", "DATADIR": "share", "MANDIR": "share/man"}
UNUSUAL = {"BINDIR": "programs", "LIBEXECDIR": "lib/private", "DATADIR": "data", "MANDIR": "pages"}
PREFIX = "/opt/dscope"
SKIPPED = 77


def install(options, build, name):
    """Installs `build` below a fresh directory, and returns the prefix in it."""
    root = options.scratch / name
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run([options.cmake, "--install", build, "--prefix", PREFIX], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "DESTDIR": str(root)})
    outside = [path for path in root.rglob("*") if not path.is_dir() and not str(path).startswith(f"{root}{PREFIX}/")]
    if outside:
        sys.exit(f"installed outside of the prefix: {outside}")
    return root / PREFIX[1:]


def describe(prefix, directories):
    """A line for each file: its mode or target, and its path with the variables of GNUInstallDirs."""
    lines = []
    for path in sorted(prefix.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        text = str(path.relative_to(prefix))
        # The longest directory first: MANDIR is below DATADIR.
        for variable, directory in sorted(directories.items(), key=lambda item: -len(item[1])):
            if text.startswith(directory + "/"):
                text = f"@{variable}@{text[len(directory):]}"
                break
        is_executable = path.stat().st_mode & stat.S_IXUSR
        mark = f" -> {path.resolve().name}" if path.is_symlink() else "*" if is_executable else ""
        lines.append(text + mark)
    return "\n".join(sorted(lines)) + "\n"


def fail_unless_equal(expected, actual):
    missing = sorted(set(expected.splitlines()) - set(actual.splitlines()))
    extra = sorted(set(actual.splitlines()) - set(expected.splitlines()))
    if missing or extra:
        sys.exit(f"not installed: {missing}\nnot in {LIST}: {extra}\nDSCOPE_UPDATE_GOLDEN=1 rewrites the list")


def check_files(options):
    actual = describe(install(options, options.build, "files"), DEFAULTS)
    if os.environ.get("DSCOPE_UPDATE_GOLDEN") == "1":
        LIST.write_text(actual)
    fail_unless_equal(LIST.read_text(), actual)


def check_directories(options):
    """Configures a build with other directories, and installs it with the programs of this one."""
    build = options.scratch / "directories_build"
    shutil.rmtree(build, ignore_errors=True)
    settings = [f"-DCMAKE_INSTALL_{variable}={directory}" for variable, directory in UNUSUAL.items()]
    settings += ["-DDSCOPE_TESTS=OFF", "-DDSCOPE_RELOCATABLE=ON"]
    subprocess.run([options.cmake, "-S", options.source, "-B", build, "-G", "Ninja",
                    f"-DDSCOPE_ZSH_DIR={UNUSUAL['DATADIR']}/zsh/site-functions", *settings],
                   check=True, stdout=subprocess.DEVNULL)
    for name in ("dscope", "dscope-run", "compiler/dscope", "compiler/dscope-import", "compiler/dscope-language",
                 "compiler/dscope-live", "compiler/dscope-replay", "compiler/dscope-web"):
        program = options.build / "src/driver" / name
        if program.exists():
            copy = build / "src/driver" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            os.link(program, copy)
    prefix = install(options, build, "directories")
    fail_unless_equal(LIST.read_text(), describe(prefix, UNUSUAL))
    for script in prefix.glob("data/dscope/tools/*.d"):
        if not script.read_text().startswith("#!/usr/bin/env -S dscope -s\n"):
            sys.exit(f"{script} of a relocatable installation names a directory")


def check_programs(options):
    if not os.access("/sys/kernel/btf/vmlinux", os.R_OK):
        print("this kernel has no type information (BTF)")
        sys.exit(SKIPPED)
    prefix = install(options, options.build, "programs")
    program = prefix / "bin/dscope"
    subprocess.run([program, "--version"], check=True, stdout=subprocess.DEVNULL)
    # `-x nolibs` would hide a missing library: curpsinfo is from current.d, its type from procfs.d.
    subprocess.run([program, "-e", "-n", "BEGIN { trace(curpsinfo->pr_psargs); }"], check=True)
    for script in sorted(prefix.glob("bin/dscope-*")):
        if script.resolve().suffix != ".d":
            continue
        first_line = script.read_text().partition("\n")[0]
        if first_line != f"#!{PREFIX}/bin/dscope -s":
            sys.exit(f"{script} begins with {first_line}")
    subprocess.run([program, "-e", "-s", prefix / "bin/dscope-opensnoop"], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", required=True)
    for directory in ("source", "build", "scratch"):
        parser.add_argument(f"--{directory}", type=pathlib.Path, required=True)
    parser.add_argument("case", choices=["files", "directories", "programs"])
    options = parser.parse_args()
    try:
        {"files": check_files, "directories": check_directories, "programs": check_programs}[options.case](options)
    finally:
        # The compiler with its debug information is large.
        for name in (f"{options.case}_build", options.case):
            shutil.rmtree(options.scratch / name, ignore_errors=True)


if __name__ == "__main__":
    main()
