#include "driver/web/serve_runs.h"

#include <time.h>

#include <algorithm>
#include <utility>

namespace dscope {

namespace {

// A server runs for months: rows go on to clients at once, and the history is for the page only.
constexpr RunModel::Limits served_limits = {.max_rows = 200, .max_history_cells = 20'000};

double own_cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Rules that cannot be read were refused by the process that traces.
std::vector<MetricRule> rules_of(const RunStart& start) {
  std::vector<MetricRule> rules;
  for (const std::string& text : start.metric_rules)
    if (auto rule = parse_metric_rule(text)) rules.push_back(std::move(*rule));
  return rules;
}

}  // namespace

std::vector<MetricFamily> ServeRuns::metrics() const {
  ServerState state = state_;
  state.is_up = current_ && !current_->receiver.has_ended();
  state.server_cpu_seconds = own_cpu_seconds();
  std::vector<MetricFamily> families;
  if (current_) families = current_->metrics.families(*current_->receiver.model());
  for (MetricFamily& family : own_metrics(shown(), state, script_)) families.push_back(std::move(family));
  return families;
}

const RunModel* ServeRuns::shown() const { return current_ ? current_->receiver.model() : nullptr; }

PageStatus ServeRuns::status() const {
  PageStatus status{.revision = revision_, .is_of_box = false, .state = "attaching"};
  if (current_) status.state = current_->receiver.has_ended() ? "the run has ended" : "running";
  return status;
}

void ServeRuns::take(Channel::Message message) {
  if (message.has("failed")) {
    next_.reset();
    ++state_.failed_reloads;
    return;
  }
  if (message.descriptors.empty()) return;
  next_script_ = message.text("script");
  is_next_announced_ = false;
  next_.emplace(std::move(message.descriptors[0]), Fd{}, served_limits,
                [this](const RunModel& model, const std::vector<PictureRow>& rows) {
                  if (on_rows_) on_rows_(model, rows);
                });
}

void ServeRuns::add_descriptors(std::vector<pollfd>& waited) const {
  auto add = [&](int fd) {
    if (fd >= 0) waited.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  };
  if (current_) add(current_->receiver.run_fd());
  if (next_) add(next_->run_fd());
}

void ServeRuns::receive() {
  if (current_ && current_->receiver.receive()) ++revision_;
  if (carried_until_ && std::chrono::steady_clock::now() >= *carried_until_) expire_carried();
  if (!next_) return;
  next_->receive();
  if (!next_->is_attached()) return;
  if (!std::exchange(is_next_announced_, true)) channel_.send({{"attached", true}});
  if (!current_ || current_->receiver.has_ended()) replace();
}

// Counters go on where those of the run before have stopped.
void ServeRuns::replace() {
  script_ = next_script_;
  const RunStart& start = next_->model()->start();
  RunMetrics metrics{start, script_, rules_of(start)};
  std::chrono::nanoseconds idle{start.metric_idle_ns};
  Served served{.receiver = std::move(*next_), .metrics = std::move(metrics)};
  next_.reset();
  if (current_) {
    const RunModel& ended = *current_->receiver.model();
    served.metrics.begin_with(current_->metrics, ended, served.receiver.continue_from(ended));
    ++state_.reloads;
    if (idle.count() != 0) carried_until_ = std::chrono::steady_clock::now() + idle;
  }
  current_.emplace(std::move(served));
  ++revision_;
}

void ServeRuns::expire_carried() {
  carried_until_.reset();
  if (current_) current_->receiver.expire_carried();
  if (current_) current_->metrics.forget_earlier_points(*current_->receiver.model());
}

}  // namespace dscope
