// The language server: the bytes are what a client sends. If they do not begin with a header, they are a D text that
// the client opens, and the fuzzer asks about its end.
#include <cstddef>
#include <cstdint>
#include <string>

#include "driver/lsp/language_server.h"
#include "driver/lsp/message_reader.h"
#include "tests/support/fake_host.h"

namespace {

using nlohmann::json;

dscope::LanguageServer make_server() {
  dscope::LanguageServer server({}, [] { return std::make_unique<dscope::FakeHost>(); });
  server.handle({{"id", 0}, {"method", "initialize"}, {"params", json::object()}});
  return server;
}

void speak(std::string_view bytes) {
  dscope::LanguageServer server = make_server();
  dscope::MessageReader reader;
  reader.append(bytes);
  for (;;) {
    auto message = reader.next();
    if (!message || !*message) return;
    for (const json& reply : server.handle(**message)) dscope::frame_message(reply);
    for (int checks = 0; server.has_unchecked_documents() && checks < 4; ++checks) server.check_next_document();
  }
}

void edit(const std::string& text) {
  dscope::LanguageServer server = make_server();
  const json document = {{"uri", "file:///t.d"}};
  json opened = document;
  opened["text"] = text;
  server.handle({{"method", "textDocument/didOpen"}, {"params", {{"textDocument", opened}}}});
  json end = {{"line", 1 << 20}, {"character", 0}};
  for (const char* method : {"completion", "hover", "definition", "signatureHelp", "documentSymbol"})
    server.handle({{"id", 1},
                   {"method", std::string("textDocument/") + method},
                   {"params", {{"textDocument", document}, {"position", end}}}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("Content-Length")) speak(bytes);
  else edit(std::string(bytes));
  return 0;
}
