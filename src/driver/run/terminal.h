// The terminal of standard error, if it is one: its width and colors, and the progress line on it.
#pragma once

#include <memory>

#include "catalog/option_values.h"
#include "driver/command_line/command_line.h"
#include "support/excerpt.h"
#include "support/progress.h"

namespace dscope {

// `fd`: an open descriptor. Without a terminal the result has default width and no colors; NO_COLOR disables colors.
Terminal describe_terminal(int fd);

// The progress line of a slow start. It stays hidden without a terminal that can erase lines, and with option bpflog,
// whose messages would mix with it.
std::unique_ptr<Progress> make_progress(const CommandLine& command_line, const OptionValues& options);

}  // namespace dscope
