// Runs as bytes, for a pipe between the process that traces and the process that shows.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "pictures/run_sink.h"
#include "support/result.h"

namespace dscope {

using RunMessage = std::variant<RunStart, RunUpdate, RunEnd>;

// A frame: the length of the rest in 4 bytes, the kind of the message, its fields.
std::string pack_message(const RunMessage& message);

// Sends a run to `write`, which gets whole frames.
class RunStreamWriter final : public RunSink {
 public:
  explicit RunStreamWriter(std::function<void(std::string_view frame)> write) : write_(std::move(write)) {}
  void begin(RunStart start) override { write_(pack_message(std::move(start))); }
  void add(RunUpdate update) override { write_(pack_message(std::move(update))); }
  void end(RunEnd end) override { write_(pack_message(end)); }

 private:
  std::function<void(std::string_view frame)> write_;
};

// Puts frames together from pieces as a pipe delivers them.
class RunStreamReader {
 public:
  static constexpr size_t max_frame_bytes = size_t{1} << 30;

  void add(std::string_view bytes) { bytes_ += bytes; }
  // The next complete message; nothing if more bytes are needed; an error if the bytes are not of a stream.
  Result<std::optional<RunMessage>> next();

 private:
  std::string bytes_;
};

}  // namespace dscope
