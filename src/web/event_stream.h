// EventStream: a response that never ends: server-sent events (HTML standard, 9.2). Used by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

struct MHD_Connection;
struct MHD_Response;

namespace dscope {

class EventStream {
 public:
  static constexpr size_t max_waiting_bytes = size_t{4} << 20;

  // `connection` has asked for the stream. `has_work`: set when the server must run to send something.
  EventStream(MHD_Connection* connection, std::shared_ptr<bool> has_work)
      : connection_(connection), has_work_(std::move(has_work)) {}

  // Sends an event. False if it was dropped: the client has gone, or reads so slowly that max_waiting_bytes wait.
  bool send(std::string_view event, std::string_view data);
  // A comment, which clients ignore: finds out whether the client is still there.
  void send_comment();
  // Ends the response after what has been sent.
  void close();

  bool is_open() const { return connection_ != nullptr && !is_closed_; }
  uint64_t dropped_events() const { return dropped_events_; }

  // For HttpServer: reads the stream for the connection. Suspends the connection if nothing waits.
  ptrdiff_t read(char* buffer, size_t size);
  // The connection has ended.
  void disconnect() { connection_ = nullptr; }

 private:
  void append(std::string_view bytes);

  MHD_Connection* connection_;  // null: has ended
  std::shared_ptr<bool> has_work_;
  std::string waiting_;
  bool is_suspended_ = false;
  bool is_closed_ = false;
  uint64_t dropped_events_ = 0;
};

}  // namespace dscope
