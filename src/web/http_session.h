// HttpSession: one request and its response, which may come later.
#pragma once

#include <memory>
#include <utility>

#include "web/event_stream.h"
#include "web/http_message.h"

namespace dscope {

class HttpSession {
 public:
  // `has_work`: set when the server must run to send something.
  HttpSession(MHD_Connection* connection, std::shared_ptr<bool> has_work)
      : connection_(connection), has_work_(std::move(has_work)) {}
  ~HttpSession();

  const HttpRequest& request() const { return request_; }
  // Call one of these once, now or later. A client that has gone makes them do nothing.
  void answer(HttpResponse response);
  std::shared_ptr<EventStream> answer_with_events();

  bool is_streaming() const { return stream_ != nullptr; }

  // For HttpServer.
  HttpRequest& received() { return request_; }
  bool is_answered() const { return response_ != nullptr; }
  // Waits for the answer.
  void suspend();
  // Gives the response to the connection. False: close the connection.
  bool deliver();
  // The connection has ended.
  void disconnect();
  // Ends a stream, and answers what still waits, so that the server can stop.
  void end();

 private:
  void set_response(MHD_Response* response);

  MHD_Connection* connection_;  // null: has ended
  std::shared_ptr<bool> has_work_;
  HttpRequest request_;
  MHD_Response* response_ = nullptr;
  int status_ = 200;
  bool is_suspended_ = false;
  std::shared_ptr<EventStream> stream_;
};

}  // namespace dscope
