// BtfBlob: writes small BTF blobs for tests.
#pragma once

#include <linux/btf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/kernel/btf_header.h"

namespace dscope {

class BtfBlob {
 public:
  // A split blob, whose ids continue those of `base`.
  explicit BtfBlob(const BtfBlob* base = nullptr)
      : next_id_(base == nullptr ? 1 : base->next_id_),
        first_name_(base == nullptr ? 0 : base->first_name_ + static_cast<uint32_t>(base->strings_.size())),
        strings_(1, '\0') {}

  // Adds a type and returns its id. `size_or_type`: the union of that name in btf_type; `words`: the trailing data.
  uint32_t add(uint32_t kind, std::string_view type_name, uint32_t size_or_type, std::vector<uint32_t> words = {},
               uint32_t length = 0, bool flag = false) {
    for (uint32_t word : {name(type_name), kind << 24 | length | (flag ? 1U << 31 : 0), size_or_type}) put(word);
    for (uint32_t word : words) put(word);
    return next_id_++;
  }

  // Adds a string and returns its offset, for members and parameters.
  uint32_t name(std::string_view text) {
    if (text.empty()) return 0;
    uint32_t offset = first_name_ + static_cast<uint32_t>(strings_.size());
    strings_.append(text).push_back('\0');
    return offset;
  }

  std::vector<std::byte> bytes() const {
    BtfHeader header{.magic = BTF_MAGIC,
                     .version = BTF_VERSION,
                     .flags = 0,
                     .hdr_len = sizeof(BtfHeader),
                     .type_off = 0,
                     .type_len = static_cast<uint32_t>(types_.size() * 4),
                     .str_off = static_cast<uint32_t>(types_.size() * 4),
                     .str_len = static_cast<uint32_t>(strings_.size())};
    std::vector<std::byte> result(sizeof header + types_.size() * 4 + strings_.size());
    std::memcpy(result.data(), &header, sizeof header);
    std::memcpy(result.data() + sizeof header, types_.data(), types_.size() * 4);
    std::memcpy(result.data() + sizeof header + types_.size() * 4, strings_.data(), strings_.size());
    return result;
  }

 private:
  void put(uint32_t word) { types_.push_back(word); }

  uint32_t next_id_, first_name_;
  std::vector<uint32_t> types_;
  std::string strings_;
};

}  // namespace dscope
