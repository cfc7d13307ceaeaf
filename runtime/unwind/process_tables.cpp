#include "runtime/unwind/process_tables.h"

#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/load/inner_maps.h"
#include "runtime/unwind/process_areas.h"
#include "support/format.h"

namespace dscope {

namespace {

// Between two readings of the mappings of one process.
constexpr auto min_interval = std::chrono::milliseconds{50};
// handle_misses() starts no further process after this time: the session also handles signals, timers and records.
constexpr auto max_duration = std::chrono::milliseconds{50};
// Programs run for microseconds, and no program reads an area list for longer.
constexpr auto grace_period = std::chrono::milliseconds{100};
constexpr uint32_t area_words = sizeof(ds_unwind_area) / 4;

const BpfMap* find(const MapSet& maps, const char* name) {
  auto found = maps.find(name);
  return found == maps.end() ? nullptr : &found->second;
}

std::string counted(uint64_t count, std::string_view what) {
  return count == 0 ? std::string{} : fmt::format(", {} {}", count, what);
}

}  // namespace

Result<std::unique_ptr<ProcessTables>> ProcessTables::open(const MapSet& maps) {
  const BpfMap* ring = find(maps, "ds_unwind_misses");
  const BpfMap* processes = find(maps, "ds_unwind_processes");
  const BpfMap* counters = find(maps, "ds_unwind_counters");
  if (ring == nullptr || processes == nullptr || counters == nullptr || find(maps, "ds_unwind_chunks") == nullptr)
    return std::unique_ptr<ProcessTables>{};
  bool are_sizes_right = processes->key_size() == sizeof(uint32_t) &&
                         processes->value_size() == sizeof(ds_unwind_process) &&
                         counters->value_size() == sizeof(ds_unwind_counters);
  if (!are_sizes_right) return fail(Error::make("the plan has maps of other unwind tables"));
  DS_TRY(RingReader misses, RingReader::open(*ring));
  return std::unique_ptr<ProcessTables>{new ProcessTables(maps, std::move(misses))};
}

ProcessTables::ProcessTables(const MapSet& maps, RingReader misses)
    : chunk_table_(find(maps, "ds_unwind_chunks")->fd()),
      processes_(find(maps, "ds_unwind_processes")->fd()),
      counters_map_(find(maps, "ds_unwind_counters")->fd()),
      misses_(std::move(misses)),
      memory_([this](uint32_t number) { return add_chunk(number); }),
      tables_(memory_) {}

std::span<uint32_t> ProcessTables::add_chunk(uint32_t number) {
  auto chunk = BpfMap::create(unwind_chunk_plan());
  if (!chunk || !store_inner_map(chunk_table_, number, chunk->fd())) return {};
  std::span<std::byte> bytes = chunk->memory();
  chunks_.push_back(std::move(*chunk));
  return {reinterpret_cast<uint32_t*>(bytes.data()), bytes.size() / 4};
}

void ProcessTables::handle_misses() {
  misses_.consume([&](std::span<const std::byte> record) {
    ds_unwind_miss miss{};
    std::memcpy(&miss, record.data(), std::min(record.size(), sizeof miss));
    waiting_.push_back(miss);
    return true;
  });
  Clock::time_point now = Clock::now();
  for (size_t count = waiting_.size(); count > 0 && Clock::now() - now < max_duration; --count) {
    ds_unwind_miss miss = waiting_.front();
    waiting_.pop_front();
    auto known = known_.find(static_cast<uint32_t>(miss.process));
    if (known != known_.end() && now - known->second.read_at < min_interval) waiting_.push_back(miss);
    else read(miss, now);
  }
}

void ProcessTables::add(uint32_t pid) {
  auto stack_start = stack_start_of(read_small_file(fmt::format("/proc/{}/stat", pid)));
  // The number of its pages is unknown here, so that the first stack makes the program ask again.
  if (stack_start) read({.stack_start = *stack_start, .code_pages = 0, .process = pid}, Clock::now());
}

void ProcessTables::read(const ds_unwind_miss& miss, Clock::time_point now) {
  auto pid = static_cast<uint32_t>(miss.process);
  std::optional<ProcessMaps> maps = ProcessMaps::read(pid);
  auto is_64_bits = is_64_bit(pid);
  std::vector<ds_unwind_area> areas;
  if (maps && is_64_bits.value_or(false)) areas = areas_of(pid, *maps, tables_);
  std::string stat = read_small_file(fmt::format("/proc/{}/stat", pid));
  auto stack_start = stack_start_of(stat);
  // Without the privilege to read the process, the number is hidden. The process is stored without mappings, so that
  // the program does not ask again at each stack.
  bool is_hidden = !stat.empty() && !stack_start;
  if (is_hidden) areas.clear();
  // If the process has executed another program since the miss, the mappings are of that one.
  else if (!maps || stack_start != miss.stack_start) return forget(pid, now);
  store(pid,
        {.stack_start = miss.stack_start, .code_pages = miss.code_pages, .areas = 0, .area_count = 0, .is_reported = 0},
        areas, now);
}

void ProcessTables::store(uint32_t pid, ds_unwind_process process, const std::vector<ds_unwind_area>& areas,
                          Clock::time_point now) {
  auto words = std::bit_ceil(static_cast<uint32_t>(areas.size()) * area_words);
  auto location = areas.empty() ? std::nullopt : allocate(words, now);
  if (location) {
    std::memcpy(memory_.at(*location, words).data(), areas.data(), areas.size() * sizeof areas.front());
    process.areas = *location;
    process.area_count = static_cast<uint32_t>(areas.size());
  }
  if (known_.size() >= DS_UNWIND_MAX_PROCESSES / 2) forget_exited(now);
  bool is_stored = bpf_map_update_elem(processes_, &pid, &process, BPF_ANY) == 0;
  Known& known = known_[pid];
  if (known.area_words != 0) freed_[known.area_words].push_back({now, known.areas, known.area_words});
  known = {.read_at = now, .areas = location.value_or(0), .area_words = location && is_stored ? words : 0};
}

std::optional<uint32_t> ProcessTables::allocate(uint32_t words, Clock::time_point now) {
  std::deque<Freed>& freed = freed_[words];
  if (freed.empty() || now - freed.front().at < grace_period) return memory_.allocate(words);
  uint32_t location = freed.front().areas;
  freed.pop_front();
  return location;
}

void ProcessTables::forget(uint32_t pid, Clock::time_point now) {
  bpf_map_delete_elem(processes_, &pid);
  auto known = known_.find(pid);
  if (known == known_.end()) return;
  if (known->second.area_words != 0)
    freed_[known->second.area_words].push_back({now, known->second.areas, known->second.area_words});
  known_.erase(known);
}

void ProcessTables::forget_exited(Clock::time_point now) {
  std::vector<uint32_t> exited;
  for (const auto& [pid, known] : known_)
    if (::access(fmt::format("/proc/{}", pid).c_str(), F_OK) != 0) exited.push_back(pid);
  for (uint32_t pid : exited) forget(pid, now);
}

ds_unwind_counters ProcessTables::counters() const {
  ds_unwind_counters sum{};
  auto cpus = possible_cpu_count();
  std::vector<ds_unwind_counters> values(cpus ? *cpus : 0);
  uint32_t first = 0;
  if (values.empty() || bpf_map_lookup_elem(counters_map_, &first, values.data()) != 0) return sum;
  for (const ds_unwind_counters& each : values) {
    sum.stacks += each.stacks;
    sum.unknown_processes += each.unknown_processes;
    sum.unknown_code += each.unknown_code;
    sum.unsupported_rules += each.unsupported_rules;
    sum.unreadable_memory += each.unreadable_memory;
    sum.copies += each.copies;
  }
  return sum;
}

std::string ProcessTables::summary() const {
  ds_unwind_counters sum = counters();
  if (sum.stacks == 0) return {};
  constexpr uint64_t kilobyte = 1024;
  std::string text = fmt::format("unwound {} stacks by the tables of {} processes and {} files in {} KiB", sum.stacks,
                                 known_.size(), tables_.file_count(), memory_.used_bytes() / kilobyte);
  text += counted(sum.unknown_processes, "before the tables were loaded");
  text += counted(sum.unknown_code, "ended in unknown code");
  text += counted(sum.unsupported_rules, "ended at an unsupported rule");
  text += counted(sum.unreadable_memory, "ended in unreadable memory");
  text += counted(sum.copies, "unwound from copies");
  text += counted(tables_.rejected_count(), "tables were too large");
  return text;
}

}  // namespace dscope
