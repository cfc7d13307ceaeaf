// Zero-padded string buffers as the support library expects them, with guards that detect writes beyond the end.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace dscope {

inline size_t capacity_for(size_t characters) { return (characters + 8) / 8 * 8; }

// Allocated with its exact size, so that the address sanitizer also detects reads beyond the end.
class Buffer {
 public:
  explicit Buffer(size_t capacity, const std::string& text = "") : bytes_(capacity + kGuard, kMark) {
    std::fill_n(bytes_.begin(), capacity, '\0');
    std::copy(text.begin(), text.end(), bytes_.begin());
  }
  static Buffer garbage(size_t capacity) {
    Buffer buffer(capacity);
    std::fill_n(buffer.bytes_.begin(), capacity, '#');
    return buffer;
  }

  char* data() { return bytes_.data(); }
  size_t capacity() const { return bytes_.size() - kGuard; }
  // Returns the string after it checked padding and guard.
  std::string text() const {
    std::string text(bytes_.data(), strnlen(bytes_.data(), capacity()));
    EXPECT_LT(text.size(), capacity()) << "no terminator";
    for (size_t i = text.size(); i < capacity(); i++) EXPECT_EQ(bytes_[i], 0) << "not padded at " << i << ": " << text;
    for (size_t i = capacity(); i < bytes_.size(); i++) EXPECT_EQ(bytes_[i], kMark) << "written beyond the end";
    return text;
  }

 private:
  static constexpr char kMark = '\x5a';
#if defined(__SANITIZE_ADDRESS__)
  static constexpr size_t kGuard = 0;
#else
  static constexpr size_t kGuard = 16;
#endif
  std::vector<char> bytes_;
};

// Random numbers and strings biased to edge cases: empty, full, repetitive, small alphabets.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  uint64_t below(uint64_t bound) { return engine_() % bound; }
  bool chance(uint64_t one_in) { return below(one_in) == 0; }
  int64_t number() {
    uint64_t value = engine_() >> below(64);
    return static_cast<int64_t>(chance(2) ? value : -value);
  }
  size_t characters(size_t max_length) {
    if (chance(8)) return 0;
    if (chance(8)) return max_length;
    return below((chance(2) ? max_length : std::min<size_t>(max_length, 12)) + 1);
  }
  std::string string(size_t max_length, const std::string& alphabet = "") {
    std::string text(characters(max_length), ' ');
    for (char& c : text) c = alphabet.empty() ? static_cast<char>(1 + below(255)) : alphabet[below(alphabet.size())];
    return text;
  }
  size_t capacity() { return 8 * (1 + below(chance(3) ? 70 : 8)); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace dscope
