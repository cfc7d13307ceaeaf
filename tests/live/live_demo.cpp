// The live view of a run that never happened, for tests/live/live_test.py.
// usage: live_demo COMMANDS LOG [--ascii]   COMMANDS: a fifo; LOG: a file that gets a line for each thing done
//        live_demo --bench ELEMENTS UPDATES LOG: CPU time of the view
// Commands, one a line: update N, rows TEXT, drops N, faults N, crash, end.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/live_view.h"
#include "live/ncurses_terminal.h"
#include "support/fd.h"
#include "synthetic_run.h"

namespace dscope::test {
namespace {

int64_t cpu_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

class Demo : public LiveHandler {
 public:
  explicit Demo(const std::string& log) : log_(log) {
    status_.program = "syscall:::entry { @calls[execname, probefunc] = count(); }";
  }

  bool can_drill(uint32_t, uint32_t element) override { return element != 1; }
  void drill(uint32_t aggregation, uint32_t element) override {
    log_line("drill " + std::to_string(aggregation) + " " + std::to_string(element));
    status_.path.push_back("execname = " + model_->aggregations()[aggregation].elements[element].keys.front().text);
    begin();
  }
  void back() override {
    log_line("back");
    status_.path.pop_back();
    begin();
  }
  Result<std::string> save_script() override {
    log_line("script");
    return "demo-1.d";
  }
  Result<std::string> save_report() override {
    log_line("report");
    return fail(Error("cannot write demo.html: No space left on device"));
  }
  void set_paused(bool is_paused) override {
    log_line(is_paused ? "paused" : "resumed");
    paused_.reset();
    if (is_paused) paused_.emplace(*model_);
  }

  void begin() {
    run_ = SyntheticRun{};
    model_.emplace(SyntheticRun::start());
    ++status_.run;
    status_.own_cpu_percent = 1.25;
    for (int i = 0; i < 4; ++i) model_->add(run_.next());
  }

  // Returns false at the end.
  bool obey(const std::string& line) {
    std::string word = line.substr(0, line.find(' '));
    std::string rest = line.size() > word.size() ? line.substr(word.size() + 1) : "";
    if (word == "crash") std::abort();
    if (word == "end") return false;
    if (word == "update") {
      for (int i = std::atoi(rest.c_str()); i > 0; --i) model_->add(run_.next());
    } else {
      RunUpdate update{.time_ns = model_->last_time_ns()};
      if (word == "rows") run_.add_row(update, rest + "\n");
      uint64_t count = std::strtoull(rest.c_str(), nullptr, 10);
      if (word == "drops")
        update.drops.push_back({.time_ns = update.time_ns, .text = rest + " drops on CPU 0", .count = count});
      if (word == "faults")
        update.faults.assign(count, {.time_ns = update.time_ns, .text = "invalid address (0x10) in action #1"});
      model_->add(std::move(update));
    }
    log_line("did " + line);
    return true;
  }

  const RunModel& shown() const { return paused_ ? *paused_ : *model_; }
  const LiveStatus& status() const { return status_; }
  void log_line(const std::string& line) { log_ << line << std::endl; }

