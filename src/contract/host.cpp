#include "contract/host.h"

#include "support/text/glob.h"

namespace dscope {

namespace {

bool is_name(std::string_view field) { return !field.empty() && !is_glob(field); }

}  // namespace

Attributes description_attributes(Host& host, const ProbeDescription& description) {
  constexpr Attributes unknown{Stability::Unstable, Stability::Unstable, DependencyClass::Common};
  if (!is_name(description.provider)) return unknown;
  // A provider without probes is unknown to the machine.
  if (host.match({.id = {}, .provider = description.provider, .module = {}, .function = {}, .name = {}}).empty())
    return unknown;
  ProviderAttributes provider = host.provider_attributes(description.provider);
  Attributes lowest = provider.provider;
  if (is_name(description.module)) lowest = minimum(lowest, provider.module);
  if (is_name(description.function)) lowest = minimum(lowest, provider.function);
  if (is_name(description.name)) lowest = minimum(lowest, provider.name);
  return lowest;
}

}  // namespace dscope
