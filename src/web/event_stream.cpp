#include "web/event_stream.h"

#include <microhttpd.h>

#include <algorithm>
#include <cstring>

namespace dscope {

bool EventStream::send(std::string_view event, std::string_view data) {
  if (!is_open()) return false;
  if (waiting_.size() + data.size() > max_waiting_bytes) {
    ++dropped_events_;
    return false;
  }
  std::string text = "event: " + std::string{event} + "\n";
  for (;;) {
    size_t end = data.find('\n');
    text += "data: " + std::string{data.substr(0, end)} + "\n";
    if (end == data.npos) break;
    data.remove_prefix(end + 1);
  }
  append(text + "\n");
  return true;
}

void EventStream::send_comment() {
  if (is_open() && waiting_.empty()) append(":\n\n");
}

void EventStream::close() {
  is_closed_ = true;
  append({});
}

void EventStream::append(std::string_view bytes) {
  waiting_ += bytes;
  if (connection_ == nullptr || !is_suspended_) return;
  is_suspended_ = false;
  *has_work_ = true;
  MHD_resume_connection(connection_);
}

ptrdiff_t EventStream::read(char* buffer, size_t size) {
  if (waiting_.empty()) {
    if (is_closed_) return MHD_CONTENT_READER_END_OF_STREAM;
    is_suspended_ = true;
    MHD_suspend_connection(connection_);
    return 0;
  }
  size_t count = std::min(size, waiting_.size());
  std::memcpy(buffer, waiting_.data(), count);
  waiting_.erase(0, count);
  return static_cast<ptrdiff_t>(count);
}

}  // namespace dscope
