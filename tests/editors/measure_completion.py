#!/usr/bin/env python3
"""Prints how long `dscope --lsp` takes to answer: usage: measure_completion.py DSCOPE [ARGUMENT...] (such as --facts=FILE)"""
import json
import subprocess
import sys
import time

URI = "file:///tmp/measured.d"
LINES = {
    "provider": "sy", "function": "fbt::vfs_", "functions, all": "fbt::", "name": "fbt::vfs_read:", "any provider": "::tcp_",
    "name of D": "BEGIN { x = exec", "kernel member": "BEGIN { x = curthread->mm->", "translated member": "proc:::exec-success { x = curpsinfo->pr_",
    "typed argument": "io:::start { x = args[0]->b_", "option": "#pragma D option str",
}


class Client:
    def __init__(self, arguments):
        self.process = subprocess.Popen([arguments[0], "--lsp", *arguments[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def send(self, message):
        text = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def request(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            length = int(self.process.stdout.readline().split(b":")[1])
            self.process.stdout.readline()
            reply = json.loads(self.process.stdout.read(length))
            if reply.get("id") == self.number:
                return reply["result"]

    def open(self, text):
        self.send({"jsonrpc": "2.0", "method": "textDocument/didOpen",
                   "params": {"textDocument": {"uri": URI, "languageId": "dtrace", "version": 1, "text": text}}})


def main():
    client = Client(sys.argv[1:])
    client.request("initialize", {"capabilities": {}})
    client.open(":::")
    start = time.monotonic()
    print(client.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 1}})
          ["contents"]["value"].splitlines()[4], f"(index: {(time.monotonic() - start) * 1000:.0f} ms)")
    everything = []
    for name, text in LINES.items():
        times = []
        for i in range(20):
            # Another text each time: answers are kept for the same one.
            client.open("/*" + " " * i + "*/" + text)
            start = time.monotonic()
            items = client.request("textDocument/completion",
                                   {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 10000}})["items"]
            times.append((time.monotonic() - start) * 1000)
        times.sort()
        everything += times
        print(f"{name:20} {len(items):4} items, median {times[10]:7.1f} ms, p95 {times[18]:7.1f} ms")
    everything.sort()
    print(f"all: p95 {everything[len(everything) * 95 // 100]:.1f} ms")


main()
