#!/usr/bin/env python3
"""Decodes the files of a canned run with programs of others: check_files.py MAKE_FILES CASE...

Cases: perfetto and pprof (protoc), ctf (babeltrace2), speedscope, svg (Python's parser), npm (speedscope's schema and
pprof-format, installed with npm), browser (chromium). Exits with 77 if a program is missing.
"""
import base64
import collections
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).parent
SKIPPED = 77
NPM_PACKAGES = ["speedscope@1.25.0", "pprof-format@2.3.2"]


class Missing(Exception):
    """A program that a case needs is not installed."""


def run(*command, stdin=b""):
    if shutil.which(command[0]) is None:
        raise Missing(command[0])
    return subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def check(condition, text):
    if not condition:
        sys.exit(f"failed: {text}")


def decode(proto, message, data):
    """The text of protoc --decode as nested lists of (field, value)."""
    result = run("protoc", f"--proto_path={HERE}", f"--decode={message}", proto, stdin=data)
    check(result.returncode == 0, result.stderr.decode())
    stack = [[]]
    for line in result.stdout.decode().splitlines():
        line = line.strip()
        if line.endswith("{"):
            fields = []
            stack[-1].append((line[:-1].strip(), fields))
            stack.append(fields)
        elif line == "}":
            stack.pop()
        else:
            name, value = line.split(": ", 1)
            check(not name.isdigit(), f"an unknown field: {line}")
            stack[-1].append((name, value))
    check(len(stack) == 1, "braces of protoc do not match")
    return stack[0]


def fields(message, name):
    return [value for field, value in message if field == name]


def field(message, name, default=None):
    found = fields(message, name)
    check(len(found) <= 1, f"{name} is repeated")
    return found[0] if found else default


def plain(text):
    """A string of protoc's text format. Non-ASCII characters are octal escapes of UTF-8 bytes."""
    check(text[0] == text[-1] == '"', text)
    return text[1:-1].encode().decode("unicode_escape").encode("latin-1").decode("utf-8")


class PerfettoChecker:
    def __init__(self):
        kinds = ("event_categories", "event_names", "debug_annotation_names", "function_names", "mapping_paths",
                 "mappings", "frames", "callstacks")
        self.interned = {kind: {} for kind in kinds}
        self.samples = []
        self.tracks = {}
        self.last_time = {}
        self.open = collections.defaultdict(list)
        self.types = collections.Counter()
        self.counters = collections.defaultdict(list)
        self.slices = []
        self.texts = 0

    def packet(self, packet):
        check(field(packet, "trusted_packet_sequence_id") == "1", "a packet has no sequence")
        interned = field(packet, "interned_data", [])
        for kind, entry in interned:
            iid = field(entry, "iid")
            check(iid not in self.interned[kind], f"{iid} is interned twice")
            name = field(entry, "name")
            self.interned[kind][iid] = entry if name is None else plain(name)
        sample = field(packet, "perf_sample")
        if sample is not None:
            self.sample(packet, sample)
        descriptor = field(packet, "track_descriptor")
        if descriptor is not None:
            self.tracks[field(descriptor, "uuid")] = descriptor
            parent = field(descriptor, "parent_uuid")
            check(parent is None or parent in self.tracks, f"track {parent} does not exist")
        event = field(packet, "track_event")
        if event is not None:
            self.event(packet, event)

    def frame(self, iid):
        frame = self.interned["frames"][iid]
        mapping = self.interned["mappings"][field(frame, "mapping_id")]
        module = self.interned["mapping_paths"][field(mapping, "path_string_ids")]
        return module + "`" + self.interned["function_names"][field(frame, "function_name_id")]

    def sample(self, packet, sample):
        time, thread = int(field(packet, "timestamp")), (field(sample, "pid"), field(sample, "tid"))
        check(field(packet, "timestamp_clock_id") == "3", "a sample is not of CLOCK_MONOTONIC")
        check(time >= self.last_time.get(thread, 0), f"the time of the samples of {thread} goes back")
        self.last_time[thread] = time
        stack = self.interned["callstacks"][field(sample, "callstack_iid")]
        self.samples.append((thread, [self.frame(iid) for iid in fields(stack, "frame_ids")]))

    def event(self, packet, event):
        time, track = int(field(packet, "timestamp")), field(event, "track_uuid")
        check(field(packet, "timestamp_clock_id") == "3", "not CLOCK_MONOTONIC")
        check(track in self.tracks, f"track {track} does not exist")
        check(time >= self.last_time.get(track, 0), f"the time of track {track} goes back")
        self.last_time[track] = time
        for iid in fields(event, "category_iids"):
            check(iid in self.interned["event_categories"], f"category {iid} is not interned")
        for annotation in fields(event, "debug_annotations"):
            check(field(annotation, "name_iid") in self.interned["debug_annotation_names"], "a name is not interned")
        kind = field(event, "type")
        self.types[kind] += 1
        if kind == "TYPE_SLICE_BEGIN":
            name = self.interned["event_names"][field(event, "name_iid")]
            self.open[track].append((time, name))
        elif kind == "TYPE_SLICE_END":
            check(self.open[track], f"an end without a begin on track {track}")
            begin, name = self.open[track].pop()
            self.slices.append((name, time - begin))
        elif kind == "TYPE_COUNTER":
            check(any(name == "counter" for name, _ in self.tracks[track]), "a number on a track of events")
            self.counters[track].append(int(field(event, "counter_value")))


