// dscope -h: the C header through which a program fires the probes of provider definitions. In: plain definitions.
// Out: text for C and C++. The macros are those of dtrace -h; docs/decisions/0015 describes their expansion.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "contract/defined_provider.h"
#include "support/result.h"

namespace dscope {

// Fails for a probe that programs cannot fire; the error names it.
Result<> check_usdt_probes(std::span<const DefinedProvider> providers);

// Returns the text of "prov.h": the macros PROVIDER_PROBE(...) and PROVIDER_PROBE_ENABLED(). The include guard derives
// from `file_name`. Fails as check_usdt_probes() does.
Result<std::string> usdt_header(std::span<const DefinedProvider> providers, std::string_view file_name);

}  // namespace dscope
