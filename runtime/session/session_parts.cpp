#include "runtime/session/session_parts.h"

#include <bpf/bpf.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "contract/machine_state.h"
#include "src/support/read_file.h"

namespace dscope {
namespace {

// Of a pass. One record can print a hundred thousand lines (printa), so records alone would not do.
constexpr size_t max_records = 16384;
constexpr auto longest_pass = std::chrono::milliseconds{20};
// A record is reserved and submitted within one program; nothing takes longer unless the writer's CPU stands still.
constexpr auto longest_write = std::chrono::milliseconds{100};

uint64_t clock_ns(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

Result<const BpfMap*> required_map(const MapSet& maps, const char* name) {
  auto map = maps.find(name);
  if (map == maps.end()) return fail(Error::make("the plan has no map {}", name));
  return &map->second;
}

}  // namespace

Result<StateBlock> StateBlock::open(const MapSet& maps) {
  DS_TRY(const BpfMap* map, required_map(maps, "ds_state"));
  if (map->memory().size() < sizeof(ds_state)) return fail(Error::make("map ds_state of the plan cannot be mapped"));
  StateBlock block;
  block.state_ = reinterpret_cast<ds_state*>(map->memory().data());
  block.tells_of_machine_ = map->value_size() >= sizeof(ds_state) + sizeof(MachineState);
  return block;
}

void StateBlock::arm() {
  uint32_t expected = DS_ACTIVITY_STARTING;
  std::atomic_ref<uint32_t>{state_->activity}.compare_exchange_strong(expected, DS_ACTIVITY_ACTIVE);
}

void StateBlock::update_clock() {
  std::atomic_ref<ds_u64>{state_->boot_to_wall_ns}.store(clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC));
  if (tells_of_machine_) update_machine();
}

void StateBlock::update_machine() {
  struct sysinfo now{};
  if (::sysinfo(&now) < 0) return;
  auto& machine = *reinterpret_cast<MachineState*>(state_ + 1);
  auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  for (size_t i = 0; i < std::size(machine.load); ++i) {
    std::atomic_ref<int32_t>{machine.load[i]}.store(static_cast<int32_t>(now.loads[i]));
    std::atomic_ref<int32_t>{machine.coarse_load[i]}.store(static_cast<int32_t>(now.loads[i] >> 8));
  }
  auto tell = [&](uint64_t& place, uint64_t bytes) { std::atomic_ref<uint64_t>{place}.store(bytes / page); };
  tell(machine.free_pages, now.freeram * now.mem_unit);
  tell(machine.available_pages, number_in("/proc/meminfo", "MemAvailable:") * 1024);
  tell(machine.min_free_pages, number_in("/proc/sys/vm/min_free_kbytes", "") * 1024);
  tell(machine.locked_pages, number_in("/proc/meminfo", "Mlocked:") * 1024);
  tell(machine.swap_pages, now.totalswap * now.mem_unit);
  tell(machine.free_swap_pages, now.freeswap * now.mem_unit);
  std::atomic_ref<uint64_t>{machine.threads}.store(now.procs);
}

SpeculationBlock SpeculationBlock::open(const MapSet& maps) {
  SpeculationBlock block;
  auto map = maps.find("ds_speculations");
  if (map == maps.end()) return block;
  std::span<std::byte> memory = map->second.memory();
  block.table_ = {reinterpret_cast<ds_speculation*>(memory.data()), memory.size() / sizeof(ds_speculation)};
  return block;
}

void SpeculationBlock::release(uint32_t id) {
  if (id == 0 || id > table_.size()) return;
  ds_u64 expected = DS_SPECULATION_COMMITTED;
  std::atomic_ref<ds_u64>{table_[id - 1].state}.compare_exchange_strong(expected, DS_SPECULATION_FREE);
}

Result<DropReader> DropReader::open(const MapSet& maps) {
  DS_TRY(const BpfMap* map, required_map(maps, "ds_counters"));
  if (map->kind() != MapKind::PerCpuArray || map->value_size() < sizeof(ds_counters))
    return fail(Error::make("map ds_counters of the plan is too small"));
  DropReader reader;
  reader.fd_ = map->fd();
  reader.stride_ = (map->value_size() + size_t{7}) / 8 * 8;
  DS_TRY(reader.cpu_count_, possible_cpu_count());
  return reader;
}

Result<DropCounters> DropReader::read() const {
  std::vector<std::byte> values(stride_ * cpu_count_);
  uint32_t key = 0;
  int status = bpf_map_lookup_elem(fd_, &key, values.data());
  if (status < 0) return fail(Error::from_errno(-status, "cannot read the drop counters"));
  DropCounters counters(cpu_count_);
  for (uint32_t cpu = 0; cpu < cpu_count_; ++cpu)
    std::memcpy(&counters[cpu], values.data() + cpu * stride_, sizeof(ds_counters));
  return counters;
}

size_t RecordPump::pass() {
  if (!ring_.has_data()) return 0;
  consumer_.begin_pass();
  size_t left = max_records;
  auto deadline = std::chrono::steady_clock::now() + longest_pass;
  size_t taken = ring_.consume([&](std::span<const std::byte> record) {
    consumer_.record(record);
    return --left > 0 && std::chrono::steady_clock::now() < deadline;
  });
  if (taken > 0) out_.flush();
  return taken;
}

void RecordPump::drain(const SignalWatch& signals) {
  auto deadline = std::chrono::steady_clock::now() + longest_write;
  // What comes meanwhile may never end: writing is itself traced by some.
  const uint64_t end = ring_.produced();
  while (ring_.consumed() < end && signals.count() < 2 && out_.error() == 0) {
    uint64_t before = ring_.consumed();
    pass();
    bool has_moved = ring_.consumed() != before;
    auto now = std::chrono::steady_clock::now();
    if (has_moved) deadline = now + longest_write;
    if (!has_moved && now >= deadline) return;
    if (!has_moved) ::sched_yield();
  }
}

}  // namespace dscope
