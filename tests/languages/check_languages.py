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


CONTAINERS = {
    "words": ".size = 8, [0] = {.first = 10, .second = \"w10\"}, [1] = {.first = 20, .second = \"w20\"}, "
             "[2] = {.first = 30, .second = \"w30\"}, [3] = {.first = 50, .second = \"w50\"}",
    "numbers": ".size = 3, [0] = 1, [1] = 2, [2] = 3}",
    "counts": ".size = 1, [0] = {.first = \"only\", .second = 7}}",
    "letters": ".size = 1, [0] = 'q'}",
    "list": ".size = 3, [0] = 4, [1] = 5, [2] = 6}",
    "array": ".size = 3, [0] = 7, [1] = 8, [2] = 9}",
    "texts": ".size = 2, [0] = \"one\", [1] = \"two\"}",
    "some": ".has_value = 1, .value = 5}",
    "none": ".has_value = 0}",
    "text": ".has_value = 1, .value = \"a text\"}",
    "alternative": "{[1] = \"second\"}",
    "third": "{[2] = {.x = 1, .y = 2}}",
    "first": "{[0] = 3}",
    "points": ".size = 2, [0] = {.x = 1, .y = 2}, [1] = {.x = 3, .y = 4}}",
    "items": ".size = 2, [0] = {.id = 1, .name = \"a\"}, [1] = {.id = 2, .name = \"b\"}}",
    "nothing": ".size = 0}",
    "empty": ".size = 0}",
    "whole": ".owned = {.pointer = 0x",
}


def flat(output):
    """Without types, and with objects on one line: long ones take several."""
    output = re.sub(r"\n +", " ", output).replace(",\n}", "}").replace("{ ", "{").replace(", }", "}")
    return re.sub(r"\((struct|union) [^{]*\) \{", "{", output)


def check_containers(options):
    line = line_of(os.path.join(HERE, "containers.cpp"), "use(words")
    variants = {"g++": ["g++"], "g++, optimized for debugging": ["g++", "-Og"],
                "clang++, libc++": ["clang++-19", "-stdlib=libc++"], "clang++, libstdc++": ["clang++-19"]}
    for title, compiler in variants.items():
        program = compile_program(options, f"containers_{len(title)}",
                                  [*compiler, "-std=c++20", "-g", os.path.join(HERE, "containers.cpp")])
        wanted = dict(CONTAINERS)
        if "libc++" not in title:
            wanted["queue"] = ".size = 174, [0] = 126, [1] = 127, [2] = 128, [3] = 129, [4] = 130"
        for name, text in wanted.items():
            script = f"pid$target:a.out:containers.cpp@{line}:observe {{ print(${name}); exit(0); }}"
            expect(f"{title}, ${name}", flat(trace(options, script, program)), [text])
        script = f"pid$target:a.out:containers.cpp@{line}:observe {{ print($whole); exit(0); }}"
        expect(f"{title}, members", flat(trace(options, script, program)),
               [".id = 3, .name = \"c\"}}", ".value = {.x = 5, .y = 6}}", ".none = {.pointer = "])


# ---------------------------------------------------------------- Rust

def check_rust_containers(options, program):
    line = line_of(os.path.join(HERE, "values.rs"), "black_box(sum + no_text")
    wanted = {"numbers": ".size = 2, [0] = 1, [1] = 2}", "words": ".size = 2, [0] = \"a\", [1] = \"b\"}",
              "pairs": ".size = 2, [0] = {.left = 1, .right = \"one\"}, [1] = {.left = 2, .right = \"two\"}}",
              "some_text": "{.Some = {.__0 = \"inner\"}}", "no_text": "{.None = {}}", "boxed": "{.Some = {.__0 = 0x",
              "table": "{.size = 5}", "sorted": "{.size = 6}", "path": "\"/tmp/x\"",
              "shared": ".value = {.left = 8, .right = \"shared\"}", "speaker": ".pointer = 0x",
              "bytes": "{.items = {.size = 2, [0] = 1, [1] = 2}}"}
    for name, text in wanted.items():
        script = f"pid$target:a.out:values.rs@{line}:contain {{ print(${name}); exit(0); }}"
        expect(f"rustc, ${name}", flat(trace(options, script, program)), [text])


