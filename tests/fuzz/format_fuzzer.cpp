// The formatter: the result of every text that it accepts is formatted already.
#include <cstddef>
#include <cstdint>
#include <string>

#include "frontend/format/format.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto once = dscope::format_source(std::string(reinterpret_cast<const char*>(data), size));
  if (!once) return 0;
  auto twice = dscope::format_source(*once);
  DS_CHECK(twice && *twice == *once);
  return 0;
}
