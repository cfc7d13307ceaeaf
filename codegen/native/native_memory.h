// NativeMemory: puts the sections of native code into memory that the runtime has given. Private to codegen/native.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "codegen/core/llvm_headers.h"

#include <llvm/ExecutionEngine/RTDyldMemoryManager.h>

namespace dscope {

class NativeMemory : public llvm::RTDyldMemoryManager {
 public:
  explicit NativeMemory(std::span<std::byte> image) : image_(image) {}

  bool needsToReserveAllocationSpace() override { return true; }
  void reserveAllocationSpace(uintptr_t code_size, llvm::Align code_align, uintptr_t constants_size,
                              llvm::Align constants_align, uintptr_t data_size, llvm::Align data_align) override;
  uint8_t* allocateCodeSection(uintptr_t size, unsigned alignment, unsigned id, llvm::StringRef name) override;
  uint8_t* allocateDataSection(uintptr_t size, unsigned alignment, unsigned id, llvm::StringRef name,
                               bool is_constant) override;
  // Makes code executable and constants read-only. Returns true on failure.
  bool finalizeMemory(std::string* problem) override;
  // Nothing unwinds through native code: it calls no function that throws.
  void registerEHFrames(uint8_t*, uint64_t, size_t) override {}
  void deregisterEHFrames() override {}

 private:
  struct Area {
    size_t start = 0, used = 0, end = 0;  // offsets in the image
  };
  Area area(size_t size);
  uint8_t* allocate(Area& area, uintptr_t size, unsigned alignment);

  std::span<std::byte> image_;
  size_t used_ = 0;
  Area code_, constants_, data_;
};

}  // namespace dscope
