#include "runtime/replay/arena.h"

#include <sys/mman.h>

#include <cerrno>
#include <utility>

namespace dscope {

namespace {

constexpr uintptr_t preferred_address = 0x1000'0000'0000;
// A limit of address space (ulimit -v) may allow less.
constexpr size_t largest = size_t{64} << 30, smallest = size_t{256} << 20;

std::byte* reserve(size_t bytes) {
  void* wanted = reinterpret_cast<void*>(preferred_address);
  void* memory = ::mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

}  // namespace

Result<Arena> Arena::create() {
  for (size_t bytes = largest; bytes >= smallest; bytes /= 2)
    if (std::byte* memory = reserve(bytes); memory != nullptr) return Arena(reinterpret_cast<uintptr_t>(memory), bytes);
  return fail(Error::from_errno(errno, "cannot reserve memory for maps"));
}

Arena::Arena(Arena&& other) noexcept
    : start_(std::exchange(other.start_, 0)), size_(std::exchange(other.size_, 0)), used_(other.used_) {}

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(start_, other.start_);
  std::swap(size_, other.size_);
  std::swap(used_, other.used_);
  return *this;
}

Arena::~Arena() {
  if (size_ != 0) ::munmap(reinterpret_cast<void*>(start_), size_);
}

Result<std::span<std::byte>> Arena::allocate(size_t bytes, size_t alignment) {
  size_t at = (used_ + alignment - 1) / alignment * alignment;
  if (at > size_ || bytes > size_ - at) return fail(Error("not enough address space for the maps of the program"));
  used_ = at + bytes;
  return std::span{reinterpret_cast<std::byte*>(start_ + at), bytes};
}

}  // namespace dscope
