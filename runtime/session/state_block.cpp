#include "runtime/session/state_block.h"

#include <bpf/bpf.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "contract/machine_state.h"
#include "support/read_file.h"

namespace dscope {
namespace {

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
  block.has_machine_state_ = map->value_size() >= sizeof(ds_state) + sizeof(MachineState);
  return block;
}

bool StateBlock::is_tracing() const {
  uint32_t now = activity();
  return now == DS_ACTIVITY_ACTIVE || now == DS_ACTIVITY_HANDING_OVER || now == DS_ACTIVITY_TAKING_OVER;
}

bool StateBlock::change(uint32_t from, uint32_t to) {
  return std::atomic_ref<uint32_t>{state_->activity}.compare_exchange_strong(from, to);
}

std::optional<StateBlock> StateBlock::of_descriptor(int map_fd) {
  auto memory = MappedMemory::create(map_fd, sizeof(ds_state), PROT_READ | PROT_WRITE, 0);
  if (!memory) return std::nullopt;
  StateBlock block;
  block.memory_ = std::make_shared<MappedMemory>(std::move(*memory));
  block.state_ = reinterpret_cast<ds_state*>(block.memory_->data());
  return block;
}

void StateBlock::update_clock() {
  std::atomic_ref<ds_u64>{state_->boot_to_wall_ns}.store(clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC));
  if (has_machine_state_) update_machine();
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
  auto store_pages = [&](uint64_t& pages, uint64_t bytes) { std::atomic_ref<uint64_t>{pages}.store(bytes / page); };
  store_pages(machine.free_pages, now.freeram * now.mem_unit);
  store_pages(machine.available_pages, read_number("/proc/meminfo", "MemAvailable:") * 1024);
  store_pages(machine.min_free_pages, read_number("/proc/sys/vm/min_free_kbytes", "") * 1024);
  store_pages(machine.locked_pages, read_number("/proc/meminfo", "Mlocked:") * 1024);
  store_pages(machine.swap_pages, now.totalswap * now.mem_unit);
  store_pages(machine.free_swap_pages, now.freeswap * now.mem_unit);
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

}  // namespace dscope
