#include "web/http_client.h"

#include <curl/curl.h>

#include <algorithm>

#include "support/shared_library.h"

namespace dscope {

// The functions of libcurl.
struct Curl {
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_perform) easy_perform = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;

  bool resolve(const SharedLibrary& library) {
    return library && library.resolve("curl_easy_init", easy_init) &&
           library.resolve("curl_easy_setopt", easy_setopt) && library.resolve("curl_easy_perform", easy_perform) &&
           library.resolve("curl_easy_getinfo", easy_getinfo) && library.resolve("curl_easy_cleanup", easy_cleanup) &&
           library.resolve("curl_easy_strerror", easy_strerror) && library.resolve("curl_slist_append", slist_append) &&
           library.resolve("curl_slist_free_all", slist_free_all);
  }
};

namespace {

const Curl* find_curl() {
  static const Curl curl = [] {
    for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
      Curl found;
      if (found.resolve(SharedLibrary{name})) return found;
    }
    return Curl{};
  }();
  return curl.slist_free_all != nullptr ? &curl : nullptr;
}

// The answer does not matter, but a receiver must not send without end. libcurl fails if less is taken.
size_t take_answer(char*, size_t size, size_t count, void* taken) {
  auto& bytes = *static_cast<size_t*>(taken);
  bytes += size * count;
  return bytes <= HttpClient::max_answer_bytes ? size * count : 0;
}

}  // namespace

struct HttpClient::State {
  const Curl* curl = nullptr;
  CURL* handle = nullptr;

  ~State() {
    if (handle != nullptr) curl->easy_cleanup(handle);
  }
};

HttpClient::HttpClient(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

Result<HttpClient> HttpClient::create() {
  auto state = std::make_unique<State>();
  state->curl = find_curl();
  if (state->curl == nullptr)
    return fail(Error("--otlp needs libcurl").hint("install it: `apt install libcurl4` or `dnf install libcurl`"));
  state->handle = state->curl->easy_init();
  if (state->handle == nullptr) return fail(Error("libcurl does not start"));
  return HttpClient{std::move(state)};
}

PostResult HttpClient::post(const PostRequest& request) {
  const Curl& curl = *state_->curl;
  CURL* handle = state_->handle;
  curl_slist* headers = curl.slist_append(nullptr, ("Content-Type: " + request.content_type).c_str());
  if (request.is_gzip) headers = curl.slist_append(headers, "Content-Encoding: gzip");
  headers = curl.slist_append(headers, "Expect:");  // no wait for `100 Continue`
  for (const std::string& header : request.headers) headers = curl.slist_append(headers, header.c_str());
  size_t answer_bytes = 0;
  curl.easy_setopt(handle, CURLOPT_URL, request.url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
  curl.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl.easy_setopt(handle, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  curl.easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl.easy_setopt(handle, CURLOPT_TIMEOUT, static_cast<long>(max_time.count()));
  curl.easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  curl.easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.data());
  curl.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_answer);
  curl.easy_setopt(handle, CURLOPT_WRITEDATA, &answer_bytes);
  PostResult result;
  CURLcode code = curl.easy_perform(handle);
  long status = 0;
  curl_off_t retry_after = 0;
  curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  curl.easy_getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after);
  if (code == CURLE_OK) result.status = static_cast<int>(status);
  else result.problem = curl.easy_strerror(code);
  result.retry_after = std::chrono::seconds{std::clamp<curl_off_t>(retry_after, 0, 3600)};
  curl.easy_setopt(handle, CURLOPT_HTTPHEADER, nullptr);
  curl.slist_free_all(headers);
  return result;
}

}  // namespace dscope
