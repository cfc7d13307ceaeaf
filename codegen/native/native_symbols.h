// The addresses that native code refers to. Plain data: the runtime supplies it, and this folder compiles it in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace dscope {

struct NativeSymbols {
  // The first argument of every helper.
  void* machine = nullptr;
  // The function that stands in for a BPF helper, by the helper's number: uint64_t (*)(void* machine, uint64_t...),
  // with the helper's arguments as 64-bit words. Null: native code has no such helper.
  std::function<const void*(uint32_t number)> helper;
  // The address of a map, as the program's symbol of that name means it: the map itself, or the value of element 0 of
  // a direct map. Null: there is no such map.
  std::function<void*(std::string_view name)> map;
  // Memory for code and constants, page-aligned. Outlives the code.
  std::span<std::byte> image;
};

}  // namespace dscope
