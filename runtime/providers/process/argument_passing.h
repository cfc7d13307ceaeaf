// ArgumentPlaces: where functions of x86-64 get their arguments and leave their results. System V psABI 3.2.3; for C++
// objects the Itanium ABI 3.1.2.3.
#pragma once

#include <optional>

#include "contract/probe.h"
#include "runtime/dwarf/process_types.h"

namespace dscope {

class ArgumentPlaces {
 public:
  // Both outlive this; members of types are filled in as they are needed.
  ArgumentPlaces(TypeTable& types, ProcessTypes& process_types) : types_(&types), process_types_(&process_types) {}

  // Where a result of that type is when the function has returned.
  ArgSource result(const ProcessTypes::Passed& passed);
  // To be told before the first argument: functions get the address of a result that does not fit into registers.
  void take_result(const ProcessTypes::Passed& passed);
  // Where the next argument is when the function is entered. Nothing: it cannot be known, nor for those behind it.
  std::optional<ArgSource> next(const ProcessTypes::Passed& passed);

 private:
  enum class Part : uint8_t { None, Integer, Vector };
  struct Parts {
    Part part[2] = {Part::None, Part::None};
    bool is_in_memory = false;
    size_t count(Part wanted) const { return (part[0] == wanted) + size_t{part[1] == wanted}; }
  };

  Parts parts_of(const ProcessTypes::Passed& passed);
  void classify(TypeId id, uint64_t offset, Parts& parts);
  bool is_unspecified(const ProcessTypes::Passed& passed);
  ArgSource in_registers(const Parts& parts, TypeId type, int64_t first, int64_t second) const;
  ArgSource on_stack(TypeId type);

  TypeTable* types_;
  ProcessTypes* process_types_;
  size_t registers_ = 0, vector_registers_ = 0, words_ = 0;
};

}  // namespace dscope
