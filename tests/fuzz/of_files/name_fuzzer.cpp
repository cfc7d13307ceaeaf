// Symbol names of others. Demangling happens in this process for names that look harmless: the result must stay small.
#include <cstddef>
#include <cstdint>

#include "codegen/core/demangle.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string name(reinterpret_cast<const char*>(data), size);
  for (const char* prefix : {"_Z", "_R", ""}) {
    std::string whole = prefix + name;
    // The child costs a fork, and failures end its use.
    if (!dscope::is_harmless(whole)) continue;
    DS_CHECK(dscope::demangle(whole).size() < size_t{1} << 26);
    dscope::demangle_with_parameters(whole);
  }
  return 0;
}
