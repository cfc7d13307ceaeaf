#include "codegen/native/native_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace dscope {

namespace {

constexpr size_t page_bytes = 64 << 10;  // the largest page size of arm64: protection never spans areas
constexpr size_t section_slack = 4096;   // for the alignment of sections and for stubs between them

size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

NativeMemory::Area NativeMemory::area(size_t size) {
  Area area{.start = used_, .used = used_, .end = used_ + round_up(size + section_slack, page_bytes)};
  used_ = area.end;
  return area;
}

void NativeMemory::reserveAllocationSpace(uintptr_t code_size, llvm::Align, uintptr_t constants_size, llvm::Align,
                                          uintptr_t data_size, llvm::Align) {
  code_ = area(code_size);
  constants_ = area(constants_size);
  data_ = area(data_size);
}

uint8_t* NativeMemory::allocate(Area& area, uintptr_t size, unsigned alignment) {
  size_t at = round_up(area.used, std::max(alignment, 16U));
  if (at + size > area.end || area.end > image_.size()) return nullptr;  // LLVM reports that memory is exhausted
  area.used = at + size;
  return reinterpret_cast<uint8_t*>(image_.data() + at);
}

uint8_t* NativeMemory::allocateCodeSection(uintptr_t size, unsigned alignment, unsigned, llvm::StringRef) {
  return allocate(code_, size, alignment);
}

uint8_t* NativeMemory::allocateDataSection(uintptr_t size, unsigned alignment, unsigned, llvm::StringRef,
                                           bool is_constant) {
  return allocate(is_constant ? constants_ : data_, size, alignment);
}

bool NativeMemory::finalizeMemory(std::string* problem) {
  auto protect = [&](const Area& area, int protection) {
    std::byte* start = image_.data() + area.start;
    if (::mprotect(start, area.end - area.start, protection) == 0) return true;
    if (problem != nullptr) *problem = std::strerror(errno);
    return false;
  };
  auto* code = reinterpret_cast<char*>(image_.data() + code_.start);
  __builtin___clear_cache(code, code + (code_.used - code_.start));
  return !protect(code_, PROT_READ | PROT_EXEC) || !protect(constants_, PROT_READ);
}

}  // namespace dscope
