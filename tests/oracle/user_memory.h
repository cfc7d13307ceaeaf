// The memory of the traced process that a site's arg4 points to. tests/e2e/triggers/calls.c fills it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace dscope::oracle {

// Strings, then arbitrary bytes, then the numbers of the thread and of the event as unsigned.
constexpr uint32_t user_text_size = 32, user_memory_size = 64;
// After that, these pointers: the offsets of their targets. The third points to the second, the last is NULL.
constexpr int64_t null_pointer = -1;
constexpr std::array<int64_t, 4> user_pointers{0, 16, user_memory_size + 8, null_pointer};

using UserMemory = std::array<uint8_t, user_memory_size>;

inline UserMemory user_memory(uint32_t thread, uint32_t event) {
  UserMemory bytes{};
  constexpr std::string_view texts("pointers\0lead to user memory", 28);
  std::copy(texts.begin(), texts.end(), bytes.begin());
  for (uint32_t i = user_text_size; i < user_memory_size; ++i) bytes[i] = static_cast<uint8_t>(i * 37 + 11);
  std::memcpy(&bytes[56], &thread, sizeof thread);
  std::memcpy(&bytes[60], &event, sizeof event);
  return bytes;
}

}  // namespace dscope::oracle
