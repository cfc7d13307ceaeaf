// The helpers of BPF, as native programs call them: same arguments, results and faults as in the kernel.
#include <linux/bpf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/replay/native_machine.h"

namespace dscope {

namespace {

constexpr uint64_t unreadable = static_cast<uint64_t>(-EFAULT);

template <typename T>
T* pointer(uint64_t address) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(address));
}

uint64_t number(const void* address) { return reinterpret_cast<uintptr_t>(address); }

uint64_t pair_of(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }

}  // namespace

struct NativeHelpers {
  using Machine = NativeMachine*;

  // ---- maps
  static uint64_t map_lookup(Machine machine, uint64_t map, uint64_t key) {
    return number(pointer<NativeMap>(map)->lookup(pointer<void>(key), machine->cpu_));
  }
  static uint64_t map_update(Machine machine, uint64_t map, uint64_t key, uint64_t value, uint64_t flags) {
    return static_cast<uint64_t>(
        pointer<NativeMap>(map)->update(pointer<void>(key), pointer<void>(value), flags, machine->cpu_));
  }
  static uint64_t map_delete(Machine, uint64_t map, uint64_t key) {
    return static_cast<uint64_t>(pointer<NativeMap>(map)->remove(pointer<void>(key)));
  }
  static uint64_t task_storage_get(Machine machine, uint64_t map, uint64_t, uint64_t, uint64_t flags) {
    const uint64_t& key = machine->firing_->thread_key;
    auto* storage = pointer<NativeMap>(map);
    return number((flags & BPF_LOCAL_STORAGE_GET_F_CREATE) != 0 ? storage->emplace(&key) : storage->find(&key));
  }

  // ---- records
  static uint64_t ringbuf_reserve(Machine, uint64_t ring, uint64_t bytes, uint64_t) {
    return number(pointer<NativeRing>(ring)->reserve(bytes));
  }
  static uint64_t ringbuf_submit(Machine machine, uint64_t record, uint64_t) {
    machine->ring_->submit(pointer<std::byte>(record));
    return 0;
  }
  static uint64_t ringbuf_discard(Machine machine, uint64_t record, uint64_t) {
    machine->ring_->discard(pointer<std::byte>(record));
    return 0;
  }

  // ---- the moment of the firing
  static uint64_t ktime(Machine machine) { return machine->firing_->time; }
  static uint64_t processor(Machine machine) { return machine->cpu_; }
  static uint64_t attach_cookie(Machine machine, uint64_t) { return machine->cookie_; }
  static uint64_t random(Machine machine) {  // xorshift64
    uint64_t& state = machine->random_;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 32;
  }

  // ---- the thread
  static uint64_t pid_tgid(Machine machine) {
    return pair_of(machine->firing_->thread->pid, machine->firing_->thread->tid);
  }
  // struct bpf_pidns_info: the thread, then the process.
  static uint64_t ns_pid_tgid(Machine machine, uint64_t, uint64_t, uint64_t to, uint64_t) {
    *pointer<uint64_t>(to) = pair_of(machine->firing_->thread->pid, machine->firing_->thread->tid);
    return 0;
  }
  static uint64_t uid_gid(Machine machine) {
    return pair_of(machine->firing_->thread->gid, machine->firing_->thread->uid);
  }
  static uint64_t comm(Machine machine, uint64_t to, uint64_t bytes) {
    const auto& name = machine->firing_->thread->name;
    size_t count = std::min<size_t>(bytes, name.size());
    std::memcpy(pointer<char>(to), name.data(), count);
    std::memset(pointer<char>(to) + count, 0, bytes - count);
    if (count == bytes && bytes != 0) pointer<char>(to)[bytes - 1] = '\0';
    return 0;
  }
  static uint64_t task(Machine machine) { return number(machine->task_.data()); }
  static uint64_t task_registers(Machine machine, uint64_t) { return number(machine->registers_.data()); }

  // ---- stacks
  static uint64_t stack(Machine machine, uint64_t, uint64_t to, uint64_t bytes, uint64_t flags) {
    bool is_user = (flags & BPF_F_USER_STACK) != 0;
    std::span<const uint64_t> frames = is_user ? machine->firing_->user_stack : machine->firing_->kernel_stack;
    frames = frames.subspan(std::min<uint64_t>(frames.size(), flags & BPF_F_SKIP_FIELD_MASK));
    if (frames.empty()) {
      std::memset(pointer<void>(to), 0, bytes);
      return unreadable;
    }
    uint64_t copied = std::min<uint64_t>(bytes / 8 * 8, frames.size_bytes());
    std::memcpy(pointer<void>(to), frames.data(), copied);
    std::memset(pointer<std::byte>(to) + copied, 0, bytes - copied);
    return copied;
  }

