// The header of type information (BTF), as since Linux 4.18. struct btf_header of <linux/btf.h> has more members from
// Linux 7.2 on, and BTF of older kernels and compilers is too short for those.
#pragma once

#include <cstdint>

namespace dscope {

struct BtfHeader {
  uint16_t magic;
  uint8_t version, flags;
  uint32_t hdr_len;             // sections begin after it; may be larger than this struct
  uint32_t type_off, type_len;  // in bytes
  uint32_t str_off, str_len;
};

}  // namespace dscope
