#include "web/live_page.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/unit/web/http_fixture.h"

namespace dscope {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct FakeRuns final : PageHandler {
  const RunModel* shown() const override { return model ? &*model : nullptr; }
  PageStatus status() const override { return {.revision = revision, .is_of_box = is_of_box, .state = "running"}; }
  void start_program(const std::string& text, std::function<void(std::string problem)> done) override {
    started = text;
    done(problem);
  }
  void end_program() override { ++ended; }

  std::optional<RunModel> model;
  uint64_t revision = 1;
  bool is_of_box = false;
  std::string started, problem;
  int ended = 0;
};

class LivePageTest : public HttpTest {
 protected:
  void SetUp() override {
    PageAccess access = PageAccess::create().value();
    std::string url = access.url(1);
    token_ = url.substr(url.find('?'));
    page_.emplace(std::move(access), runs_);
    start([this](const auto& session) { page_->handle(session); });
  }

  // The header Cookie of a new browser.
  std::string cookie() {
    std::string response = get("/" + token_);
    EXPECT_THAT(response, StartsWith("HTTP/1.1 303 "));
    size_t begin = response.find("Set-Cookie: ") + 12;
    return "Cookie: " + response.substr(begin, response.find(';', begin) - begin) + "\r\n";
  }
  std::string post(const std::string& path, const std::string& headers, const std::string& body) {
    return exchange("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body);
  }

  FakeRuns runs_;
  std::string token_;
  std::optional<LivePage> page_;
};

TEST_F(LivePageTest, NeedsTheToken) {
  for (const char* path : {"/", "/report.json", "/updates", "/?token=1"})
    EXPECT_THAT(get(path), StartsWith("HTTP/1.1 401 ")) << path;
}

TEST_F(LivePageTest, ServesThePageAndTheReport) {
  std::string browser = cookie();
  std::string page = get("/", browser);
  EXPECT_THAT(page, HasSubstr("connect-src 'self'"));
  EXPECT_THAT(page, HasSubstr("X-Frame-Options: DENY"));
  EXPECT_THAT(get("/report.json", browser), StartsWith("HTTP/1.1 503 "));
  runs_.model.emplace(RunStart{.script = "BEGIN {}"});
  std::string report = get("/report.json", browser);
  nlohmann::json document = nlohmann::json::parse(report.substr(report.find("\r\n\r\n") + 4));
  EXPECT_EQ(document["run"]["script"], "BEGIN {}");
  EXPECT_THAT(get("/other", browser), StartsWith("HTTP/1.1 404 "));
}

TEST_F(LivePageTest, RunsTheProgramOfTheController) {
  std::string browser = cookie() + "X-Dscope: 1\r\n";
  EXPECT_THAT(post("/program", browser, "BEGIN { trace(1); }"), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(runs_.started, "BEGIN { trace(1); }");
  runs_.problem = "syntax error";
  std::string refused = post("/program", browser, "BEGIN {");
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 422 "));
  EXPECT_THAT(refused, HasSubstr("syntax error"));
  EXPECT_THAT(post("/back", browser, ""), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(runs_.ended, 1);
}

TEST_F(LivePageTest, RunsNothingForOthers) {
  std::string controller = cookie(), reader = cookie();
  EXPECT_THAT(post("/program", controller, "BEGIN {}"), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(post("/program", reader + "X-Dscope: 1\r\n", "BEGIN {}"), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(post("/program", "X-Dscope: 1\r\n", "BEGIN {}"), StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(post("/program", controller + "X-Dscope: 1\r\nOrigin: http://a.example\r\n", "BEGIN {}"),
              StartsWith("HTTP/1.1 403 "));
  EXPECT_EQ(runs_.started, "");
}

TEST_F(LivePageTest, AnnouncesWhatHasChanged) {
  std::string browser = cookie();
  Fd client = connect("GET /updates HTTP/1.1\r\nHost: localhost\r\n" + browser + "\r\n");
  std::string text;
  receive(client, text, [&] { return text.find("\"revision\":1,") != text.npos; });
  EXPECT_THAT(text, HasSubstr("\"controls\":true"));
  page_->publish();
  runs_.revision = 2;
  page_->publish();
  receive(client, text, [&] { return text.find("\"revision\":2,") != text.npos; });
  // An unchanged revision is announced once.
  EXPECT_EQ(text.find("\"revision\":1,"), text.rfind("\"revision\":1,"));
}

}  // namespace
}  // namespace dscope
