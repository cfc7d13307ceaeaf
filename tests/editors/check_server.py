#!/usr/bin/env python3
"""Speaks to `dscope --lsp` on this machine as an editor does: a script is opened, changed and asked about."""
import json
import subprocess

from common import PROGRAM, expect

TEXT = "syscall::open:entry\n{\n  @[execnam] = count();\n}\n"
URI = "file:///tmp/dscope-editors-test.d"


class Client:
    def __init__(self):
        self.process = subprocess.Popen([PROGRAM, "--lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        expect(length > 0, "the server closed its output")
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (reply := self.receive()).get("id") != self.number:
            pass
        expect("result" in reply, f"{method}: {reply}")
        return reply["result"]

    def problems(self):
        while (message := self.receive()).get("method") != "textDocument/publishDiagnostics":
            pass
        return message["params"]["diagnostics"]


def at(line, character):
    return {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}


def main():
    client = Client()
    client.request("initialize", {"capabilities": {}, "processId": None, "rootUri": None})
    client.send({"method": "initialized", "params": {}})
    client.send({"method": "textDocument/didOpen",
                 "params": {"textDocument": {"uri": URI, "languageId": "dtrace", "version": 1, "text": TEXT}}})
    problems = client.problems()
    expect([problem["code"] for problem in problems] == ["D_IDENT_UNDEF"], problems)
    actions = client.request("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": problems[0]["range"],
                                                          "context": {"diagnostics": problems}})
    edit = actions[0]["edit"]["changes"][URI][0]
    expect(edit["newText"] == "execname", actions)
    client.send({"method": "textDocument/didChange",
                 "params": {"textDocument": {"uri": URI, "version": 2},
                            "contentChanges": [{"range": edit["range"], "text": edit["newText"]}]}})
    expect(client.problems() == [], "the fix mends the script")
    names = [item["label"] for item in client.request("textDocument/completion", at(0, 11))["items"]]
    expect("open" in names and "openat" in names, names)
    hover = client.request("textDocument/hover", at(0, 3))
    expect("1 probe matches" in hover["contents"]["value"], hover)
    expect("Name of the running program" in client.request("textDocument/hover", at(2, 8))["contents"]["value"], "hover")
    expect(client.request("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}}) == [], "formatting")
    # A probe that this machine lacks is a warning, and its field is replaced.
    client.send({"method": "textDocument/didChange",
                 "params": {"textDocument": {"uri": URI, "version": 3},
                            "contentChanges": [{"text": "syscall::opne:entry { }\n"}]}})
    problems = client.problems()
    expect([problem["severity"] for problem in problems] == [2], problems)
    actions = client.request("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": problems[0]["range"],
                                                          "context": {"diagnostics": problems}})
    expect([action["title"] for action in actions] == ["replace `opne` by `open`"], actions)
    client.request("shutdown", None)
    client.send({"method": "exit"})
    expect(client.process.wait() == 0, "the exit status")


main()
