#include "web/live_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pictures/report/report_json.h"
#include "pictures/report/report_writer.h"

namespace dscope {

namespace {

using Clock = std::chrono::steady_clock;

HttpResponse with_page_headers(HttpResponse response) {
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("X-Frame-Options", "DENY");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  return response;
}

// The page of --report, as a file to keep.
HttpResponse saved_report(const RunModel& model) {
  HttpResponse report{
      .status = 200, .content_type = "text/html; charset=utf-8", .body = report_html(model), .headers = {}};
  report.headers.emplace_back("Content-Disposition", "attachment; filename=\"dscope-report.html\"");
  return report;
}

HttpResponse page_text(int status, std::string text) {
  return with_page_headers(text_response(status, std::move(text)));
}

HttpResponse redirect_to_page(std::string cookie) {
  HttpResponse response = page_text(303, "the page is at /");
  response.headers.emplace_back("Location", "/");
  response.headers.emplace_back("Set-Cookie", std::move(cookie));
  return response;
}

}  // namespace

void LivePage::handle(const std::shared_ptr<HttpSession>& session) {
  const HttpRequest& request = session->request();
  std::string refusal = access_.is_for_readers() ? "" : PageAccess::refusal(request);
  if (!refusal.empty()) return session->answer(page_text(403, std::move(refusal)));
  if (request.method == "GET" && request.path == "/" && !request.parameter("token").empty()) {
    std::string cookie = access_.redeem(request);
    if (!cookie.empty()) return session->answer(redirect_to_page(std::move(cookie)));
  }
  PageRole role = access_.role_of(request);
  if (role == PageRole::None)
    return session->answer(page_text(401, "open the URL that dscope has printed: it has a token"));
  if (request.method == "GET") get(session, role);
  else if (request.method == "POST") post(session, role);
  else session->answer(page_text(405, "the page has only GET and POST"));
}

void LivePage::get(const std::shared_ptr<HttpSession>& session, PageRole role) {
  const std::string& path = session->request().path;
  if (path == "/") {
    HttpResponse page{
        .status = 200, .content_type = "text/html; charset=utf-8", .body = live_page_html(), .headers = {}};
    return session->answer(with_page_headers(std::move(page)));
  }
  if (path == "/updates") {
    clients_.push_back({.stream = session->answer_with_events(), .role = role, .last_sent = {}});
    return announce(clients_.back());
  }
  if (path != "/report.json" && path != "/report.html") return session->answer(page_text(404, "there is no such page"));
  const RunModel* model = handler_.shown();
  if (model == nullptr) return session->answer(page_text(503, "the program is not attached yet"));
  if (path == "/report.html") return session->answer(with_page_headers(saved_report(*model)));
  HttpResponse report{.status = 200, .content_type = "application/json", .body = report_json(*model), .headers = {}};
  session->answer(with_page_headers(std::move(report)));
}

void LivePage::post(const std::shared_ptr<HttpSession>& session, PageRole role) {
  const HttpRequest& request = session->request();
  if (role != PageRole::Controller)
    return session->answer(page_text(403, "another browser controls this page: this one only reads it"));
  // Forms of other pages cannot send this header.
  if (request.header("x-dscope") != "1") return session->answer(page_text(403, "the header `X-Dscope: 1` is missing"));
  if (request.path == "/back") {
    handler_.end_program();
    return session->answer(page_text(200, "the first program is shown"));
  }
  if (request.path != "/program") return session->answer(page_text(404, "there is no such page"));
  handler_.start_program(request.body, [session](std::string problem) {
    bool is_started = problem.empty();
    session->answer(page_text(is_started ? 200 : 422, is_started ? "the program is attached" : std::move(problem)));
  });
}

void LivePage::announce(Client& client) {
  PageStatus status = handler_.status();
  nlohmann::json message = {{"revision", status.revision},
                            {"of_box", status.is_of_box},
                            {"state", status.state},
                            {"cpu", status.own_cpu_percent},
                            {"controls", client.role == PageRole::Controller}};
  std::string text = message.dump();
  if (text != client.last_sent && client.stream->send("status", text)) client.last_sent = std::move(text);
}

void LivePage::publish() {
  std::erase_if(clients_, [](const Client& client) { return !client.stream->is_open(); });
  constexpr std::chrono::seconds comment_period{2};
  bool comments = Clock::now() - commented_at_ >= comment_period;
  if (comments) commented_at_ = Clock::now();
  for (Client& client : clients_) {
    announce(client);
    if (comments) client.stream->send_comment();
  }
  end_program_without_controller();
}

void LivePage::end_program_without_controller() {
  auto controls = [](const Client& client) { return client.role == PageRole::Controller; };
  if (std::ranges::any_of(clients_, controls)) controller_seen_ = Clock::now();
  else if (Clock::now() - controller_seen_ > max_absence && handler_.status().is_of_box) handler_.end_program();
}

}  // namespace dscope
