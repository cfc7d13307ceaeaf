#include "driver/live/live_run.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "driver/live/save_files.h"
#include "driver/live/tracer.h"
#include "live/live_view.h"
#include "live/ncurses_terminal.h"
#include "support/print_message.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto frame_period = std::chrono::milliseconds{500};

// A program on the way from the one of the command line to the one that is shown.
struct Step {
  Tracer tracer;
  nlohmann::json drill_steps = nlohmann::json::array();
  std::string label;  // "execname = cat"
};

nlohmann::json drill_step(const PictureAggregation& info, const PictureElement& element) {
  nlohmann::json keys = nlohmann::json::array();
  for (const PictureKey& key : element.keys) {
    nlohmann::json condition = nlohmann::json::object();
    if (key.kind == KeyKind::Text) condition["text"] = key.text;
    if (key.kind == KeyKind::Number) condition["number"] = key.text;
    keys.push_back(std::move(condition));
  }
  return {{"aggregation", info.name}, {"keys", std::move(keys)}};
}

std::string drill_label(const PictureAggregation& info, const PictureElement& element) {
  std::string label;
  for (size_t i = 0; i < element.keys.size() && i < info.keys.size(); ++i) {
    const PictureKey& key = element.keys[i];
    if (key.kind == KeyKind::Stack || key.kind == KeyKind::Code) continue;
    label += fmt::format("{}{} = {}", label.empty() ? "" : ", ", info.keys[i], visible_text(key.text));
  }
  return label.empty() ? fmt::format("{}", fmt::join(info.keys, ", ")) : label;
}

// A script without the line that names its interpreter.
std::string without_first_line_of_shell(const std::string& script) {
  if (!script.starts_with("#!")) return script;
  return script.substr(std::min(script.find('\n'), script.size() - 1) + 1);
}

// The last line that is not a hint: there is room for one.
std::string last_message(std::string_view text) {
  std::string_view line;
  do {
    while (text.ends_with('\n')) text.remove_suffix(1);
    size_t begin = text.rfind('\n') + 1;
    line = text.substr(begin);
    text = text.substr(0, begin);
  } while (!text.empty() && line.find(": hint: ") != line.npos);
  return visible_text(line);
}

class LiveRun final : public LiveHandler {
 public:
  explicit LiveRun(LiveSubject subject) : subject_(std::move(subject)) {}

  Result<int> run() {
    DS_TRY(Step first, start(nlohmann::json::array(), ""));
    steps_.push_back(std::move(first));
    // Mistakes in the program come before the view.
    while (!current().tracer.is_attached() && !current().tracer.has_ended()) wait(-1, std::chrono::milliseconds{1000});
    if (current().tracer.model() == nullptr) return end();
    DS_TRY(std::unique_ptr<NcursesTerminal> terminal, NcursesTerminal::open({}));
    LiveView view{*terminal, *this};
    show(view);
    terminal.reset();
    return end();
  }

  bool can_drill(uint32_t, uint32_t) override {
    return !pending_ && (subject_.is_replay || !current().tracer.has_ended());
  }

  void drill(uint32_t aggregation, uint32_t element) override {
    const AggregationModel& from = shown().aggregations().at(aggregation);
    nlohmann::json steps = current().drill_steps;
    steps.push_back(drill_step(from.info, from.elements.at(element)));
    begin(start(steps, drill_label(from.info, from.elements.at(element))), /*is_back=*/false);
  }

  void back() override {
    if (steps_.size() < 2 || pending_) return;
    Step& parent = steps_[steps_.size() - 2];
    if (subject_.is_replay || !parent.tracer.has_ended()) return leave();
    begin(start(parent.drill_steps, parent.label), /*is_back=*/true);
  }

  Result<std::string> save_script() override { return save_live_script(shown()); }
  Result<std::string> save_report() override { return save_live_report(shown()); }

  void set_paused(bool is_paused) override {
    if (is_paused) paused_ = *current().tracer.model();
    else paused_.reset();
  }

 private:
  Step& current() { return steps_.back(); }
  const RunModel& shown() { return paused_ ? *paused_ : *current().tracer.model(); }

  Result<Step> start(nlohmann::json drill_steps, std::string label) {
    TracerRequest request{
        .program = subject_.program, .arguments = subject_.arguments, .drill_steps = {}, .targets = {}};
    if (!drill_steps.empty())
      request.drill_steps = drill_steps.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    // The first run has started the command of -c.
    if (!steps_.empty()) request.targets = steps_.front().tracer.model()->start().targets;
    DS_TRY(Tracer tracer, Tracer::start(request));
    return Step{.tracer = std::move(tracer), .drill_steps = std::move(drill_steps), .label = std::move(label)};
  }

