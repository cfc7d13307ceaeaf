// CallerValues: values that only the caller of a function knows: what it passed in a register that the function has
// overwritten since (DW_OP_entry_value). The return address on the stack selects one of the calls that debug
// information describes. Private to runtime/dwarf.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/dwarf/code_scopes.h"
#include "runtime/dwarf/location_expression.h"
#include "runtime/dwarf/stack_unwinder.h"

namespace dscope {

class CallerValues {
 public:
  // All must outlive this object. `frames` may be null.
  CallerValues(const DebugFile& file, CodeScopes& scopes, const FrameTable* frames)
      : file_(file), dw_(file.dw()), scopes_(scopes), frames_(frames) {}

  // The canonical frame address (CFA) at an instruction.
  std::optional<LocationSteps> frame_address(uint64_t address) const;
  // The value of register `number` at the entry of the function that runs at `address`. The steps end the clause if
  // the function was called from elsewhere.
  std::optional<LocationSteps> at_entry(unsigned number, uint64_t address, const CodeScope& scope);

 private:
  struct Call {
    uint64_t return_address = 0;
    const void* callee = nullptr;  // its entry; null: unknown
    std::string_view callee_name;  // if that is only a declaration
    Dwarf_Die die, unit;
  };
  struct FrameFreer {
    void operator()(Dwarf_Frame* frame) const;
  };
  using Rules = std::unique_ptr<Dwarf_Frame, FrameFreer>;

  Rules rules_at(uint64_t address) const;
  std::optional<LocationSteps> frame_address(const Rules& rules, uint64_t address) const;
  std::optional<LocationSteps> caller_register(const Rules& rules, unsigned number, uint64_t address) const;
  const std::vector<Call>& calls_in(const Dwarf_Die& unit);
  void collect_calls(const Dwarf_Die& parent, const Dwarf_Die& unit, std::vector<Call>& to, int depth) const;
  std::vector<Call> calls_of(const CodeScope& scope);
  std::optional<LocationSteps> passed_value(const Call& call, unsigned number, uint64_t address, const Rules& rules);

  const DebugFile& file_;
  const LibDw& dw_;
  CodeScopes& scopes_;
  const FrameTable* frames_;
  std::map<uint64_t, std::vector<Call>> calls_;  // by the offset of the unit
};

}  // namespace dscope
