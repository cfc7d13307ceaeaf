// Options of the command line that exclude each other. Each function returns a sentence, or an empty text if the line
// is right.
#pragma once

#include <string_view>

#include "driver/command_line/command_line.h"

namespace dscope {

std::string_view redaction_conflict(const CommandLine& line);  // of --redact, which the line has
std::string_view replay_conflict(const CommandLine& line);
std::string_view recording_conflict(const CommandLine& line);
// Conflicts of --live, --serve, --otlp, --report and --timeline.
std::string_view pictures_conflict(const CommandLine& line);

}  // namespace dscope
