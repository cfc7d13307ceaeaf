// HttpClient: sends POST requests, by libcurl, which is opened when the first client is made: installations that push
// nothing do not need it.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "support/result.h"

namespace dscope {

struct PostRequest {
  std::string url;
  std::string content_type;
  std::vector<std::string> headers;  // more of them: "Name: value"
  std::string body;
  bool is_gzip = false;  // Content-Encoding
};

struct PostResult {
  int status = 0;                       // of HTTP; 0: there was no answer
  std::string problem;                  // why there was none
  std::chrono::seconds retry_after{0};  // the header Retry-After in seconds
};

class HttpClient {
 public:
  // Error if libcurl is not installed.
  static Result<HttpClient> create();
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;
  ~HttpClient();

  // Waits for the answer, for at most max_time. Keeps the connection for the next request.
  PostResult post(const PostRequest& request);

  static constexpr std::chrono::seconds max_time{10};
  static constexpr size_t max_answer_bytes = 64 << 10;

 private:
  struct State;
  explicit HttpClient(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace dscope
