-- Starts the language server of dscope for D scripts in Neovim. Options, before this file is read:
--   vim.g.dscope_program = "/opt/dscope/bin/dscope"   the program; "dscope" by default
--   vim.g.dscope_arguments = { "--facts=web1.facts" } more arguments behind --lsp
--   vim.g.dscope_no_lsp = true                        no server
if vim.g.dscope_no_lsp or vim.g.loaded_dscope then return end
vim.g.loaded_dscope = true

local client_id

local function start(buffer)
  local command = { vim.g.dscope_program or "dscope", "--lsp" }
  for _, argument in ipairs(vim.g.dscope_arguments or {}) do table.insert(command, argument) end
  local name = vim.api.nvim_buf_get_name(buffer)
  local config = { name = "dscope", cmd = command, root_dir = vim.fn.fnamemodify(name, ":p:h") }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  -- Before Neovim 0.8.
  if client_id == nil or vim.lsp.get_client_by_id(client_id) == nil then client_id = vim.lsp.start_client(config) end
  vim.lsp.buf_attach_client(buffer, client_id)
end

local function on_file_type(buffer)
  if vim.fn.executable(vim.g.dscope_program or "dscope") == 0 then return end
  start(buffer)
  vim.api.nvim_buf_set_option(buffer, "omnifunc", "v:lua.vim.lsp.omnifunc")
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "dtrace",
  group = vim.api.nvim_create_augroup("dscope_lsp", { clear = true }),
  callback = function(event) on_file_type(event.buf) end,
})
