#include "web/page_access.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

HttpRequest request_of(std::string host, std::string path = "/") {
  return {.method = "GET", .path = std::move(path), .query = {}, .headers = {{"host", std::move(host)}}, .body = {}};
}

class PageAccessTest : public testing::Test {
 protected:
  HttpRequest with_token() {
    HttpRequest request = request_of("localhost");
    std::string url = access_.url(8080);
    request.query["token"] = url.substr(url.find("token=") + 6);
    return request;
  }
  static HttpRequest with_cookie(const std::string& set_cookie) {
    HttpRequest request = request_of("localhost");
    request.headers["cookie"] = "other=1; " + set_cookie.substr(0, set_cookie.find(';')) + "; last=2";
    return request;
  }

  PageAccess access_ = PageAccess::create().value();
};

TEST_F(PageAccessTest, FirstBrowserControlsAndOthersRead) {
  std::string first = access_.redeem(with_token()), second = access_.redeem(with_token());
  EXPECT_EQ(access_.role_of(with_cookie(first)), PageRole::Controller);
  EXPECT_EQ(access_.role_of(with_cookie(second)), PageRole::Reader);
  EXPECT_NE(first.find("HttpOnly; SameSite=Strict"), first.npos);
}

TEST_F(PageAccessTest, ControllerMayOpenTheUrlAgain) {
  std::string first = access_.redeem(with_token());
  HttpRequest again = with_token();
  again.headers["cookie"] = first.substr(0, first.find(';'));
  EXPECT_EQ(access_.role_of(with_cookie(access_.redeem(again))), PageRole::Controller);
}

TEST_F(PageAccessTest, WrongTokensGiveNothing) {
  HttpRequest request = with_token();
  for (std::string token : {std::string{}, std::string(32, '0'), request.query["token"] + "0", std::string{"x"}}) {
    request.query["token"] = token;
    EXPECT_EQ(access_.redeem(request), "") << token;
  }
  EXPECT_EQ(access_.role_of(request_of("localhost")), PageRole::None);
  EXPECT_EQ(access_.role_of(with_cookie("dscope_00000000=" + std::string(32, '0'))), PageRole::None);
}

TEST_F(PageAccessTest, SecretsDiffer) { EXPECT_NE(access_.url(1), PageAccess::create().value().url(1)); }

TEST(PageRefusal, OnlyNamesOfLoopback) {
  for (const char* host : {"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "[::1]"})
    EXPECT_EQ(PageAccess::refusal(request_of(host)), "") << host;
  for (const char* host : {"", "attacker.example", "localhost.attacker.example", "127.0.0.1.attacker.example:80",
                           "10.0.0.1", "[::2]:80", "localhost@attacker.example", "[::1"})
    EXPECT_NE(PageAccess::refusal(request_of(host)), "") << host;
}

TEST(PageRefusal, OtherOrigins) {
  HttpRequest request = request_of("localhost:8080", "/report.json");
  request.headers["origin"] = "http://localhost:8080";
  EXPECT_EQ(PageAccess::refusal(request), "");
  for (const char* origin : {"http://localhost:9090", "https://localhost:8080", "null", "http://attacker.example"}) {
    request.headers["origin"] = origin;
    EXPECT_NE(PageAccess::refusal(request), "") << origin;
  }
}

TEST(PageRefusal, OtherSitesMayOnlyLinkHere) {
  HttpRequest request = request_of("localhost:8080");
  request.headers["sec-fetch-site"] = "cross-site";
  EXPECT_NE(PageAccess::refusal(request), "");
  request.headers["sec-fetch-mode"] = "navigate";
  request.headers["sec-fetch-dest"] = "document";
  EXPECT_EQ(PageAccess::refusal(request), "");
  request.headers["sec-fetch-dest"] = "iframe";
  EXPECT_NE(PageAccess::refusal(request), "");
  request.headers["sec-fetch-dest"] = "document";
  request.path = "/report.json";
  EXPECT_NE(PageAccess::refusal(request), "");
}

}  // namespace
}  // namespace dscope