  void begin(Result<Step> step, bool is_back) {
    if (!step) {
      message_ = step.error().message();
      return;
    }
    pending_.emplace(std::move(*step));
    is_going_back_ = is_back;
    message_ = "attaching ...";
  }

  // Leaves the current program for the one before.
  void leave() {
    steps_.pop_back();
    paused_.reset();
    ++run_number_;
  }

  // Shows the new program once it is attached, and ends the old one.
  void take_pending() {
    if (!pending_) return;
    Tracer& tracer = pending_->tracer;
    if (tracer.has_ended() && !tracer.is_attached()) {
      message_ = last_message(tracer.messages());
      pending_.reset();
      return;
    }
    if (!tracer.is_attached()) return;
    if (is_going_back_) {
      steps_.pop_back();
      steps_.pop_back();
    } else if (!subject_.is_replay && (steps_.size() > 1 || !owns_command())) {
      current().tracer.stop();
    }
    steps_.push_back(std::move(*pending_));
    pending_.reset();
    paused_.reset();
    message_.clear();
    ++run_number_;
  }

  // The first run must go on while a command of its own does.
  bool owns_command() { return !steps_.front().tracer.model()->start().targets.empty(); }

  void wait(int input, std::chrono::nanoseconds time) {
    std::vector<pollfd> waited;
    auto add = [&](int fd) {
      if (fd >= 0) waited.push_back({.fd = fd, .events = POLLIN, .revents = 0});
    };
    add(input);
    auto add_tracer = [&](const Tracer& tracer) {
      add(tracer.receiver().run_fd());
      add(tracer.receiver().message_fd());
    };
    for (const Step& step : steps_) add_tracer(step.tracer);
    if (pending_) add_tracer(pending_->tracer);
    auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(time).count();
    ::poll(waited.data(), waited.size(), static_cast<int>(std::max<int64_t>(milliseconds, 0)));
    for (Step& step : steps_) step.tracer.receiver().receive();
    if (pending_) pending_->tracer.receiver().receive();
  }

  void show(LiveView& view) {
    Clock::time_point next_frame = Clock::now();
    for (;;) {
      uint32_t run = run_number_;
      take_pending();
      if (Clock::now() >= next_frame || run != run_number_) {
        view.show(shown(), status());
        next_frame = Clock::now() + frame_period;
      }
      wait(view.input_fd(), next_frame - Clock::now());
      pollfd input{.fd = view.input_fd(), .events = POLLIN, .revents = 0};
      if (::poll(&input, 1, 0) <= 0) continue;
      if (view.handle_input(shown()) == LiveView::Next::Quit) return;
      next_frame = Clock::now();
    }
  }

  LiveStatus status() {
    LiveStatus status{.run = run_number_, .path = {}, .program = without_first_line_of_shell(shown().start().script)};
    for (size_t i = 1; i < steps_.size(); ++i) status.path.push_back(steps_[i].label);
    status.own_cpu_percent = cpu_percent();
    status.message = message_;
    if (message_.empty() && current().tracer.has_ended()) status.message = "the run has ended";
    return status;
  }

  // CPU time of this process and the current tracer since the last call. 100: one CPU.
  double cpu_percent() {
    timespec own{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    uint64_t used = static_cast<uint64_t>(own.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(own.tv_nsec);
    used += shown().cost().consumer_cpu_ns + shown().cost().program_cpu_ns;
    Clock::time_point now = Clock::now();
    auto wall = std::chrono::duration<double, std::nano>(now - measured_at_).count();
    if (wall > 1e8) {
      if (used >= used_ns_ && used_ns_ != 0) cpu_percent_ = 100 * static_cast<double>(used - used_ns_) / wall;
      used_ns_ = used;
      measured_at_ = now;
    }
    return cpu_percent_;
  }

  // Ends all runs. Returns the status of the first one, and prints its messages if it has failed.
  int end() {
    pending_.reset();
    while (steps_.size() > 1) steps_.pop_back();
    Tracer& first = steps_.front().tracer;
    bool ended_by_itself = first.has_ended();
    first.stop();
    int status = ended_by_itself ? first.exit_status() : 0;
    if (status != 0) print_text(first.messages());
    return status;
  }

  LiveSubject subject_;
  std::vector<Step> steps_;      // from the program of the command line to the one that is shown
  std::optional<Step> pending_;  // is being attached
  bool is_going_back_ = false;   // `pending_` takes the place of the program before the current one
  std::optional<RunModel> paused_;
  uint32_t run_number_ = 0;
  std::string message_;
  Clock::time_point measured_at_ = Clock::now();
  uint64_t used_ns_ = 0;
  double cpu_percent_ = 0;
};

}  // namespace

Result<int> run_live(LiveSubject subject) { return LiveRun{std::move(subject)}.run(); }

}  // namespace dscope