def check_perfetto(folder, counts):
    checker = PerfettoChecker()
    packets = decode("perfetto.proto", "Trace", (folder / "run.pftrace").read_bytes())
    check(field(packets[0][1], "sequence_flags") == "3", "the first packet does not clear the state")
    for _, packet in packets:
        checker.packet(packet)
    for track, slices in checker.open.items():
        check(not slices, f"track {track} has slices without an end: {slices}")
    snapshot = field(packets[0][1], "clock_snapshot")
    clocks = [(field(clock, "clock_id"), field(clock, "timestamp")) for clock in fields(snapshot, "clocks")]
    check(clocks == [("3", "5000000000000"), ("1", "1700000000000000000")], f"clocks: {clocks}")
    # Each row is a begin, an end or an instant; some ends are those of slices whose end was not traced.
    types = checker.types
    begins, ends, instants = (types["TYPE_" + name] for name in ("SLICE_BEGIN", "SLICE_END", "INSTANT"))
    notices = counts["faults"] + counts["drops"] + 2
    check(begins == ends, f"{begins} begins, {ends} ends")
    check(begins + instants - notices <= counts["rows"] <= begins + ends + instants - notices, f"rows: {types}")
    names = collections.Counter(name for name, _ in checker.slices)
    check(names["read"] == 240 and names["gc"] == 240, f"slices: {names}")
    check(sum(1 for name, length in checker.slices if name == "read" and length == 4000) > 100, "no read took 4 us")
    check(names["waiting"] == 40, f"slices of a variable: {names}")
    check(all(length == 3000 for name, length in checker.slices if name == "waiting"), "waiting took 3 us")
    check(len(checker.samples) == counts["stacks"], f"{len(checker.samples)} samples of {counts['stacks']} stacks")
    threads = {thread for thread, _ in checker.samples}
    check(threads == {("1022", "1022"), ("0", "0")}, f"the threads of samples: {threads}")
    stacks = {";".join(stack) for _, stack in checker.samples}
    check("server`main;server`descend_0;libc.so.6`read;vmlinux`do_syscall_64;vmlinux`ksys_read;vmlinux`vfs_read;"
          "vmlinux`copy_to_iter" in stacks, f"stacks: {sorted(stacks)[:3]}")
    check(all("`main" in stack or "[unknown]`" in stack for stack in stacks), f"stacks: {sorted(stacks)[:3]}")
    threads = [t for t in checker.tracks.values() if field(t, "thread")]
    check(len(threads) == 6, f"{len(threads)} threads")
    names = [plain(field(t, "name")) for t in checker.tracks.values() if field(t, "name")]
    check("@[execname, probefunc]: count (the 20 greatest of 45)" in names, f"tracks: {names}")
    totals = {plain(field(checker.tracks[track], "name")): numbers for track, numbers in checker.counters.items()}
    check(totals["rows that were not kept"] == [0, 17] and totals["drops"] == [0, 2], "lost data")
    latency = [track for track, t in checker.tracks.items() if field(t, "name") == '"@latency[execname]: quantize"'][0]
    last = [n[-1] for track, n in checker.counters.items() if field(checker.tracks[track], "parent_uuid") == latency]
    check(sum(last) == counts["totals"]["latency"], f"the counters of @latency end at {last}")


def check_ctf(folder, counts):
    result = run("babeltrace2", str(folder / "ctf"))
    check(result.returncode == 0, result.stderr.decode())
    lines = result.stdout.decode().splitlines()
    names = collections.Counter(re.match(r"\[\S+\] \(\+?\S+\) \S+ (\S+): ", line).group(1) for line in lines)
    check(names["dscope:fault"] == counts["faults"] and names["dscope:drop"] == counts["drops"], f"events: {names}")
    check(len(lines) == counts["rows"] + counts["faults"] + counts["drops"], f"{len(lines)} events")
    times = [line[1:line.index("]")] for line in lines]
    check(times == sorted(times), "times go back")
    discarded = sum(int(n) for n in re.findall(r"discarded (\d+) events", result.stderr.decode()))
    check(discarded == counts["discarded"], f"{discarded} discarded events")
    stream = (folder / "ctf/stream").read_bytes()
    # A crash of the consumer leaves whole packets: cut after the first ones.
    size = 0
    for _ in range(3):
        size += int.from_bytes(stream[size + 32:size + 40], "little") // 8
    (folder / "ctf/stream").write_bytes(stream[:size])
    check(run("babeltrace2", str(folder / "ctf")).returncode == 0, "the cut stream is not readable")
    (folder / "ctf/stream").write_bytes(stream)


