#include "driver/lsp/message_reader.h"

#include <charconv>

#include "support/text/word_list.h"
#include "support/text/words.h"

namespace dscope {

namespace {

// The value of Content-Length in a header without the empty line.
Result<size_t> content_length(std::string_view header) {
  std::optional<size_t> length;
  while (!header.empty()) {
    std::string_view line = split_front(header, "\r\n");
    size_t colon = line.find(':');
    if (colon == std::string_view::npos) return fail(Error("a header line of the client has no colon"));
    if (!equals_ignoring_case(line.substr(0, colon), "Content-Length")) continue;
    std::string_view value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    size_t number = 0;
    auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc{} || end != value.data() + value.size())
      return fail(Error("the Content-Length of the client is not a number"));
    length = number;
  }
  if (!length) return fail(Error("the client sent no Content-Length"));
  if (*length > MessageReader::max_content_bytes)
    return fail(Error::make("the client sent a message of {} bytes; the limit is {}", *length,
                            MessageReader::max_content_bytes));
  return *length;
}

}  // namespace

Result<std::optional<nlohmann::json>> MessageReader::next() {
  if (!content_bytes_) {
    size_t end = buffer_.find("\r\n\r\n");
    if (end == std::string::npos && buffer_.size() > max_header_bytes)
      return fail(Error("the client sent no header: --lsp speaks the language server protocol"));
    if (end == std::string::npos) return std::nullopt;
    DS_TRY(content_bytes_, content_length(std::string_view(buffer_).substr(0, end)));
    buffer_.erase(0, end + 4);
  }
  if (buffer_.size() < *content_bytes_) return std::nullopt;
  std::string content = buffer_.substr(0, *content_bytes_);
  buffer_.erase(0, *content_bytes_);
  content_bytes_.reset();
  return nlohmann::json::parse(content, nullptr, /*allow_exceptions=*/false);
}

std::string frame_message(const nlohmann::json& message) {
  std::string content = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
}

}  // namespace dscope
