#!/usr/bin/env python3
"""Traces programs of real compilers - g++, clang++ with libc++, rustc, go - and compares what dscope prints of their
variables. Run as root. Example:

  tests/languages/check_languages.py --dscope build/dev/src/driver/dscope --build build/dev/languages
"""
import argparse
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HOLDERS = os.path.join(HERE, "..", "e2e", "triggers", "holders.cpp")
failures = []


def run(words, **options):
    return subprocess.run(words, capture_output=True, text=True, timeout=1800, **options)


def compile_program(options, name, words):
    program = os.path.join(options.build, name)
    done = run([*words, "-o", program])
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed:\n{done.stderr}")
    return program


def line_of(file, text):
    with open(file) as lines:
        return next(number for number, line in enumerate(lines, 1) if text in line)


def trace(options, script, program, *more):
    done = run([options.dscope, "-q", "-x", "printform=compact", *more, "-n", script, "-c", program])
    return done.stdout + "".join(f"stderr: {line}\n" for line in done.stderr.splitlines())


def expect(title, output, wanted):
    missing = [part for part in wanted if part not in output]
    wrong = "stderr:" in output
    print(f"{title}: {'passed' if not missing and not wrong else 'FAILED'}")
    if missing or wrong:
        failures.append(title)
        print(f"  missing: {missing}\n  output:\n{output}")


# ---------------------------------------------------------------- C++

def check_cxx(options):
    variants = {
        "g++, new strings": ["g++", "-D_GLIBCXX_USE_CXX11_ABI=1"],
        "g++, old strings": ["g++", "-D_GLIBCXX_USE_CXX11_ABI=0"],
        "clang++, libc++": ["clang++-19", "-stdlib=libc++"],
    }
    line = line_of(HOLDERS, "sum = whole.name")
    script = f"pid$target:a.out:holders.cpp@{line}:observe " + "{ " + (
        r'printf("%s|%s|%s|%s\n", $copy, $view, $long_text, stringof($text)); trace($copy); print($view); '
        r"print(*$numbers); print($words); print(*$only); print(*$shared); print($whole); }")
    wanted = ["short|view|short, which is longer than the string object itself|short\n", 'short"view"',
              "{.size = 3, [0] = 1, [1] = 2, [2] = 3}", "{.x = 3, .y = 4}", "{.x = 5, .y = 6}", '.name = "owner of it"',
              ".scores = {.size = 2, [0] = 10, [1] = 20}"]
    for title, compiler in variants.items():
        program = compile_program(options, f"holders_{len(title)}", [*compiler, "-std=c++20", "-g", "-O0", HOLDERS])
        # Long values take several lines.
        output = re.sub(r"\n +", " ", trace(options, script, program)).replace(",\n}", "}").replace("{ ", "{")
        expect(title, output.replace(", }", "}"),
               [*wanted, '{.size = 2, [0] = "short", [1] = "second"}'])


# ---------------------------------------------------------------- Rust

