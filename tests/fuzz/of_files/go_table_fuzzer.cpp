// The function table of Go programs of others (.gopclntab). A function at a wrong address would be probed inside an
// instruction: all must lie in the code, in order, with names inside the table.
#include "runtime/elf/go_functions.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t begin = 0x401000, end = 0x500000;
  dscope::FileBudget budget(-1);
  dscope::GoTable table = dscope::parse_go_table({data, size}, begin, end, budget);
  const auto* bytes = reinterpret_cast<const char*>(data);
  uint64_t previous = begin;
  for (const dscope::GoFunction& function : table.functions) {
    DS_CHECK(function.start >= previous && function.size > 0 && function.size <= end - function.start);
    DS_CHECK(function.name.data() >= bytes && function.name.data() + function.name.size() <= bytes + size);
    previous = function.start + function.size;
  }
  return 0;
}
