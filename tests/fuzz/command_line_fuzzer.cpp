// Parses command lines and option settings from arbitrary bytes: each line of the input is one argument.
#include <cstddef>
#include <cstdint>

#include "driver/command_line/command_line.h"
#include "support/check.h"

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    // An argument ends at the first NUL byte.
    lines.back().resize(std::min(lines.back().find('\0'), lines.back().size()));
    at = end + 1;
  }
  return lines;
}

void parse(const std::vector<std::string>& lines) {
  std::vector<const char*> arguments = {"/usr/sbin/dscope"};
  for (const std::string& line : lines) arguments.push_back(line.c_str());
  auto parsed = dscope::parse_command_line(arguments);
  if (!parsed) {
    DS_CHECK(parsed.error().exit_status == 2 && parsed.error().text.ends_with('\n'));
    return;
  }
  auto environment = [&](const std::string&) { return lines.back().c_str(); };
  auto nothing = [](const std::string&) -> const char* { return nullptr; };
  auto from_environment = make_options(*parsed, environment), options = make_options(*parsed, nothing);
  if (!options) DS_CHECK(options.error().exit_status() == 1 && options.error().message().starts_with("failed to set "));
}

// An accepted value lies within the limits that all later phases rely on.
void set(const std::string& line) {
  size_t equals = line.find('=');
  bool has_value = equals != std::string::npos;
  std::string name = line.substr(0, equals), value = has_value ? line.substr(equals + 1) : "";
  for (auto origin : {dscope::OptionOrigin::Environment, dscope::OptionOrigin::CommandLine,
                      dscope::OptionOrigin::Pragma, dscope::OptionOrigin::Setopt}) {
    dscope::OptionValues options;
    if (!options.set(name, value, has_value, origin)) continue;
    const dscope::OptionRow* row = dscope::find_option(name);
    DS_CHECK(row != nullptr && options.number(row->id) >= -1);
    DS_CHECK(options.number(dscope::OptionId::Strsize) >= 2 && options.number(dscope::OptionId::Strsize) <= UINT32_MAX);
  }
  dscope::option_hint(name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::string> lines = lines_of({reinterpret_cast<const char*>(data), size});
  if (lines.empty()) return 0;
  parse(lines);
  for (const std::string& line : lines) set(line);
  return 0;
}
