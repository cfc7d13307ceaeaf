#include "driver/lsp/language_server.h"

#include <algorithm>

#include "driver/command_line/command_line.h"
#include "driver/lsp/protocol.h"
#include "frontend/format/format.h"
#include "support/catch_exceptions.h"

namespace dscope {

namespace {

using nlohmann::json;

// Error codes of JSON-RPC and LSP.
constexpr int parse_error = -32700, invalid_request = -32600, method_not_found = -32601, invalid_params = -32602,
              internal_error = -32603, not_initialized = -32002, request_failed = -32803;

// Larger texts are not scripts: the answers would take too long.
constexpr size_t max_document_bytes = size_t{4} << 20;

struct RequestError {
  int code;
  std::string message;
};

json error_reply(const json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

json notification(const char* method, json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

json show_message(const std::string& text) {
  return notification("window/showMessage", {{"type", 2}, {"message", text}});
}

}  // namespace

std::vector<json> LanguageServer::handle(const json& message) {
  std::vector<json> replies;
  bool is_request = message.is_object() && message.contains("id");
  json id = is_request ? message["id"] : json();
  bool has_method = message.is_object() && message.contains("method") && message["method"].is_string();
  if (message.is_discarded()) return {error_reply(json(), parse_error, "the message is not JSON")};
  if (!has_method) {
    bool is_response = message.is_object() && (message.contains("result") || message.contains("error"));
    if (is_response) return {};  // the server sends no requests
    return {error_reply(id, invalid_request, "the message is no request")};
  }
  std::string method = message["method"];
  json params = message.contains("params") ? message["params"] : json::object();
  json reply;
  try {
    if (is_request) reply = {{"jsonrpc", "2.0"}, {"id", id}, {"result", answer(method, params)}};
    else notify(method, params);
  } catch (const RequestError& error) {
    reply = error_reply(id, error.code, error.message);
  } catch (const json::exception& error) {
    reply = error_reply(id, invalid_params, error.what());
  } catch (const std::exception& error) {
    reply = error_reply(id, internal_error, error.what());
  }
  replies.swap(notices_);
  if (is_request) replies.push_back(std::move(reply));
  return replies;
}

json LanguageServer::answer(const std::string& method, const json& params) {
  if (method == "initialize") return initialize();
  if (!is_initialized_) throw RequestError{not_initialized, "the client has not sent `initialize`"};
  if (is_shut_down_) throw RequestError{invalid_request, "the server is shut down"};
  if (method == "shutdown") {
    is_shut_down_ = true;
    return nullptr;
  }
  using Handler = json (LanguageServer::*)(const json&);
  static const std::map<std::string_view, Handler> handlers = {
      {"textDocument/completion", &LanguageServer::complete},
      {"textDocument/hover", &LanguageServer::hover},
      {"textDocument/definition", &LanguageServer::definition},
      {"textDocument/signatureHelp", &LanguageServer::signature_help},
      {"textDocument/documentSymbol", &LanguageServer::symbols},
      {"textDocument/formatting", &LanguageServer::format},
      {"textDocument/codeAction", &LanguageServer::code_actions},
  };
  auto handler = handlers.find(method);
  if (handler == handlers.end()) throw RequestError{method_not_found, "unknown method " + method};
  return (this->*handler->second)(params);
}

void LanguageServer::notify(const std::string& method, const json& params) {
  if (method == "exit") exit_status_ = is_shut_down_ ? 0 : 1;
  if (!is_initialized_) return;
  if (method == "textDocument/didOpen") open(params);
  else if (method == "textDocument/didChange") change(params);
  else if (method == "textDocument/didClose") close(params);
}

json LanguageServer::initialize() {
  is_initialized_ = true;
  json capabilities = {
      {"positionEncoding", "utf-16"},
      {"textDocumentSync", {{"openClose", true}, {"change", 2}}},
      {"completionProvider", {{"triggerCharacters", {":", ">", ".", "@", "$", "="}}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
      {"documentSymbolProvider", true},
      {"documentFormattingProvider", true},
      {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
  };
  return {{"capabilities", capabilities}, {"serverInfo", {{"name", "dscope"}, {"version", release_name()}}}};
}

// ---------------------------------------------------------------- documents

const LanguageServer::OpenDocument& LanguageServer::document_of(const json& params) const {
  auto found = documents_.find(params.at("textDocument").at("uri").get<std::string>());
  if (found == documents_.end()) throw RequestError{invalid_params, "the document is not open"};
  return found->second;
}

void LanguageServer::open(const json& params) {
  const json& item = params.at("textDocument");
  std::string uri = item.at("uri"), text = item.at("text");
  if (text.size() > max_document_bytes) {
    notices_.push_back(show_message("dscope: the document is too large for the language server"));
    return;
  }
  documents_[uri] = {.document = Document(path_of_uri(uri), std::move(text)),
                     .problems = {},
                     .version = item.value("version", int64_t{0})};
  if (std::ranges::count(unchecked_, uri) == 0) unchecked_.push_back(std::move(uri));
}

void LanguageServer::change(const json& params) {
  std::string uri = params.at("textDocument").at("uri");
  auto found = documents_.find(uri);
  if (found == documents_.end()) return;
  OpenDocument& open = found->second;
  open.version = params.at("textDocument").value("version", open.version);
  for (const json& change : params.at("contentChanges")) {
    std::string text = change.at("text");
    size_t size = open.document.text().size() + text.size();
    if (size > 2 * max_document_bytes) {
      documents_.erase(found);
      notices_.push_back(show_message("dscope: the document is too large for the language server"));
      return;
    }
    if (change.contains("range"))
      open.document.edit(position_from(change["range"].at("start")), position_from(change["range"].at("end")), text);
    else open.document = Document(open.document.path(), std::move(text));
  }
  if (std::ranges::count(unchecked_, uri) == 0) unchecked_.push_back(std::move(uri));
}

void LanguageServer::close(const json& params) {
  std::string uri = params.at("textDocument").at("uri");
  documents_.erase(uri);
  std::erase(unchecked_, uri);
  // Editors keep the problems of a closed document otherwise.
  notices_.push_back(notification("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", json::array()}}));
}

json LanguageServer::check_next_document() {
  std::string uri = unchecked_.front();
  unchecked_.erase(unchecked_.begin());
  json diagnostics = json::array();
  json params = {{"uri", uri}};
  auto found = documents_.find(uri);
  if (found != documents_.end()) {
    OpenDocument& open = found->second;
    open.problems = service_.check(open.document.path(), open.document.text());
    for (const Problem& problem : open.problems) diagnostics.push_back(to_json(problem, open.document));
    params["version"] = open.version;
  }
  params["diagnostics"] = std::move(diagnostics);
  return notification("textDocument/publishDiagnostics", std::move(params));
}

// ---------------------------------------------------------------- requests

json LanguageServer::complete(const json& params) {
  const Document& document = document_of(params).document;
  uint32_t offset = document.offset_of(position_from(params.at("position")));
  return to_json(service_.complete(document.path(), document.text(), offset), document);
}

json LanguageServer::hover(const json& params) {
  const Document& document = document_of(params).document;
  uint32_t offset = document.offset_of(position_from(params.at("position")));
  std::optional<HoverText> text = service_.hover(document.path(), document.text(), offset);
  return text ? to_json(*text, document) : json(nullptr);
}

json LanguageServer::definition(const json& params) {
  const Document& document = document_of(params).document;
  uint32_t offset = document.offset_of(position_from(params.at("position")));
  json locations = json::array();
  for (const DefinitionPlace& target : service_.find_definition(document.path(), document.text(), offset)) {
    bool is_own = target.path == document.path();
    Document other(target.path, target.text);
    std::string uri = is_own ? params.at("textDocument").at("uri").get<std::string>() : uri_of_path(target.path);
    locations.push_back({{"uri", uri}, {"range", to_json(target.range, other)}});
  }
  return locations;
}

json LanguageServer::signature_help(const json& params) {
  const Document& document = document_of(params).document;
  uint32_t offset = document.offset_of(position_from(params.at("position")));
  std::optional<Signature> signature = service_.signature(document.text(), offset);
  return signature ? to_json(*signature) : json(nullptr);
}

json LanguageServer::symbols(const json& params) {
  const Document& document = document_of(params).document;
  return to_symbols(scan(document.text(), OnBrokenText::Skip), document);
}

json LanguageServer::format(const json& params) {
  const Document& document = document_of(params).document;
  Result<std::string> formatted = format_source(document.text());
  if (!formatted) throw RequestError{request_failed, formatted.error().message()};
  if (*formatted == document.text()) return json::array();
  SourceRange all{0, static_cast<uint32_t>(document.text().size())};
  return json::array({{{"range", to_json(all, document)}, {"newText", *formatted}}});
}

json LanguageServer::code_actions(const json& params) {
  const OpenDocument& open = document_of(params);
  const Document& document = open.document;
  const json& asked = params.at("range");
  uint32_t begin = document.offset_of(position_from(asked.at("start")));
  uint32_t end = document.offset_of(position_from(asked.at("end")));
  json actions = json::array();
  for (const Problem& problem : service_.check(document.path(), document.text())) {
    if (problem.range.end < begin || problem.range.begin > end) continue;
    for (const QuickFix& fix : service_.quick_fixes(document.path(), document.text(), problem))
      actions.push_back(to_json(fix, problem, document, params.at("textDocument").at("uri").get<std::string>()));
  }
  return actions;
}

}  // namespace dscope
