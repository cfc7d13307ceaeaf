// Input and output of the language server.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "driver/lsp/language_server.h"
#include "driver/lsp/message_reader.h"

namespace dscope {

namespace {

// While the user types, each key is a change: problems are looked for when the keyboard rests.
constexpr int check_delay_ms = 100, prepare_delay_ms = 300;

Result<> write_all(int output, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(output, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(Error::from_errno(errno, "cannot write to the client"));
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

// Whether the client sends something within the time; -1: waits without limit.
bool has_input(int input, int timeout_ms) {
  pollfd waited{.fd = input, .events = POLLIN, .revents = 0};
  int ready = 0;
  do ready = ::poll(&waited, 1, timeout_ms);
  while (ready < 0 && errno == EINTR);
  return ready != 0;
}

// Handles all whole messages.
Result<> handle_messages(LanguageServer& server, MessageReader& reader, int output) {
  for (;;) {
    DS_TRY(std::optional<nlohmann::json> message, reader.next());
    if (!message) return {};
    for (const nlohmann::json& reply : server.handle(*message)) DS_TRY_VOID(write_all(output, frame_message(reply)));
    if (server.exit_status()) return {};
  }
}

}  // namespace

Result<int> run_language_server(LanguageServer& server, int input, int output) {
  MessageReader reader;
  std::array<char, 65536> bytes{};
  for (;;) {
    int delay = server.has_unchecked_documents() ? check_delay_ms : server.is_prepared() ? -1 : prepare_delay_ms;
    if (!has_input(input, delay)) {
      if (server.has_unchecked_documents()) DS_TRY_VOID(write_all(output, frame_message(server.check_next_document())));
      else server.prepare();
      continue;
    }
    ssize_t length = ::read(input, bytes.data(), bytes.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return fail(Error::from_errno(errno, "cannot read from the client"));
    if (length == 0) return server.exit_status().value_or(1);
    reader.append({bytes.data(), static_cast<size_t>(length)});
    DS_TRY_VOID(handle_messages(server, reader, output));
    if (server.exit_status()) return *server.exit_status();
  }
}

}  // namespace dscope
