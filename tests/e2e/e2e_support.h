// Runs the built dscope as a user would and collects its output.
#pragma once

#include <string>
#include <vector>

namespace dscope::e2e {

struct Outcome {
  int status = -1;  // exit status, or 128 + signal
  std::string out, err;
};

// Runs `program` (looked up in PATH) with both streams captured. `environment` entries are NAME=VALUE.
Outcome run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});
// Runs the built dscope with these arguments.
Outcome dscope(std::vector<std::string> arguments, const std::vector<std::string>& environment = {});

// Runs the built dscope with both streams on a terminal of 100 columns. `out` holds the bytes that reached the
// terminal, with each CR LF replaced by a newline. TERM is xterm unless `environment` sets it.
Outcome dscope_on_terminal(std::vector<std::string> arguments, const std::vector<std::string>& environment = {});
// The text left on the screen: without erased lines and without color escape sequences.
std::string left_on_screen(const std::string& received);

// Starts dscope, waits until `text` appears on its stdout or stderr, sends `signal_number`, and collects the rest.
Outcome dscope_with_signal(std::vector<std::string> arguments, const std::string& text, int signal_number);

// True if this process may load BPF programs. Otherwise tests are skipped (or fail, with DSCOPE_REQUIRE_E2E).
bool can_trace();

// Whether a 32-bit program runs on this machine. If not, dscope must say so, which this checks with `program`.
bool runs_32_bit_program(const std::string& program);

// Masks the text that differs between runs and kernels: hexadecimal numbers, BPF program counters, probe ids in fault
// messages and, if rows have one, the leading CPU column.
std::string masked(std::string text, bool has_cpu_column);

}  // namespace dscope::e2e

#define SKIP_UNLESS_TRACING()                                                          \
  do {                                                                                 \
    if (!dscope::e2e::can_trace()) GTEST_SKIP() << "needs root and a kernel with BPF"; \
  } while (false)