def check_generics(options):
    """Functions of generic types by patterns that are readable."""
    count = "{ @ = count(); } END { printa(\"calls %@d\\n\", @); }"
    # put() is instantiated for u8 and u64; only v0 names have the arguments.
    both = {"*Stack*put": 2, "*Stack<T>::put": 2, "values::Stack::put": 2, "values::Stack<T>::put": 2,
            "values::twice": 2, "values::twice<T>": 2, "values::Pair::speak": 1}
    own = {"legacy": {}, "v0": {"*Stack<u8>::put": 1, "values::Stack<u8>::put": 1, "values::twice<u32>": 2}}
    for mangling, more in own.items():
        program = os.path.join(options.build, f"values_{mangling}")
        for pattern, calls in {**both, **more}.items():
            output = trace(options, f"pid$target:a.out:{pattern}:entry {count}", program)
            expect(f"rustc, {mangling} names: {pattern}", output, [f"calls {calls}\n"])
        output = trace(options, "pid$target:a.out:alloc::vec::Vec<T>::push:entry { @[probefunc] = count(); }", program)
        expect(f"rustc, {mangling} names: Vec<T>::push", output, ["Vec"])


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
    check_rust_containers(options, os.path.join(options.build, "values_legacy"))
    check_generics(options)
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
    pairs = ("pid$target:a.out:main.handOver:entry { self->number = arg0; } pid$target:a.out:main.handOver:return "
             "/self->number/ { @[self->number == arg1 ? \"own\" : \"foreign\"] = count(); self->number = 0; }")
    for title, program in programs.items():
        output = trace(options, pairs, f"{program} 0 8", "-x", "threads=goroutines")
        found = re.search(r"own\s+4000\n", output) and "foreign" not in output
        expect(f"{title}, self-> of goroutines", "" if found else f"stderr: {output}", [])
    # The goroutines change threads, so that threads mix up their variables.
    expect("go, self-> of threads", trace(options, pairs, f"{programs['go']} 0 8"), ["foreign"])
    refused = run([options.dscope, "-x", "threads=goroutines", "-n", "pid$target:a.out:runtime.rt0_go*:entry "
                   "{ self->x = 1; }", "-c", f"{programs['go']} 0 1"]).stderr
    expect("go, functions in assembler have no goroutine", refused, ["cannot follow goroutines at", "calling convention"])
    calls = int(os.environ.get("DSCOPE_GO_CALLS", "10000000"))
    alone = run([programs["go"], str(calls), "8"]).stdout
    started = time.monotonic()
    # A chain of calls is 100 deep, and each goroutine that makes one leaves no variable behind.
    script = ("pid$target:a.out:main.leaf:entry { @in = count(); } pid$target:a.out:main.grow:entry { self->depth++; "
              "@deep = max(self->depth); } pid$target:a.out:main.grow:return { self->depth--; @out = count(); "
              "@least = min(self->depth); } END { printa(\"in %@d\\n\", @in); printa(\"out %@d\\n\", @out); "
              "printa(\"deep %@d\\n\", @deep); printa(\"least %@d\\n\", @least); }")
    traced = run([options.dscope, "-q", "-x", "threads=goroutines", "-n", script, "-c", f"{programs['go']} {calls} 8"])
    # Each of the 8 goroutines also calls leaf() in observe().
    expect(f"go, {calls} calls while stacks grow ({time.monotonic() - started:.0f} s)", traced.stdout +
           "".join(f"stderr: {line}\n" for line in traced.stderr.splitlines()),
           [alone, f"in {calls + 8}\n", f"out {calls}\n", "deep 100\n", "least 0\n"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dscope", required=True)
    parser.add_argument("--build", required=True, help="folder for the programs")
    parser.add_argument("--rustc", default="/usr/bin/rustc")
    parser.add_argument("--go", default="/usr/bin/go")
    parser.add_argument("languages", nargs="*", help="cxx, rust, go; by default all")
    options = parser.parse_args()
    os.makedirs(options.build, exist_ok=True)
    checks = {"cxx": check_cxx, "containers": check_containers, "rust": check_rust, "go": check_go}
    for name in options.languages or checks:
        checks[name](options)
    print(f"{len(failures)} failed" if failures else "all passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
