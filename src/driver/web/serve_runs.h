// ServeRuns: the run of --serve, and the one that replaces it on a reload.
//
// Messages of the supervisor: {"run": "next", "script": FILE} with the descriptor of StartedTracer, {"failed": true} if
// the next run has ended before it was attached. Messages to it: {"attached": true} for the next run, which replaces
// the other one here when that has ended and all of its values have arrived.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "driver/live/run_receiver.h"
#include "driver/web/channel_message.h"
#include "metrics/own_metrics.h"
#include "metrics/run_metrics.h"
#include "web/serve_routes.h"

namespace dscope {

class ServeRuns final : public ServeHandler {
 public:
  explicit ServeRuns(Channel& channel) : channel_(channel) {}

  std::vector<MetricFamily> metrics() const override;
  const RunModel* shown() const override;
  PageStatus status() const override;
  // The page of --serve has no controller.
  void start_program(const std::string&, std::function<void(std::string problem)> done) override { done("not here"); }
  void end_program() override {}

  void set_row_observer(RunReceiver::RowObserver observer) { on_rows_ = std::move(observer); }
  void set_lost_events(uint64_t count) { state_.lost_events = count; }
  void set_push_state(const PushState& state) { state_.push = state; }
  void take(Channel::Message message);
  void add_descriptors(std::vector<pollfd>& waited) const;
  void receive();

 private:
  // A run whose metrics are served.
  struct Served {
    RunReceiver receiver;
    RunMetrics metrics;
  };

  void replace();
  void expire_carried();

  Channel& channel_;
  std::string script_, next_script_;  // label of dscope's own metrics
  std::optional<Served> current_;
  std::optional<RunReceiver> next_;
  bool is_next_announced_ = false;
  std::optional<std::chrono::steady_clock::time_point> carried_until_;  // elements of earlier runs expire then
  RunReceiver::RowObserver on_rows_;
  ServerState state_;
  uint64_t revision_ = 0;
};

}  // namespace dscope
