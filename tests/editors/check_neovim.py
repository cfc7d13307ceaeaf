#!/usr/bin/env python3
"""Neovim with editors/vim: file type, diagnostics, completion, hover, definition, formatting, on a headless editor."""
import subprocess

from common import PROGRAM, ROOT, environment, expect, fresh_scratch, require

SCRIPT = """#!/usr/sbin/dscope -s
inline int most = 3;
syscall::open:entry
{
  x = execnam;
  y = most;
  @[exec] = count();
}
"""

LUA = r"""
local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    io.stderr:write("failed: " .. what .. "\n")
    vim.cmd("cquit 1")
  end
end
local function ask(method, line, character)
  local params = { textDocument = vim.lsp.util.make_text_document_params(0),
                   position = { line = line, character = character } }
  local replies = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, reply in pairs(replies or {}) do return reply.result end
end

wait("the file type", function() return vim.bo.filetype == "dtrace" end)
wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
print("diagnostic", vim.diagnostic.get(0)[1].code, vim.diagnostic.get(0)[1].lnum)
print("hint", (vim.diagnostic.get(0)[1].message:gsub("\n", " / ")))
local labels = {}
for _, item in ipairs(ask("textDocument/completion", 6, 8).items) do table.insert(labels, item.label) end
print("completion", table.concat(labels, ","))
print("hover", (ask("textDocument/hover", 6, 12).contents.value:gsub("\n", " / ")))
print("definition", ask("textDocument/definition", 5, 7)[1].range.start.line)
-- The fix of the first problem, as the user's menu applies it.
local actions = vim.lsp.buf_request_sync(0, "textDocument/codeAction",
  { textDocument = vim.lsp.util.make_text_document_params(0),
    range = { start = { line = 4, character = 6 }, ["end"] = { line = 4, character = 6 } },
    context = { diagnostics = {} } }, 20000)
for _, reply in pairs(actions) do
  print("action", reply.result[1].title)
  vim.lsp.util.apply_workspace_edit(reply.result[1].edit, "utf-16")
end
print("fixed", vim.fn.getline(5))
vim.fn.setline(6, "y=most;")
vim.cmd("DscopeFormat")
print("formatted", vim.fn.getline(6))
vim.fn.setline(6, "  y =   most;")
local replies = vim.lsp.buf_request_sync(0, "textDocument/formatting",
  { textDocument = vim.lsp.util.make_text_document_params(0), options = { tabSize = 2, insertSpaces = true } }, 20000)
for _, reply in pairs(replies) do vim.lsp.util.apply_text_edits(reply.result, 0, "utf-16") end
print("formatted by the server", vim.fn.getline(6))
vim.cmd("qall!")
"""

EXPECTED = [
    "diagnostic D_IDENT_UNDEF 4",
    "hint",
    "completion execname",
    "definition 1",
    "action replace `execnam` by `execname`",
    "fixed   x = execname;",
    "formatted   y = most;",
    "formatted by the server   y = most;",
]


def main():
    neovim = require("nvim")
    folder = fresh_scratch()
    (folder / "script.d").write_text(SCRIPT)
    (folder / "check.lua").write_text(LUA)
    done = subprocess.run(
        [neovim, "--headless", "-i", "NONE", "--cmd", f"set runtimepath^={ROOT / 'editors/vim'}",
         "--cmd", f"let g:dscope_program = '{PROGRAM}'", "script.d", "-c", "luafile check.lua"],
        cwd=folder, env=environment(), capture_output=True, text=True, timeout=120)
    output = (done.stdout + done.stderr).replace("\t", " ").replace("\r", "")
    print(output)
    expect(done.returncode == 0, f"the exit status of Neovim: {done.returncode}")
    for line in EXPECTED:
        expect(line in output, line)


main()