def check_pprof(folder, counts):
    profile = decode("profile.proto", "Profile", gzip.decompress((folder / "run.pb.gz").read_bytes()))
    strings = [plain(text) for text in fields(profile, "string_table")]
    check(strings[0] == "" and len(set(strings)) == len(strings), "the string table")
    functions = {field(f, "id"): strings[int(field(f, "name"))] for f in fields(profile, "function")}
    mappings = {field(m, "id"): strings[int(field(m, "filename"))] for m in fields(profile, "mapping")}
    locations = {}
    for location in fields(profile, "location"):
        check(field(location, "mapping_id") in mappings, "a mapping does not exist")
        locations[field(location, "id")] = functions[field(field(location, "line"), "function_id")]
    types = [strings[int(field(t, "type"))] for t in fields(profile, "sample_type")]
    check(types == ["@samples"], f"sample types: {types}")
    total, labels = 0, collections.Counter()
    for sample in fields(profile, "sample"):
        stack = [locations[i] for i in fields(sample, "location_id")]
        check("server`main" == stack[-1], f"the outermost frame is the last: {stack}")
        check(len(fields(sample, "value")) == 1, "one value per sample type")
        total += int(fields(sample, "value")[0])
        for label in fields(sample, "label"):
            labels[strings[int(field(label, "key"))], strings[int(field(label, "str"))]] += 1
    check(total == counts["totals"]["samples"], f"sum {total}")
    check(set(labels) == {("execname", name) for name in ("nginx", "postgres", "<script>alert(1)</script>")}, labels)
    check(field(profile, "period") == str(10**9 // 997), "the period of profile-997")
    check(field(profile, "time_nanos") == str(1700000000 * 10**9), "the time of the start")
    check(field(profile, "duration_nanos") == str(41 * 10**9), "the duration")


def check_speedscope(folder, counts):
    data = json.loads((folder / "run.speedscope.json").read_text("utf-8"))
    frames = data["shared"]["frames"]
    check(len({f["name"] for f in frames}) == len(frames), "frames are repeated")
    check([p["name"] for p in data["profiles"]] == ["@samples[execname, stack(), ustack()]: count"], "profiles")
    for profile in data["profiles"]:
        check(profile["type"] == "sampled" and len(profile["samples"]) == len(profile["weights"]), "samples")
        check(all(frame < len(frames) for sample in profile["samples"] for frame in sample), "a frame does not exist")
        check(sum(profile["weights"]) == profile["endValue"] == counts["totals"]["samples"], "weights")
    names = [frames[i]["name"] for i in data["profiles"][0]["samples"][0]]
    check(names[0] == "<script>alert(1)</script>", f"the first key is outermost: {names}")


def check_svg(folder, counts):
    text = (folder / "run.svg").read_text("utf-8")
    root = ElementTree.fromstring(text)
    svg = "{http://www.w3.org/2000/svg}"
    check(root.tag == svg + "svg", root.tag)
    check(len(root.findall(f".//{svg}script")) == 1, "a script was injected")
    check(not re.search(r"\b(?:href|src|onload|onclick)\s*=", text.split("<script", 1)[0]), "a reference or a handler")
    check("http" not in text.replace("http://www.w3.org/", "").replace("http.c", ""), "a reference")
    titles = [title.text for title in root.iter(svg + "title")]
    check(any(t.startswith(f"all: {counts['totals']['samples']:,} ") for t in titles), "the sum of the flame graph")
    check(f"{counts['totals']['latency']:,} values" in text, "the sum of the distribution")
    xmllint = shutil.which("xmllint")
    if xmllint:
        result = run(xmllint, "--noout", "--nonet", str(folder / "run.svg"))
        check(result.returncode == 0, result.stderr.decode())


# The actions of a reader: searches, zooms into a frame, resets.
BROWSER_SCRIPT = """
const frames = () => [...document.querySelectorAll(".flame > g")].filter(g => !g.classList.contains("away"));
const named = start => frames().find(g => g.querySelector("title").textContent.startsWith(start));
const rect = g => ["x", "width"].map(name => Math.round(g.querySelector("rect").getAttribute(name)));
const input = document.querySelector("input"), result = {};
result.frames = frames().length;
window.dispatchEvent(new KeyboardEvent("keydown", {key: "f", ctrlKey: true}));
result.focus = document.activeElement === input;
input.value = "^server`main$|call_44";
input.dispatchEvent(new Event("input"));
result.found = document.querySelector(".found").textContent;
result.hits = document.querySelectorAll(".hit").length;
input.value = "(";
input.dispatchEvent(new Event("input"));
named("postgres:").dispatchEvent(new MouseEvent("click"));
result.zoomed = frames().length;
result.wide = [rect(named("all:")), rect(named("postgres:"))];
result.others = named("nginx:") === undefined;
window.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
result.reset = frames().length;
result.marked = document.querySelectorAll(".hit").length;
document.documentElement.setAttribute("data-result", JSON.stringify(result));
"""


def dom_of(folder, address):
    """The page and the log of Chromium after its scripts have run."""
    result = run("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader",
                 "--allow-file-access-from-files", "--virtual-time-budget=5000", "--enable-logging=stderr",
                 "--dump-dom", f"--user-data-dir={folder}/chromium", address)
    return result.stdout.decode(), result.stderr.decode()


def check_browser(folder, counts):
    page = folder / "driven.svg"
    script = f"<script><![CDATA[{BROWSER_SCRIPT}]]></script></svg>"
    page.write_text((folder / "run.svg").read_text("utf-8").replace("</svg>", script), "utf-8")
    dom, log = dom_of(folder, f"file://{page}")
    found = re.search(r'data-result="([^"]*)"', dom)
    check(found, f"the script failed: {log[-2000:]}")
    check("CONSOLE" not in log, log[-2000:])
    seen = json.loads(found.group(1).replace("&quot;", '"'))
    check(seen["focus"], "Ctrl-F does not focus the field")
    # server`main is in every stack, once for each of three programs.
    check(seen["found"] == "matched: 100.0 %" and seen["hits"] == 4, f"search: {seen}")
    check(seen["wide"] == [[16, 1168], [16, 1168]] and seen["others"], f"zoom: {seen}")
    check(seen["zoomed"] < seen["frames"], f"zoom: {seen}")
    check(seen["reset"] == seen["frames"] and seen["marked"] == 0, f"reset: {seen}")


def node_modules(scratch):
    given = os.environ.get("DSCOPE_NODE_MODULES")
    if given:
        return pathlib.Path(given)
    if run("npm", "install", "--prefix", str(scratch), "--no-audit", "--no-fund", *NPM_PACKAGES).returncode != 0:
        raise Missing(" ".join(NPM_PACKAGES))
    return scratch / "node_modules"


def check_npm(folder, counts):
    modules = node_modules(folder / "npm")
    try:
        import jsonschema
    except ImportError as error:
        raise Missing("python3-jsonschema") from error
    schema = json.loads((modules / "speedscope/dist/release/file-format-schema.json").read_text("utf-8"))
    jsonschema.validate(json.loads((folder / "run.speedscope.json").read_text("utf-8")), schema)
    script = """
      const {Profile} = require(process.argv[1] + '/pprof-format');
      const data = require('zlib').gunzipSync(require('fs').readFileSync(process.argv[2]));
      const profile = Profile.decode(data);
      console.log(profile.sample.map(s => Number(s.value[0])).reduce((a, b) => a + b));"""
    result = run("node", "-e", script, str(modules), str(folder / "run.pb.gz"))
    check(result.returncode == 0, result.stderr.decode())
    check(int(result.stdout) == counts["totals"]["samples"], f"pprof-format's sum: {result.stdout}")
    # speedscope itself, if there is a browser: it loads a local file as its command does.
    if shutil.which("chromium"):
        data = base64.b64encode((folder / "run.speedscope.json").read_bytes()).decode()
        (folder / "profile.js").write_text(f'speedscope.loadFileFromBase64("run.json", "{data}")')
        page = modules.resolve() / "speedscope/dist/release/index.html"
        dom, log = dom_of(folder, f"file://{page}#localProfilePath={folder}/profile.js")
        check("@samples[execname, stack(), ustack()]: count" in dom, f"speedscope did not load the file: {log[-2000:]}")


def main():
    make_files, cases = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="dscope-pictures.", ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        for copy in "ab":
            result = run(make_files, str(folder / copy))
            check(result.returncode == 0, result.stderr.decode())
        for path in sorted((folder / "a").rglob("*")):
            same = path.is_dir() or path.read_bytes() == (folder / "b" / path.relative_to(folder / "a")).read_bytes()
            check(same, f"{path.name} differs between two runs")
        counts = json.loads((folder / "a/counts.json").read_text())
        for case in cases:
            try:
                globals()["check_" + case](folder / "a", counts)
            except Missing as error:
                print(f"skipped: {case} needs {error}")
                sys.exit(SKIPPED)


main()
