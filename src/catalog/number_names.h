// Names of numbers that C programs know by macros: `errno`, signals, flags and other arguments of system calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dscope {

enum class NumberGroup : uint8_t {
  Error,
  Signal,
  AddressFamily,
  Directory,
  Whence,
  Advice,
  ShutdownSide,
  // Flags
  OpenFlags,
  DescriptorFlags,
  Protection,
  MapFlags,
  SocketType,
  SocketFlags,
  AccessMode,
  MessageFlags,
  AtFlags,
  UnlinkFlags,
  RenameFlags,
  WaitOptions
};
inline constexpr size_t number_group_count = static_cast<size_t>(NumberGroup::WaitOptions) + 1;

struct NumberName {
  std::string_view name;
  int64_t value;
};

// In the order of number_names.def.
std::span<const NumberName> names_of(NumberGroup group);
// The group of an argument of a probe; nothing if the argument is an ordinary number.
std::optional<NumberGroup> group_of_argument(std::string_view provider, std::string_view function,
                                             std::string_view name, std::string_view argument);
// True if the names are those of bits, which are combined with |.
inline bool are_flags(NumberGroup group) { return group >= NumberGroup::OpenFlags; }

}  // namespace dscope
