#include "codegen/lower/memory/user_memory.h"

#include "codegen/lower/probe/task_context.h"
#include "frontend/plan/plan_machine.h"

namespace dscope {

namespace {

constexpr uint64_t page_bytes = 4096;

}  // namespace

bool UserMemory::may_sleep() const {
  return options_.may_sleep && frame_.kind == BpfContext::Probe && frame_.program != nullptr;
}

// Reads `size` (i32) bytes and sleeps until their pages are in memory. Returns 0 on success.
V UserMemory::fetch_user(V to, V size, V address) {
  core_.out.sleeping_programs.insert(static_cast<size_t>(frame_.program - layout_.programs.data()));
  return b_.call(Helper::CopyFromUser, {to, size, address});
}

// Excludes probes about a thread that is not running: the running process has another address space.
bool UserMemory::can_read_kernel_copy() const {
  return compiled_.memory_layout && !task_.has_other_subject() && may_lack_pages(meaning_, *state_.clause);
}

// Defines the constant ds_memory, which the support library refers to.
void UserMemory::define_memory_layout() {
  V layout = core_.machine_table({.kind = MachineTable::MemoryLayout}, "ds_memory");
  llvm::cast<llvm::GlobalVariable>(layout)->setLinkage(llvm::GlobalValue::ExternalLinkage);
}

// The kernel addresses of a user byte and of the first byte of the next page. `memory` is a struct mm_struct, or 0 for
// the running process.
std::pair<V, V> UserMemory::kernel_addresses(V memory, V address) {
  define_memory_layout();
  auto kernel_address = [&](V at) { return b_.call_support("ds_global_user_byte", b_.i64, {memory, at}); };
  V next = b_.ir.CreateAdd(b_.ir.CreateOr(address, b_.number(page_bytes - 1)), b_.number(1));
  V first = kernel_address(address);
  return {first, kernel_address(next)};
}

// Reads `count` bytes to memory of `room` bytes at `to`.
V UserMemory::read(V to, uint32_t room, V count, V address) {
  V size = b_.ir.CreateTrunc(count, b_.i32);
  V result = b_.call(Helper::ProbeReadUser, {to, size, address});
  if (may_sleep()) return retry_if_failed(result, [&] { return fetch_user(to, size, address); });
  if (!can_read_kernel_copy() || room == 0) return result;
  return retry_if_failed(result, [&] {
    auto addresses = kernel_addresses(b_.number(0), address);
    return b_.call_support("ds_copy_user", b_.i64,
                           {to, b_.number(uint64_t{room} * 2), count, addresses.first, addresses.second});
  });
}

// Reads a string of at most `count` bytes including its terminator into zeroed memory of `bytes` bytes. The string may
// end in front of a page that does not exist, so failures to fetch a page are ignored.
V UserMemory::read_text(V to, uint32_t bytes, V count, V address) {
  V size = b_.ir.CreateTrunc(count, b_.i32);
  V result = b_.call(Helper::ProbeReadUserStr, {to, size, address});
  if (may_sleep())
    return retry_if_failed(result, [&] {
      V byte = b_.shared_slot(8, "fetched");
      auto fetch = [&](uint64_t at) { fetch_user(byte, b_.number32(1), b_.ir.CreateAdd(address, b_.number(at))); };
      for (uint64_t at = 0; at < bytes; at += page_bytes) fetch(at);
      if (bytes != 0) fetch(bytes - 1);
      return b_.call(Helper::ProbeReadUserStr, {to, size, address});
    });
  if (!can_read_kernel_copy()) return result;
  return retry_if_failed(result, [&] {
    auto addresses = kernel_addresses(b_.number(0), address);
    return b_.call_support("ds_copy_user", b_.i64,
                           {to, b_.number(uint64_t{bytes} * 2 + 1), count, addresses.first, addresses.second});
  });
}

// Reads up to 8 bytes into an 8-byte slot.
V UserMemory::read_word(V slot, uint32_t size, V address) {
  V result = b_.call(Helper::ProbeReadUser, {slot, b_.number32(size), address});
  if (may_sleep()) return retry_if_failed(result, [&] { return fetch_user(slot, b_.number32(size), address); });
  if (!can_read_kernel_copy()) return result;
  return retry_if_failed(result, [&] {
    auto addresses = kernel_addresses(b_.number(0), address);
    return b_.call_support("ds_copy_user_word", b_.i64, {slot, b_.number(size), addresses.first, addresses.second});
  });
}

}  // namespace dscope
