// The release of dscope, as programs and people read it.
#include "driver/command_line/command_line.h"
#include "support/format.h"

namespace dscope {

std::string release_name() { return fmt::format("dscope {}", DSCOPE_VERSION); }

std::string version_text(std::string_view program_name, bool is_verbose) {
  // Scripts for DTrace compare this line.
  std::string text = is_dtrace_name(program_name) ? "dtrace: Oracle D 2.0\n"
                                                  : fmt::format("{}: dscope {}, D 2.0\n", program_name, DSCOPE_VERSION);
  if (is_verbose)
    text += fmt::format(
        "This is DTrace by dscope {0}\n{1}({2}) version-control ID: {0}\nlibdtrace version-control ID: {0}\n",
        DSCOPE_VERSION, program_name, is_dtrace_name(program_name) ? 1 : 8);
  return text;
}

}  // namespace dscope
