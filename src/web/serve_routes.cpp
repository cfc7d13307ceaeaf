#include "web/serve_routes.h"

#include <nlohmann/json.hpp>

#include "metrics/metric_format.h"
#include "pictures/profile/folded_profile.h"
#include "pictures/profile/pprof_profile.h"
#include "support/text/visible_text.h"
#include "web/secret.h"

namespace dscope {

namespace {

HttpResponse file_response(const char* content_type, std::string body) {
  return {
      .status = 200, .content_type = content_type, .body = std::move(body), .headers = {{"Cache-Control", "no-store"}}};
}

std::string event_json(const RunModel& model, const PictureRow& row) {
  nlohmann::json event = {{"time_ns", row.time_ns}, {"cpu", row.cpu}, {"text", visible_text(row.text)}};
  if (row.probe < model.start().probes.size()) {
    const PictureProbe& probe = model.start().probes[row.probe];
    event["probe"] = probe.provider + ":" + probe.module + ":" + probe.function + ":" + probe.name;
  }
  if (row.tid != 0) event["pid"] = row.pid, event["tid"] = row.tid, event["execname"] = visible_line(row.execname);
  return event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_of_page(const std::string& path) {
  return path == "/" || path == "/report.json" || path == "/report.html" || path == "/updates";
}

}  // namespace

ServeRoutes::ServeRoutes(ServeAccess access, ServeHandler& handler)
    : access_(std::move(access)), handler_(handler), page_(PageAccess::for_readers(), handler) {}

std::string ServeRoutes::refusal(const HttpRequest& request, int& status) const {
  status = 403;
  if (access_.is_loopback)
    if (std::string text = PageAccess::refusal(request); !text.empty()) return text;
  if (access_.token.empty() || equals_secret(request.header("authorization"), "Bearer " + access_.token)) return {};
  status = 401;
  return "the token is missing or wrong: send it as the header `Authorization: Bearer ...`";
}

void ServeRoutes::handle(const std::shared_ptr<HttpSession>& session) {
  const HttpRequest& request = session->request();
  int status = 0;
  if (std::string text = refusal(request, status); !text.empty()) {
    HttpResponse response = text_response(status, std::move(text));
    if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return session->answer(std::move(response));
  }
  if (request.method != "GET" && request.method != "HEAD")
    return session->answer(text_response(405, "only GET is served"));
  if (request.path == "/events") return event_clients_.push_back(session->answer_with_events());
  if (is_of_page(request.path)) return page_.handle(session);
  session->answer(answer(request));
}

HttpResponse ServeRoutes::answer(const HttpRequest& request) const {
  if (request.path == "/metrics") {
    const MetricFormat& format = accepted_format(request.header("accept"));
    return file_response(format.content_type, format.text(handler_.metrics()));
  }
  if (request.path != "/profile")
    return text_response(404, "there are /metrics, /profile, /events, /report.html and /");
  const RunModel* model = handler_.shown();
  if (model == nullptr) return text_response(503, "the script is not attached yet");
  const std::string& format = request.parameter("format");
  if (format == "folded") return file_response("text/plain; charset=utf-8", folded_profile(*model));
  if (format.empty() || format == "pprof") return file_response("application/octet-stream", pprof_profile(*model));
  return text_response(400, "the format of a profile is pprof or folded");
}

void ServeRoutes::send_rows(const RunModel& model, const std::vector<PictureRow>& rows) {
  if (event_clients_.empty()) return;
  for (const PictureRow& row : rows) {
    std::string event = event_json(model, row);
    for (const std::shared_ptr<EventStream>& client : event_clients_) client->send("row", event);
  }
}

void ServeRoutes::publish() {
  std::erase_if(event_clients_, [this](const std::shared_ptr<EventStream>& client) {
    if (client->is_open()) {
      client->send_comment();
      return false;
    }
    lost_events_ += client->dropped_events();
    return true;
  });
  page_.publish();
}

uint64_t ServeRoutes::lost_events() const {
  uint64_t count = lost_events_;
  for (const std::shared_ptr<EventStream>& client : event_clients_) count += client->dropped_events();
  return count;
}

}  // namespace dscope
