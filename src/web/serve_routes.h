// ServeRoutes: what --serve answers.
//
//   GET /metrics           the metrics, in the format that Accept names: Prometheus text or protobuf, OpenMetrics
//   GET /profile           stacks as a profile for pprof; ?format=folded: one line each
//   GET /events            printed rows as server-sent events, each a JSON object
//   GET /, /report.json,
//       /report.html,
//       /updates           the live page (live_page.h), to look at, and the report as a file
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "metrics/metric_family.h"
#include "pictures/run_model.h"
#include "web/http_session.h"
#include "web/live_page.h"

namespace dscope {

// The conditions under which a request is answered.
struct ServeAccess {
  std::string token;         // the bearer token that requests need; empty: none
  bool is_loopback = false;  // requests must name a host of loopback, so that no page elsewhere can read the metrics
};

class ServeHandler : public PageHandler {
 public:
  virtual std::vector<MetricFamily> metrics() const = 0;
};

class ServeRoutes {
 public:
  ServeRoutes(ServeAccess access, ServeHandler& handler);

  void handle(const std::shared_ptr<HttpSession>& session);
  // Sends rows to the clients of /events.
  void send_rows(const RunModel& model, const std::vector<PictureRow>& rows);
  // As LivePage::publish().
  void publish();
  bool is_busy() const { return !event_clients_.empty() || page_.is_busy(); }

  uint64_t lost_events() const;

 private:
  std::string refusal(const HttpRequest& request, int& status) const;
  HttpResponse answer(const HttpRequest& request) const;

  ServeAccess access_;
  ServeHandler& handler_;
  LivePage page_;
  std::vector<std::shared_ptr<EventStream>> event_clients_;
  uint64_t lost_events_ = 0;  // by clients that have gone
};

}  // namespace dscope
