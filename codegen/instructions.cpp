#include "codegen/instructions.h"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include <memory>

namespace dscope {

namespace {

struct DisassemblerCloser {
  void operator()(void* disassembler) const { LLVMDisasmDispose(disassembler); }
};

LLVMDisasmContextRef disassembler() {
  static const std::unique_ptr<void, DisassemblerCloser> instance = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    return std::unique_ptr<void, DisassemblerCloser>{
        LLVMCreateDisasm("x86_64-unknown-linux-gnu", nullptr, 0, nullptr, nullptr)};
  }();
  return instance.get();
}

}  // namespace

std::vector<uint32_t> find_instructions(std::span<const uint8_t> code) {
  std::vector<uint32_t> offsets;
  LLVMDisasmContextRef reader = disassembler();
  if (reader == nullptr) return offsets;
  char text[128];
  for (size_t at = 0; at < code.size();) {
    auto* bytes = const_cast<uint8_t*>(code.data() + at);  // the interface is C's: it does not write
    size_t size = LLVMDisasmInstruction(reader, bytes, code.size() - at, at, text, sizeof text);
    if (size == 0) return {};
    offsets.push_back(static_cast<uint32_t>(at));
    at += size;
  }
  return offsets;
}

}  // namespace dscope
