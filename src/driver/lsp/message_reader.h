// MessageReader: splits the bytes of a client into the messages of the language server protocol: a header with
// Content-Length, an empty line, and JSON of that many bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "support/result.h"

namespace dscope {

class MessageReader {
 public:
  static constexpr size_t max_header_bytes = 8 << 10;
  static constexpr size_t max_content_bytes = size_t{64} << 20;

  void append(std::string_view bytes) { buffer_ += bytes; }

  // The next whole message; nullopt if bytes are missing. JSON that does not parse is the value `discarded`. An error
  // means that the client does not speak the protocol: what follows cannot be understood either.
  Result<std::optional<nlohmann::json>> next();

 private:
  std::string buffer_;
  std::optional<size_t> content_bytes_;  // of the message whose header was read
};

// A message with its header.
std::string frame_message(const nlohmann::json& message);

}  // namespace dscope
