#include "runtime/replay/native_machine.h"

#include <algorithm>
#include <cstring>

namespace dscope {

namespace {

constexpr size_t image_bytes = size_t{64} << 20;  // a program of 250,000 instructions takes a tenth
constexpr size_t stack_bytes = size_t{16} << 20;
constexpr size_t context_bytes = (NativeMachine::first_word + NativeMachine::max_words) * 8;
constexpr size_t thread_bytes = 32 << 10;  // of struct task_struct, as far as members are written
constexpr size_t max_ancestors = 32;       // of the running thread's process; programs see no more
constexpr size_t page_bytes = 64 << 10;
constexpr size_t register_bytes = 1024;  // struct pt_regs, zeros
constexpr uint32_t max_threads = 1 << 20;

}  // namespace

Result<std::unique_ptr<NativeMachine>> NativeMachine::create(const ProgramPlan& plan, uint32_t cpu_count) {
  DS_TRY(Arena arena, Arena::create());
  std::unique_ptr<NativeMachine> machine(new NativeMachine(std::move(arena), std::max(cpu_count, 1U)));
  DS_TRY(machine->image_, machine->arena_.allocate(image_bytes, page_bytes));
  DS_TRY(machine->stack_, machine->arena_.allocate(stack_bytes, page_bytes));
  DS_TRY(machine->context_, machine->arena_.allocate(context_bytes));
  DS_TRY(machine->registers_, machine->arena_.allocate(register_bytes));
  DS_TRY(machine->task_, machine->arena_.allocate((2 + max_ancestors) * thread_bytes));
  DS_TRY_VOID(machine->create_maps(plan));
  return machine;
}

Result<> NativeMachine::create_maps(const ProgramPlan& plan) {
  for (const MapPlan& map : plan.maps) {
    if (map.kind == MapKind::RingTable) return fail(Error("native programs have one ring"));
    if (map.kind == MapKind::RingBuffer) {
      DS_TRY(ring_, NativeRing::create(map.max_entries, arena_));
    } else if (map.kind == MapKind::TaskStorage) {
      DS_TRY_VOID(create_storage(map));
    } else {
      DS_TRY(NativeMap created, NativeMap::create(map, cpu_count_, arena_));
      maps_.emplace(map.name, std::move(created));
    }
  }
  if (!ring_) return fail(Error("the plan has no ring buffer"));
  return {};
}

// Thread-local storage is a hash by thread.
Result<> NativeMachine::create_storage(const MapPlan& plan) {
  MapPlan& hash = storage_plans_[plan.name];
  hash = {.name = plan.name,
          .kind = MapKind::Hash,
          .key_size = sizeof(Firing::thread_key),
          .value_size = plan.value_size,
          .max_entries = max_threads};
  DS_TRY(NativeMap created, NativeMap::create(hash, cpu_count_, arena_));
  maps_.emplace(plan.name, std::move(created));
  return {};
}

NativeMap* NativeMachine::find_map(std::string_view name) {
  auto found = maps_.find(std::string(name));
  return found == maps_.end() ? nullptr : &found->second;
}

void* NativeMachine::map_symbol(std::string_view name) {
  if (name == "ds_ring") return &*ring_;
  NativeMap* map = find_map(name);
  if (map == nullptr) return nullptr;
  return map->plan().is_direct ? static_cast<void*>(map->elements().data()) : map;
}

void NativeMachine::set_firing(const Firing& firing) {
  firing_ = &firing;
  cpu_ = std::min(firing.cpu, cpu_count_ - 1);
  auto* context = reinterpret_cast<uint64_t*>(context_.data());
  context[1] = static_cast<uint64_t>(-int64_t{firing.error});
  size_t count = std::min<size_t>(firing.words.size(), max_words);
  std::copy_n(firing.words.begin(), count, context + first_word);
  if (count < context_words_) std::fill(context + first_word + count, context + first_word + context_words_, 0);
  context_words_ = count;
  if (firing.thread != described_thread_) describe_thread(*firing.thread);
}

namespace {

// Writes a member, if the program reads it, of the struct task_struct at `task`.
void store(std::byte* task, std::optional<uint64_t> offset, const void* value, size_t bytes) {
  if (offset && *offset <= thread_bytes - bytes) std::memcpy(task + *offset, value, bytes);
}

void store_parent(std::byte* task, std::optional<uint64_t> offset, const std::byte* parent) {
  store(task, offset, static_cast<const void*>(&parent), sizeof parent);
}

}  // namespace

// The structs of the thread, of its process's first thread, and of the ancestors.
void NativeMachine::describe_thread(const FiringThread& thread) {
  described_thread_ = &thread;
  std::byte *task = task_.data(), *leader = task + thread_bytes, *parent = leader + thread_bytes;
  store(task, layout_.process, &thread.pid, sizeof thread.pid);
  store(task, layout_.thread, &thread.tid, sizeof thread.tid);
  store(task, layout_.name, thread.name.data(), thread.name.size());
  store_parent(task, layout_.leader, leader);
  store(leader, layout_.process, &thread.pid, sizeof thread.pid);
  store(leader, layout_.thread, &thread.pid, sizeof thread.pid);
  if (!layout_.parent) return;  // no program asks
  parents_.insert_or_assign(thread.pid, thread.ppid);
  store_parent(task, layout_.parent, parent);
  store_parent(leader, layout_.parent, parent);
  describe_ancestors(parent, thread.ppid);
}

// `process`: of the first ancestor, whose struct is at `task`. The last one that is known has no parent.
void NativeMachine::describe_ancestors(std::byte* task, uint32_t process) {
  for (size_t i = 1; i <= max_ancestors; ++i, task += thread_bytes) {
    store(task, layout_.process_of_parent, &process, sizeof process);
    auto known = parents_.find(process);
    bool is_last = i == max_ancestors || known == parents_.end() || process == 0;
    store_parent(task, layout_.parent, is_last ? nullptr : task + thread_bytes);
    if (is_last) return;
    process = known->second;
  }
}

namespace {

std::span<const std::byte> find_memory(std::span<const RecordedMemory> pieces, uint64_t address) {
  auto next = std::ranges::upper_bound(pieces, address, {}, &RecordedMemory::address);
  if (next == pieces.begin()) return {};
  const RecordedMemory& piece = *std::prev(next);
  uint64_t offset = address - piece.address;
  return offset < piece.bytes.size() ? piece.bytes.subspan(offset) : std::span<const std::byte>{};
}

constexpr uint64_t first_kernel_address = uint64_t{1} << 63;

}  // namespace

std::span<const std::byte> NativeMachine::recorded(uint64_t address) const {
  std::span<const std::byte> found = find_memory(firing_->memory, address);
  return found.empty() ? find_memory(firing_->earlier_memory, address) : found;
}

std::span<const std::byte> NativeMachine::readable(uint64_t address, uint64_t size, bool is_user) const {
  if (!is_user && arena_.contains(address, 1)) {
    size = arena_.contains(address, size) ? size : 1;
    return {reinterpret_cast<const std::byte*>(address), size};
  }
  if (is_user != (address < first_kernel_address)) return {};
  std::span<const std::byte> bytes = recorded(address);
  return bytes.first(std::min<uint64_t>(bytes.size(), size));
}

}  // namespace dscope
