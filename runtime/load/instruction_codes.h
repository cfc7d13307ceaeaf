// Codes of BPF instructions that the analyses of linked programs look for (Documentation/bpf/standardization).
#pragma once

#include <linux/bpf.h>

#include <cstdint>

namespace dscope {

constexpr uint8_t load_immediate64 = BPF_LD | BPF_IMM | BPF_DW;  // takes two slots
constexpr uint8_t call_instruction = BPF_JMP | BPF_CALL;

}  // namespace dscope
