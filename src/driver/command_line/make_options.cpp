// make_options(): the options of the environment and of the command line, in the order in which they take effect.
#include <cctype>

#include "driver/command_line/command_line.h"

namespace dscope {

Result<OptionValues> make_options(const CommandLine& command_line, const EnvironmentLookup& environment) {
  OptionValues options;
  options.set_data_model(command_line.data_model);
  if (!command_line.is_dtrace()) DS_TRY_VOID(options.set("printform", "compact", true, OptionOrigin::Environment));
  for (std::string_view name : all_option_names()) {
    std::string variable = "DTRACE_OPT_";
    for (char c : name) variable += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const char* value = environment(variable);
    if (!value) continue;
    if (auto set = options.set(name, value, true, OptionOrigin::Environment); !set)
      return fail(std::move(set.error()).with_context("failed to set " + variable));
  }
  for (const OptionSetting& setting : command_line.settings) {
    auto set = options.set(setting.name, setting.value, setting.has_value, OptionOrigin::CommandLine);
    if (set) continue;
    return fail(std::move(set.error()).with_context("failed to set " + setting.flag).hint(option_hint(setting.name)));
  }
  return options;
}

}  // namespace dscope
