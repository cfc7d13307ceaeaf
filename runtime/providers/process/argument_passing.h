// ArgumentLocations: the registers and stack words in which 64-bit functions receive arguments and return results
// (ObjectPassing in arch/architecture.h); for C++ objects the Itanium ABI 3.1.2.3.
#pragma once

#include <optional>

#include "arch/architecture.h"
#include "runtime/dwarf/process_types.h"

namespace dscope {

class ArgumentLocations {
 public:
  // All must outlive this object, which completes the members of types as needed.
  ArgumentLocations(TypeTable& types, ProcessTypes& process_types,
                    const Architecture& architecture = native_architecture())
      : types_(&types), process_types_(&process_types), abi_(&architecture.functions) {}

  // The location of a result of that type at the return of the function; nothing if it is unknown.
  std::optional<ArgSource> result(const ProcessTypes::Passed& passed);
  // Call before the first next(): a result that does not fit into registers is returned through a hidden argument.
  void reserve_result(const ProcessTypes::Passed& passed);
  // The location of the next argument at the entry of the function. Nothing if it is unknown; so are all later ones.
  std::optional<ArgSource> next(const ProcessTypes::Passed& passed);

 private:
  enum class Part : uint8_t { None, Integer, Vector };
  struct Parts {
    Part part[2] = {Part::None, Part::None};
    bool is_in_memory = false;
    size_t vectors = 0;  // Aapcs64: vector registers; `part` describes the first only
    size_t count(Part wanted) const { return (part[0] == wanted) + size_t{part[1] == wanted}; }
  };

  Parts parts_of(const ProcessTypes::Passed& passed);
  void classify(TypeId id, uint64_t offset, Parts& parts);
  bool is_unspecified(const ProcessTypes::Passed& passed);
  ArgSource in_registers(const Parts& parts, TypeId type, int64_t first, int64_t second) const;
  ArgSource on_stack(TypeId type);

  // ObjectPassing::Aapcs64
  bool is_aapcs64() const { return abi_->objects == ObjectPassing::Aapcs64; }
  Parts aapcs64_parts_of(TypeId id);
  size_t count_vector_members(TypeId id, uint64_t& member_size);
  std::optional<ArgSource> next_aapcs64(const ProcessTypes::Passed& passed);

  TypeTable* types_;
  ProcessTypes* process_types_;
  const FunctionAbi* abi_;
  size_t registers_ = 0, vector_registers_ = 0, words_ = 0;
};

}  // namespace dscope
