#include "web/page_access.h"

#include <sys/random.h>

#include <array>
#include <cerrno>

#include "web/secret.h"

namespace dscope {

namespace {

constexpr size_t secret_bytes = 16;

Result<std::string> random_secret() {
  std::array<unsigned char, secret_bytes> bytes;
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return fail(Error::from_errno(errno, "cannot draw random numbers"));
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

// The name in the header Host, without the port.
std::string_view host_name(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

// Cookies do not depend on the port, so their name depends on the token.
std::string cookie_name(const std::string& token) { return "dscope_" + token.substr(0, 8); }

std::string_view cookie_value(std::string_view cookies, const std::string& name) {
  while (!cookies.empty()) {
    std::string_view cookie = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(cookie.size() + 1, cookies.size()));
    while (cookie.starts_with(' ')) cookie.remove_prefix(1);
    if (cookie.starts_with(name + "=")) return cookie.substr(name.size() + 1);
  }
  return {};
}

}  // namespace

Result<PageAccess> PageAccess::create() {
  PageAccess access;
  for (std::string* secret : {&access.token_, &access.controller_, &access.reader_}) {
    DS_TRY(*secret, random_secret());
  }
  return access;
}

PageAccess PageAccess::for_readers() {
  PageAccess access;
  access.is_for_readers_ = true;
  return access;
}

std::string PageAccess::url(uint16_t port) const { return fmt::format("http://127.0.0.1:{}/?token={}", port, token_); }

std::string PageAccess::refusal(const HttpRequest& request) {
  const std::string& host = request.header("host");
  std::string_view name = host_name(host);
  if (name != "localhost" && name != "127.0.0.1" && name != "[::1]")
    return "this page answers only to localhost: the request names another host";
  const std::string& origin = request.header("origin");
  if (!origin.empty() && origin != "http://" + host) return "requests of other origins are refused";
  const std::string& site = request.header("sec-fetch-site");
  bool is_foreign = !site.empty() && site != "same-origin" && site != "none";
  bool is_link = request.method == "GET" && request.path == "/" && request.header("sec-fetch-mode") == "navigate" &&
                 request.header("sec-fetch-dest") == "document";
  if (is_foreign && !is_link) return "requests of other sites are refused";
  return {};
}

PageRole PageAccess::role_of(const HttpRequest& request) const {
  if (is_for_readers_) return PageRole::Reader;
  std::string_view secret = cookie_value(request.header("cookie"), cookie_name(token_));
  if (equals_secret(secret, controller_)) return PageRole::Controller;
  return equals_secret(secret, reader_) ? PageRole::Reader : PageRole::None;
}

std::string PageAccess::redeem(const HttpRequest& request) {
  if (is_for_readers_ || !equals_secret(request.parameter("token"), token_)) return {};
  // The controller may open the URL again.
  bool controls = !is_token_used_ || role_of(request) == PageRole::Controller;
  is_token_used_ = true;
  return fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie_name(token_), controls ? controller_ : reader_);
}

}  // namespace dscope
