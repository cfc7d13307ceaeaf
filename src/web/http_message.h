// Requests and responses of HTTP as plain data.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dscope {

struct HttpRequest {
  std::string method;                          // "GET"
  std::string path;                            // "/metrics", without the query
  std::map<std::string, std::string> query;    // decoded
  std::map<std::string, std::string> headers;  // names in lower case; the last one of equal names
  std::string body;

  // The value of a header, or of a parameter of the query; "" if there is none. `name` of headers: in lower case.
  const std::string& header(const std::string& name) const { return value_in(headers, name); }
  const std::string& parameter(const std::string& name) const { return value_in(query, name); }

 private:
  static const std::string& value_in(const std::map<std::string, std::string>& values, const std::string& name) {
    static const std::string none;
    auto found = values.find(name);
    return found == values.end() ? none : found->second;
  }
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // besides Content-Type and Content-Length
};

inline HttpResponse text_response(int status, std::string text) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(text) + "\n", .headers = {}};
}

}  // namespace dscope
