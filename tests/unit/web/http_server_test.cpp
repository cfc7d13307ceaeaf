#include <gmock/gmock.h>

#include "tests/unit/web/http_fixture.h"

namespace dscope {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(HttpTest, PassesTheRequestAndTheResponse) {
  HttpRequest seen;
  start([&](const auto& session) {
    seen = session->request();
    session->answer(text_response(404, "none"));
  });
  std::string response = get("/a%20b?key=x%26y&empty=", "X-Some: Value\r\n");
  EXPECT_THAT(response, StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(response, EndsWith("\r\n\r\nnone\n"));
  EXPECT_EQ(seen.method, "GET");
  EXPECT_EQ(seen.path, "/a b");
  EXPECT_EQ(seen.parameter("key"), "x&y");
  EXPECT_EQ(seen.parameter("missing"), "");
  EXPECT_EQ(seen.header("x-some"), "Value");
}

TEST_F(HttpTest, ReceivesBodiesWithinTheLimit) {
  std::string body;
  start(
      [&](const auto& session) {
        body = session->request().body;
        session->answer(text_response(200, "ok"));
      },
      {.max_body_bytes = 100});
  auto post = [&](size_t size) {
    return exchange("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " +
                    std::to_string(size) + "\r\n\r\n" + std::string(size, 'x'));
  };
  EXPECT_THAT(post(100), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(body, std::string(100, 'x'));
  EXPECT_THAT(post(101), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(post(1'000'000), StartsWith("HTTP/1.1 413 "));
}

TEST_F(HttpTest, AnswersLater) {
  std::shared_ptr<HttpSession> waiting;
  start([&](const auto& session) { waiting = session; });
  Fd client = connect("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  std::string text;
  receive(client, text, [&] { return waiting != nullptr; });
  EXPECT_EQ(text, "");
  waiting->answer(text_response(200, "late"));
  receive(client, text, [] { return false; });
  EXPECT_THAT(text, EndsWith("late\n"));
}

TEST_F(HttpTest, CompressesWhatIsLarge) {
  start([&](const auto& session) { session->answer(text_response(200, std::string(10'000, 'x'))); });
  std::string plain = get("/"), packed = get("/", "Accept-Encoding: br, gzip\r\n");
  EXPECT_GT(plain.size(), 10'000U);
  EXPECT_LT(packed.size(), 1'000U);
  EXPECT_THAT(packed, HasSubstr("Content-Encoding: gzip"));
  EXPECT_GT(get("/", "Accept-Encoding: gzip;q=0\r\n").size(), 10'000U);
}

TEST_F(HttpTest, StreamsEvents) {
  std::shared_ptr<EventStream> stream;
  start([&](const auto& session) { stream = session->answer_with_events(); });
  Fd client = connect("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  std::string text;
  receive(client, text, [&] { return stream != nullptr; });
  EXPECT_TRUE(stream->send("first", "one\ntwo"));
  receive(client, text, [&] { return text.find("data: two\n\n") != text.npos; });
  EXPECT_THAT(text, HasSubstr("Content-Type: text/event-stream"));
  EXPECT_THAT(text, HasSubstr("event: first\ndata: one\ndata: two\n\n"));
  EXPECT_TRUE(stream->send("second", ""));
  receive(client, text, [&] { return text.find("event: second\ndata: \n\n") != text.npos; });
  client.reset();
  while (stream->is_open()) {
    stream->send_comment();
    server_->run();
  }
  EXPECT_FALSE(stream->send("third", ""));
}

TEST_F(HttpTest, CountsEventsThatSlowClientsLose) {
  std::shared_ptr<EventStream> stream;
  start([&](const auto& session) { stream = session->answer_with_events(); });
  Fd client = connect("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  std::string text;
  receive(client, text, [&] { return stream != nullptr; });
  std::string data(1'000'000, 'x');
  size_t sent = 0;
  while (stream->send("event", data)) ++sent;
  EXPECT_GE(sent, 4U);
  EXPECT_LE(sent, 40U);
  EXPECT_EQ(stream->dropped_events(), 1U);
}

TEST_F(HttpTest, RefusesTooManyConnections) {
  start([&](const auto& session) { session->answer(text_response(200, "ok")); }, {.max_connections = 4});
  std::vector<Fd> idle;
  for (int i = 0; i < 20; ++i) idle.push_back(connect("GET / HT"));
  for (int i = 0; i < 200; ++i) server_->run();
  EXPECT_LE(server_->connection_count(), 4U);
  idle.clear();
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpTest, ClosesConnectionsThatSendTooSlowly) {
  start([&](const auto& session) { session->answer(text_response(200, "ok")); },
        {.max_request_time = std::chrono::seconds{0}});
  Fd client = connect("GET / HTTP/1.1\r\nHost:");
  std::string text;
  receive(client, text, [] { return false; });
  EXPECT_EQ(text, "");
}

TEST_F(HttpTest, SurvivesGarbage) {
  start([&](const auto& session) { session->answer(text_response(200, "ok")); });
  for (std::string_view garbage : {"\r\n\r\n\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n",
                                   "GET / HTTP/9.9\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                                   "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    Fd client = connect(garbage);
    for (int i = 0; i < 10; ++i) server_->run();
  }
  std::string head = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: ";
  EXPECT_THAT(exchange(head + std::string(100'000, 'x') + "\r\n\r\n"), testing::Not(StartsWith("HTTP/1.1 200")));
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpTest, ReportsExceptionsOfTheHandler) {
  start([](const auto&) { throw std::bad_alloc(); });
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 500 "));
}

TEST_F(HttpTest, StopsWhileRequestsWait) {
  std::shared_ptr<HttpSession> waiting;
  std::shared_ptr<EventStream> stream;
  start([&](const auto& session) {
    if (session->request().path == "/events") stream = session->answer_with_events();
    else waiting = session;
  });
  Fd first = connect("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  Fd second = connect("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  std::string text;
  receive(first, text, [&] { return waiting && stream; });
  server_.reset();
  waiting->answer(text_response(200, "nobody hears it"));
  EXPECT_FALSE(stream->is_open());
}

}  // namespace
}  // namespace dscope