def check_rust(options):
    source = os.path.join(HERE, "values.rs")
    line = line_of(source, "black_box(account.nick.len()")
    script = f"pid$target:a.out:values.rs@{line}:observe " + "{ " + (
        r'printf("%s|%s|%s\n", $owned, $text, $account->name); print($shape); print($some); print($none); '
        r"print($numbers); print($account->scores); print(*$list); "
        r'printf("second %d\n", $list->next.Some.__0->value); exit(0); }')
    wanted = ["owned text|some|Ada\n", "(struct Shape) {.Box = {.width = 30, .height = 40}}",
              "(struct Option<u8>) {.Some = {.__0 = 7}}", "(struct Option<u8>) {.None = {}}",
              "{.size = 2, [0] = 8, [1] = 9}", ".value = 1, .next = {.Some = {.__0 = 0x", "second 2\n"]
    rustc = options.rustc
    for title, mangling in {"rustc, legacy names": "legacy", "rustc, v0 names": "v0"}.items():
        words = [rustc, "-g", "-C", "opt-level=0", "--edition", "2021"]
        if mangling == "v0":
            words += ["-C", "symbol-mangling-version=v0"]
        program = compile_program(options, f"values_{mangling}", [*words, source])
        expect(title, trace(options, script, program), [*wanted, "{.size = 3, [0] = 3, [1] = 4, [2] = 5}"])
        generic = "pid$target:a.out:*twice*:entry { printf(\"%s %d\\n\", probefunc, arg0); }"
        expect(f"{title}, generics", trace(options, generic, program), ["twice", " 20\n", " 4\n"])
    program = compile_program(options, "values_optimized", [rustc, "-g", "-O", "--edition", "2021", source])
    entry = r'pid$target:a.out:*observe*:entry { printf("%s\n", $text); print($list->value); }'
    output = trace(options, entry, program)
    expect("rustc, optimized", output, ["some\n", "1\n"])
    lost = r'pid$target:a.out:*observe*:entry { print($numbers); }'
    output = trace(options, lost, program).replace("stderr: ", "")  # the compiler has dropped the pointer
    expect("rustc, what is optimized out is an error", output, ["$numbers cannot be read"])


# ---------------------------------------------------------------- Go

def check_go(options):
    source = os.path.join(HERE, "routines.go")
    environment = {**os.environ, "GO111MODULE": "off", "GOCACHE": os.path.join(os.path.abspath(options.build), "go-cache")}
    programs = {}
    for title, flags in {"go": [], "go, stripped": ["-ldflags", "-s -w"]}.items():
        programs[title] = os.path.join(options.build, f"routines_{len(title)}")
        done = run([options.go, "build", *flags, "-o", programs[title], source], env=environment)
        if done.returncode != 0:
            sys.exit(f"go build failed: {done.stderr}")
    same = "pid$target:a.out:main.observe:entry { @[arg0 == $goid ? \"same\" : \"other\"] = count(); }"
    for title, program in programs.items():
        output = trace(options, same, f"{program} 10000 8")
        expect(f"{title}, goid", output, [])
        expect(f"{title}, goid is the runtime's", "" if re.search(r"same\s+8\n", output) and "other" not in output
               else f"stderr: {output}", [])
    entry = ('pid$target:a.out:main.describe:entry { printf("%s %d %d\\n", $text, $factor, args[1]); print($list); '
             "print($$vars); }")
    expect("go, arguments by debug information", trace(options, entry, f"{programs['go']} 10000 8"),
           ["some text 3 3\n", "{.size = 2, [0] = 5, [1] = 6}"])
    calls = int(os.environ.get("DSCOPE_GO_CALLS", "10000000"))
    alone = run([programs["go"], str(calls), "8"]).stdout
    started = time.monotonic()
    traced = run([options.dscope, "-q", "-n", "pid$target:a.out:main.leaf:entry { @in = count(); } "
                  "pid$target:a.out:main.grow:return { @out = count(); } END { printa(\"in %@d\\n\", @in); "
                  "printa(\"out %@d\\n\", @out); }", "-c", f"{programs['go']} {calls} 8"])
    # Each of the 8 goroutines also calls leaf() in observe().
    expect(f"go, {calls} calls while stacks grow ({time.monotonic() - started:.0f} s)", traced.stdout +
           "".join(f"stderr: {line}\n" for line in traced.stderr.splitlines()),
           [alone, f"in {calls + 8}\n", f"out {calls}\n"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dscope", required=True)
    parser.add_argument("--build", required=True, help="folder for the programs")
    parser.add_argument("--rustc", default="/usr/bin/rustc")
    parser.add_argument("--go", default="/usr/bin/go")
    parser.add_argument("languages", nargs="*", help="cxx, rust, go; by default all")
    options = parser.parse_args()
    os.makedirs(options.build, exist_ok=True)
    checks = {"cxx": check_cxx, "rust": check_rust, "go": check_go}
    for name in options.languages or checks:
        checks[name](options)
    print(f"{len(failures)} failed" if failures else "all passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
