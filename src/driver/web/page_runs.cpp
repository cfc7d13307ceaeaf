#include "driver/web/page_runs.h"

#include <algorithm>

namespace dscope {

const RunReceiver* PageRuns::shown_run() const {
  if (box_) return &*box_;
  return first_ && first_->is_attached() ? &*first_ : nullptr;
}

const RunModel* PageRuns::shown() const {
  const RunReceiver* run = shown_run();
  return run == nullptr ? nullptr : run->model();
}

PageStatus PageRuns::status() const {
  const RunReceiver* run = shown_run();
  PageStatus status{.revision = revision_, .is_of_box = box_.has_value(), .state = "attaching"};
  if (run == nullptr) return status;
  status.state = run->has_ended() ? "the run has ended" : "running";
  const RunModel& model = *run->model();
  double length = static_cast<double>(std::max<int64_t>(1, model.last_time_ns() - model.start().start_ns));
  status.own_cpu_percent =
      100 * static_cast<double>(model.cost().consumer_cpu_ns + model.cost().program_cpu_ns) / length;
  return status;
}

void PageRuns::start_program(const std::string& text, std::function<void(std::string problem)> done) {
  if (done_) return done("another program is being attached");
  if (text.find_first_not_of(" \t\r\n") == text.npos) return done("the program is empty");
  if (!channel_.send({{"start", text}})) return done("the program is too long");
  done_ = std::move(done);
}

void PageRuns::finish_start(std::string problem) {
  auto done = std::exchange(done_, nullptr);
  pending_.reset();
  if (done) done(std::move(problem));
}

void PageRuns::end_program() {
  if (!box_ && !done_) return;
  box_.reset();
  ++revision_;
  channel_.send({{"end", true}});
  finish_start("the program was ended");
}

void PageRuns::take(Channel::Message message) {
  if (message.has("problem")) return finish_start(message.text("problem"));
  std::string run = message.text("run");
  if (message.descriptors.empty()) return;
  Fd messages = message.descriptors.size() > 1 ? std::move(message.descriptors[1]) : Fd{};
  RunReceiver receiver{std::move(message.descriptors[0]), std::move(messages)};
  if (run == "first") first_.emplace(std::move(receiver));
  else if (run == "box" && done_) pending_.emplace(std::move(receiver));
}

void PageRuns::add_descriptors(std::vector<pollfd>& waited) const {
  for (const auto* run : {&first_, &box_, &pending_}) {
    if (!*run) continue;
    for (int fd : {(*run)->run_fd(), (*run)->message_fd()})
      if (fd >= 0) waited.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  }
}

void PageRuns::receive() {
  const RunReceiver* shown = shown_run();
  for (auto* run : {&first_, &box_}) {
    if (!*run) continue;
    bool had_ended = (*run)->has_ended();
    bool has_changed = (*run)->receive() || had_ended != (*run)->has_ended();
    if (has_changed && (shown == nullptr || shown == &**run)) ++revision_;
  }
  if (!is_first_attached_ && first_ && first_->is_attached()) is_first_attached_ = channel_.send({{"attached", true}});
  if (pending_) receive_pending();
}

void PageRuns::receive_pending() {
  pending_->receive();
  if (pending_->is_attached()) {
    box_ = std::move(*pending_);
    ++revision_;
    channel_.send({{"shown", true}});
    finish_start("");
  } else if (pending_->has_ended()) {
    std::string problem = pending_->messages();
    finish_start(problem.empty() ? "the program has ended without a message" : problem);
  }
}

}  // namespace dscope
