#include "driver/live/run_receiver.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace dscope {

namespace {

constexpr size_t max_message_bytes = size_t{64} * 1024;

}  // namespace

void RunReceiver::apply(RunMessage message) {
  if (auto* start = std::get_if<RunStart>(&message)) {
    model_.emplace(std::move(*start), limits_);
  } else if (model_) {
    is_attached_ = true;
    auto* update = std::get_if<RunUpdate>(&message);
    if (update != nullptr && on_rows_ && !update->rows.empty()) on_rows_(*model_, update->rows);
    if (update != nullptr) model_->add(std::move(*update));
    else model_->end(std::get<RunEnd>(message));
  }
}

bool RunReceiver::receive() {
  receive_messages();
  std::array<char, 65536> piece;
  while (run_) {
    ssize_t count = ::read(run_.get(), piece.data(), piece.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (count <= 0) run_ = {};
    else reader_.add({piece.data(), static_cast<size_t>(count)});
  }
  bool has_changed = false;
  for (;;) {
    auto message = reader_.next();
    if (!message) {
      text_ += message.error().message() + "\n";
      run_ = {};
    }
    if (!message || !*message) break;
    apply(std::move(**message));
    has_changed = true;
  }
  if (has_ended()) receive_messages();
  return has_changed;
}

void RunReceiver::receive_messages() {
  std::array<char, 4096> piece;
  while (messages_) {
    ssize_t count = ::read(messages_.get(), piece.data(), piece.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) messages_ = {};
    else text_.append(piece.data(), static_cast<size_t>(count));
    if (text_.size() > max_message_bytes) text_.erase(0, text_.size() - max_message_bytes);
  }
}

}  // namespace dscope