  // ---- memory
  static uint64_t read(Machine machine, uint64_t to, uint64_t bytes, uint64_t from, bool is_user) {
    if (bytes == 0) return 0;
    std::span<const std::byte> source = machine->readable(from, bytes, is_user);
    if (source.size() == bytes) [[likely]] {
      std::memmove(pointer<void>(to), source.data(), bytes);
      return 0;
    }
    std::memset(pointer<void>(to), 0, bytes);
    return unreadable;
  }
  // The size with the terminator.
  static uint64_t read_text(Machine machine, uint64_t to, uint64_t bytes, uint64_t from, bool is_user) {
    if (bytes == 0) return 0;
    std::span<const std::byte> source = machine->readable(from, bytes, is_user);
    auto end = std::ranges::find(source, std::byte{});
    auto length = static_cast<uint64_t>(end - source.begin());
    if (source.empty() || (length == source.size() && length < bytes)) {
      std::memset(pointer<void>(to), 0, bytes);
      return unreadable;
    }
    length = std::min(length, bytes - 1);
    std::memmove(pointer<void>(to), source.data(), length);
    pointer<char>(to)[length] = '\0';
    return length + 1;
  }
  static uint64_t read_kernel(Machine machine, uint64_t to, uint64_t bytes, uint64_t from) {
    return read(machine, to, bytes, from, false);
  }
  static uint64_t read_user(Machine machine, uint64_t to, uint64_t bytes, uint64_t from) {
    return read(machine, to, bytes, from, true);
  }
  static uint64_t read_kernel_text(Machine machine, uint64_t to, uint64_t bytes, uint64_t from) {
    return read_text(machine, to, bytes, from, false);
  }
  static uint64_t read_user_text(Machine machine, uint64_t to, uint64_t bytes, uint64_t from) {
    return read_text(machine, to, bytes, from, true);
  }
  // The memory areas of processes are not recorded.
  static uint64_t find_vma(Machine, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t) {
    return static_cast<uint64_t>(-ENOENT);
  }

  // ---- loops
  static uint64_t loop(Machine, uint64_t count, uint64_t body, uint64_t state, uint64_t) {
    constexpr uint64_t max_count = 1 << 23;
    auto* function = reinterpret_cast<long (*)(uint64_t, void*)>(static_cast<uintptr_t>(body));
    if (count > max_count) return static_cast<uint64_t>(-E2BIG);
    for (uint64_t i = 0; i < count; ++i)
      if (function(i, pointer<void>(state)) != 0) return i + 1;
    return count;
  }
};

const void* NativeMachine::helper(uint32_t id) {
  auto address = [](auto* function) { return reinterpret_cast<const void*>(function); };
  switch (id) {
    case BPF_FUNC_map_lookup_elem: return address(NativeHelpers::map_lookup);
    case BPF_FUNC_map_update_elem: return address(NativeHelpers::map_update);
    case BPF_FUNC_map_delete_elem: return address(NativeHelpers::map_delete);
    case BPF_FUNC_ktime_get_ns:
    case BPF_FUNC_ktime_get_boot_ns: return address(NativeHelpers::ktime);
    case BPF_FUNC_get_prandom_u32: return address(NativeHelpers::random);
    case BPF_FUNC_get_smp_processor_id: return address(NativeHelpers::processor);
    case BPF_FUNC_get_current_pid_tgid: return address(NativeHelpers::pid_tgid);
    case BPF_FUNC_get_current_uid_gid: return address(NativeHelpers::uid_gid);
    case BPF_FUNC_get_current_comm: return address(NativeHelpers::comm);
    case BPF_FUNC_get_current_task:
    case BPF_FUNC_get_current_task_btf: return address(NativeHelpers::task);
    case BPF_FUNC_get_stack:
    case BPF_FUNC_get_task_stack: return address(NativeHelpers::stack);
    case BPF_FUNC_probe_read_user:
    case BPF_FUNC_copy_from_user: return address(NativeHelpers::read_user);
    case BPF_FUNC_probe_read_kernel: return address(NativeHelpers::read_kernel);
    case BPF_FUNC_probe_read_user_str: return address(NativeHelpers::read_user_text);
    case BPF_FUNC_probe_read_kernel_str: return address(NativeHelpers::read_kernel_text);
    case BPF_FUNC_get_ns_current_pid_tgid: return address(NativeHelpers::ns_pid_tgid);
    case BPF_FUNC_ringbuf_reserve: return address(NativeHelpers::ringbuf_reserve);
    case BPF_FUNC_ringbuf_submit: return address(NativeHelpers::ringbuf_submit);
    case BPF_FUNC_ringbuf_discard: return address(NativeHelpers::ringbuf_discard);
    case BPF_FUNC_task_storage_get: return address(NativeHelpers::task_storage_get);
    case BPF_FUNC_get_attach_cookie: return address(NativeHelpers::attach_cookie);
    case BPF_FUNC_task_pt_regs: return address(NativeHelpers::task_registers);
    case BPF_FUNC_find_vma: return address(NativeHelpers::find_vma);
    case BPF_FUNC_loop: return address(NativeHelpers::loop);
    default: return nullptr;
  }
}

}  // namespace dscope
