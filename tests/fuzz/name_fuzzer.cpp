// Symbol names of others. Demangling happens in this process for names that look harmless: the result must stay small.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "codegen/core/demangle.h"
#include "codegen/core/demangle_child.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string name(reinterpret_cast<const char*>(data), size);
  for (const char* prefix : {"_Z", "_R", ""}) {
    std::string whole = prefix + name;
    // The child costs a fork, and failures end its use: only names that are demangled here.
    std::string_view letters = whole.starts_with("_R") ? "B" : "ST";
    auto is_reference = [&](char c) { return letters.find(c) != std::string_view::npos; };
    if (std::ranges::count_if(whole, is_reference) > 16 || whole.size() > 2048) continue;
    DS_CHECK(dscope::demangle(whole).size() < size_t{1} << 26);
    dscope::demangle_with_parameters(whole);
  }
  return 0;
}
