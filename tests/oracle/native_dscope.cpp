// dscope with native code in place of BPF, for programs of BEGIN and END: the oracle compares both back ends with its
// model. It takes dscope's command line, compiles for this machine and replays a recording without events.
#include <time.h>

#include <cstdlib>

#include "driver/command_line/command_line.h"
#include "driver/replay/replay_run.h"
#include "driver/run/messages.h"
#include "runtime/providers/live_host.h"
#include "runtime/symbols/live_symbolizer.h"
#include "support/catch_exceptions.h"
#include "support/print_message.h"

namespace dscope {
namespace {

class NoFirings : public FiringSource {
 public:
  bool next(Firing&, uint32_t&) override { return false; }
};

uint64_t clock_ns(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

int run(std::span<const char* const> arguments) {
  auto command_line = parse_command_line(arguments);
  if (!command_line) {
    print_text(command_line.error().text);
    return command_line.error().exit_status;
  }
  command_line->program_name = "dscope";
  auto options = make_options(*command_line, [](const std::string& name) { return std::getenv(name.c_str()); });
  if (!options) return report(command_line->program_name, options.error());
  std::unique_ptr<LiveHost> host = make_live_host();
  std::unique_ptr<Symbolizer> symbols = make_live_symbolizer({});
  NoFirings firings;
  uint64_t now = clock_ns(CLOCK_MONOTONIC);
  ReplaySubject subject{.host = *host,
                        .firings = firings,
                        .symbols = *symbols,
                        .recordings = {{.begin = now, .end = now, .boot_to_wall_ns = clock_ns(CLOCK_REALTIME) - now}}};
  Result<int> status = catch_exceptions([&] { return replay(*command_line, *options, subject); });
  return status ? *status : report(command_line->program_name, status.error());
}

}  // namespace
}  // namespace dscope

int main(int argc, char** argv) {
  return dscope::run({const_cast<const char* const*>(argv), static_cast<size_t>(argc)});
}
