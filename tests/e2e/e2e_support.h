// Runs the built dscope as a user would and collects what it says.
#pragma once

#include <string>
#include <vector>

namespace dscope::e2e {

struct Outcome {
  int status = -1;  // exit status, or 128 + signal
  std::string out, err;
};

// Runs `program` (looked up in PATH) with both streams captured; `environment` entries are NAME=VALUE.
Outcome run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});
// The built program with these arguments.
Outcome dscope(std::vector<std::string> arguments, const std::vector<std::string>& environment = {});

// The built program on a terminal of 100 columns that both streams go to; `out` is what a person would have received,
// with newlines for the terminal's CR LF. TERM is xterm unless `environment` says otherwise.
Outcome dscope_on_terminal(std::vector<std::string> arguments, const std::vector<std::string>& environment = {});
// What stays to be read of that once lines are erased and escape sequences for colours gone.
std::string left_on_screen(const std::string& received);

// Starts dscope, waits until `text` appears on its stdout or stderr, sends `signal_number`, collects the rest.
Outcome dscope_with_signal(std::vector<std::string> arguments, const std::string& text, int signal_number);

// True if this process may load BPF programs; tests skip otherwise (or fail, with DSCOPE_REQUIRE_E2E).
bool can_trace();

// Replaces what differs from run to run and kernel to kernel: 0x-numbers, BPF pcs, ids of probes in fault messages and,
// where rows have it, the leading CPU column.
std::string masked(std::string text, bool has_cpu_column);

}  // namespace dscope::e2e

#define SKIP_UNLESS_TRACING()                                                          \
  do {                                                                                 \
    if (!dscope::e2e::can_trace()) GTEST_SKIP() << "needs root and a kernel with BPF"; \
  } while (false)
