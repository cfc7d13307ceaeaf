// PageAccess: who may look at a page on loopback, and who controls it. A browser that opens the URL with the token gets
// a cookie. The first one controls the page, later ones only read it.
#pragma once

#include <string>

#include "support/result.h"
#include "web/http_message.h"

namespace dscope {

enum class PageRole : uint8_t { None, Reader, Controller };

class PageAccess {
 public:
  // Draws random secrets.
  static Result<PageAccess> create();
  // For a page that everybody may read whose requests arrive, and nobody controls.
  static PageAccess for_readers();

  // "http://127.0.0.1:8080/?token=…"
  std::string url(uint16_t port) const;

  bool is_for_readers() const { return is_for_readers_; }

  // Why a request is refused whoever sent it; empty: it is not. Names of other hosts are refused (DNS rebinding), and
  // requests by pages of other origins, except that links may lead here.
  static std::string refusal(const HttpRequest& request);
  // By the cookie of the request.
  PageRole role_of(const HttpRequest& request) const;
  // The value of Set-Cookie for a request with the token; empty if it has none or a wrong one.
  std::string redeem(const HttpRequest& request);

 private:
  std::string token_, controller_, reader_;
  bool is_for_readers_ = false;
  bool is_token_used_ = false;
};

}  // namespace dscope
