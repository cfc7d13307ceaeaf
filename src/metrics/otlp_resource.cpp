// The resource attributes of OTLP: host, service and operating system.
#include <sys/utsname.h>

#include <algorithm>

#include "metrics/family_names.h"
#include "metrics/otlp_metrics.h"
#include "support/read_file.h"
#include "support/text/parse_integer.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

// %2C and other octets as in a W3C baggage header.
std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    auto byte =
        text[i] == '%' && i + 3 <= text.size() ? parse_integer<uint8_t>(text.substr(i + 1, 2), 16) : std::nullopt;
    decoded += byte ? static_cast<char>(*byte) : text[i];
    if (byte) i += 2;
  }
  return decoded;
}

// The names of the convention host.arch.
std::string_view architecture_name(std::string_view machine) {
  if (machine == "x86_64") return "amd64";
  return machine == "aarch64" ? "arm64" : machine;
}

std::string machine_id() {
  std::string id = read_file("/etc/machine-id").value_or("");
  return id.substr(0, id.find_first_of(" \n"));
}

}  // namespace

OtlpResource describe_resource(std::string_view version, std::string (*environment)(const char* name)) {
  OtlpResource resource{.attributes = {}, .scope_version = std::string{version}};
  auto set = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    auto known = std::ranges::find(resource.attributes, name, &std::pair<std::string, std::string>::first);
    if (known != resource.attributes.end()) known->second = label_text(value);
    else resource.attributes.emplace_back(name, label_text(value));
  };
  utsname names{};
  ::uname(&names);
  set("service.name", "dscope");
  set("service.version", version);
  set("host.name", names.nodename);
  set("host.id", machine_id());
  set("host.arch", architecture_name(names.machine));
  set("os.type", "linux");
  set("os.version", names.release);
  set("telemetry.sdk.name", "dscope");
  set("telemetry.sdk.language", "cpp");
  set("telemetry.sdk.version", version);
  std::string given = environment("OTEL_RESOURCE_ATTRIBUTES");
  for (std::string_view pair : parts_of(given, ",")) {
    std::string_view name = split_front(pair, "=");
    while (name.starts_with(' ')) name.remove_prefix(1);
    if (!name.empty()) set(name, percent_decoded(pair));
  }
  set("service.name", environment("OTEL_SERVICE_NAME"));
  return resource;
}

std::string_view ucum_unit(std::string_view unit) {
  static constexpr std::pair<std::string_view, std::string_view> units[] = {
      {"seconds", "s"}, {"milliseconds", "ms"}, {"microseconds", "us"}, {"nanoseconds", "ns"},
      {"bytes", "By"},  {"ratio", "1"},         {"percent", "%"},       {"", ""}};
  for (const auto& [name, ucum] : units)
    if (name == unit) return ucum;
  return unit;
}

}  // namespace dscope
