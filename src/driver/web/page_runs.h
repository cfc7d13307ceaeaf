// PageRuns: the runs that a live page shows: the first one, and a program of the box beside it.
//
// Messages of the supervisor: {"run": "first" or "box"} with the descriptors of StartedTracer, {"problem": text} if the
// program of the box cannot be started. Messages to it: {"attached": true} when the first run is, {"start": D text},
// {"shown": true} when the program of the box replaces the one before it, {"end": true}.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "driver/live/run_receiver.h"
#include "driver/web/channel_message.h"
#include "web/live_page.h"

namespace dscope {

class PageRuns final : public PageHandler {
 public:
  explicit PageRuns(Channel& channel) : channel_(channel) {}

  const RunModel* shown() const override;
  PageStatus status() const override;
  void start_program(const std::string& text, std::function<void(std::string problem)> done) override;
  void end_program() override;

  void take(Channel::Message message);
  // Appends what to wait for.
  void add_descriptors(std::vector<pollfd>& waited) const;
  // Takes what has arrived.
  void receive();

 private:
  const RunReceiver* shown_run() const;
  void finish_start(std::string problem);
  void receive_pending();

  Channel& channel_;
  std::optional<RunReceiver> first_, box_, pending_;
  bool is_first_attached_ = false;
  std::function<void(std::string problem)> done_;  // the box is waiting for its program
  uint64_t revision_ = 0;
};

}  // namespace dscope
