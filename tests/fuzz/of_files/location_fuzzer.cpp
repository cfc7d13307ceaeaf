// Location expressions of others: each operation is a byte for its code and two for its operands.
#include <cstring>
#include <vector>

#include "location_steps.h"
#include "runtime/dwarf/location_expression.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dscope;
  const LibDw* dw = find_libdw();
  if (dw == nullptr) return 0;
  std::vector<Dwarf_Op> operations;
  for (size_t at = 0; at + 3 <= size; at += 3) {
    Dwarf_Op& operation = operations.emplace_back();
    operation.atom = data[at];
    operation.number = data[at + 1];
    operation.number2 = data[at + 2];
  }
  ExpressionContext context{.address = 0x1000,
                            .frame_base = LocationSteps{{LocationOperation::Register, 32}},
                            .frame_address = LocationSteps{{LocationOperation::Register, 152}},
                            .thread_block = -16};
  fuzz::check_steps(translate_location(*dw, nullptr, operations, context));
  context.register_value = [](unsigned number) {
    return number % 2 == 0 ? std::optional{LocationSteps{{LocationOperation::Constant, number}}} : std::nullopt;
  };
  fuzz::check_steps(translate_location(*dw, nullptr, operations, context));
  return 0;
}
