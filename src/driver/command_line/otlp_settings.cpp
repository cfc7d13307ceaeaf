#include "driver/command_line/otlp_settings.h"

#include "support/format.h"

namespace dscope {

std::string set_otlp(OtlpSettings& settings, std::string_view name, std::string_view value) {
  if (name == "--otlp") {
    if (!value.starts_with("http://") && !value.starts_with("https://"))
      return fmt::format("invalid --otlp value '{}': expected http://HOST:PORT or https://HOST:PORT", value);
    settings.url = value;
  } else if (name == "--otlp-header-file") {
    settings.header_file = value;
  } else if (name == "--otlp-format") {
    if (value != "protobuf" && value != "json")
      return fmt::format("invalid --otlp-format value '{}': expected protobuf or json", value);
    settings.is_json = value == "json";
  } else {
    OptionValues parsed;
    auto set = parsed.set("duration", value, true, OptionOrigin::CommandLine);
    if (!set || parsed.number(OptionId::Duration) <= 0)
      return fmt::format("invalid --otlp-interval value '{}': expected a time, as in 10, 500ms, 5m", value);
    settings.interval_ns = parsed.number(OptionId::Duration);
  }
  return {};
}

}  // namespace dscope