 private:
  std::ofstream log_;
  SyntheticRun run_;
  std::optional<RunModel> model_, paused_;
  LiveStatus status_;
};

int run_view(const char* commands, const char* log, bool is_ascii) {
  Demo demo{log};
  demo.begin();
  auto terminal = NcursesTerminal::open({.is_ascii = is_ascii});
  if (!terminal) {
    std::fprintf(stderr, "%s\n", terminal.error().message().c_str());
    return 1;
  }
  LiveView view{**terminal, demo};
  view.show(demo.shown(), demo.status());
  // Opened for writing too: the end of one writer is not the end of the commands.
  Fd fifo{::open(commands, O_RDWR | O_CLOEXEC)};
  demo.log_line("ready " + std::to_string(::getpid()));
  std::string pending;
  for (bool goes_on = true; goes_on;) {
    pollfd files[] = {{.fd = view.input_fd(), .events = POLLIN, .revents = 0},
                      {.fd = fifo.get(), .events = POLLIN, .revents = 0}};
    ::poll(files, 2, -1);
    if (view.handle_input(demo.shown()) == LiveView::Next::Quit) break;
    char buffer[4096];
    ssize_t length = (files[1].revents & POLLIN) != 0 ? ::read(fifo.get(), buffer, sizeof buffer) : 0;
    if (length > 0) pending.append(buffer, static_cast<size_t>(length));
    for (size_t end; goes_on && (end = pending.find('\n')) != pending.npos; pending.erase(0, end + 1))
      goes_on = demo.obey(pending.substr(0, end));
    view.show(demo.shown(), demo.status());
  }
  demo.log_line("quit " + std::to_string(view.end_signal()));
  return 0;
}

// The real terminal with keys that nobody presses.
class KeyedTerminal : public LiveTerminal {
 public:
  explicit KeyedTerminal(LiveTerminal& terminal) : terminal_(terminal) {}

  ScreenSize size() const override { return terminal_.size(); }
  DrawingMode mode() const override { return terminal_.mode(); }
  void draw(const Canvas& canvas) override { terminal_.draw(canvas); }
  void invalidate() override { terminal_.invalidate(); }
  std::optional<KeyPress> next_key() override { return std::exchange(key, std::nullopt); }
  int input_fd() const override { return terminal_.input_fd(); }
  int end_signal() const override { return terminal_.end_signal(); }

  std::optional<KeyPress> key;

 private:
  LiveTerminal& terminal_;
};

// Measures only the view: the model is updated outside of the measured part.
int run_bench(size_t elements, int updates, const char* log) {
  Demo demo{log};
  demo.begin();
  SyntheticRun run{elements};
  RunModel model{SyntheticRun::start()};
  auto terminal = NcursesTerminal::open({});
  if (!terminal) return 1;
  KeyedTerminal keyed{**terminal};
  LiveView view{keyed, demo};
  view.show(model, {});
  const std::pair<const char*, std::u32string> screens[] = {
      {"table", U"1"},    {"sorted by key", U">>"}, {"filtered", U"<</a"}, {"histogram", U"\r2"},
      {"heat map", U"m"}, {"stacks", U"3"},         {"rows", U"7"}};
  for (const auto& [name, keys] : screens) {
    for (char32_t character : keys) {
      keyed.key = character == U'\r' ? KeyPress{.kind = KeyPress::Kind::Enter} : character_key(character);
      view.handle_input(model);
    }
    int64_t updated = 0, pressed = 0, longest = 0;
    for (int i = 0; i < updates; ++i) {
      model.add(run.next());
      int64_t begin = cpu_ns();
      view.show(model, {});
      int64_t shown = cpu_ns();
      keyed.key = KeyPress{.kind = KeyPress::Kind::Down};
      if (std::string_view(name) != "filtered") view.handle_input(model);
      view.show(model, {});
      int64_t end = cpu_ns();
      updated += shown - begin;
      pressed += end - shown;
      longest = std::max({longest, shown - begin, end - shown});
    }
    demo.log_line(std::string(name) + ": update " + std::to_string(updated / updates / 1000) + " us, key " +
                  std::to_string(pressed / updates / 1000) + " us, longest " + std::to_string(longest / 1000) + " us");
  }
  return 0;
}

}  // namespace
}  // namespace dscope::test

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 4 && arguments[0] == "--bench")
    return dscope::test::run_bench(std::strtoul(argv[2], nullptr, 10), std::atoi(argv[3]), argv[4]);
  if (arguments.size() < 2) return 2;
  return dscope::test::run_view(argv[1], argv[2], arguments.size() > 2 && arguments[2] == "--ascii");
}
