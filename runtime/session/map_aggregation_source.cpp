// Keyed aggregations are per-CPU hashes, or hashes with the CPU in the key, read in batches. Unkeyed ones are per-CPU
// arrays of one element, or arrays of one element per CPU. In all cases read() returns elements with the values of all
// CPUs.
#include "runtime/session/map_aggregation_source.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "contract/buffers/service_maps.h"
#include "runtime/session/element_joiner.h"
#include "runtime/session/element_remover.h"
#include "support/check.h"

namespace dscope {
namespace {

// True if the kernel lacks the operation for this kind of map. ENOTSUPP (524) is the kernel-internal form of ENOTSUP.
bool is_unsupported(int error_number) {
  return error_number == EINVAL || error_number == 524 || error_number == ENOTSUP;
}

class MapAggregationSource : public AggregationSource {
 public:
  MapAggregationSource(const ProgramPlan& plan, uint32_t cpu_count) : plan_(plan), cpu_count_(cpu_count) {}

  Result<> bind(const MapSet& maps) {
    auto globals = maps.find("ds_globals");
    for (const AggregationPlan& aggregation : plan_.aggregations) {
      fills_.emplace_back();
      if (aggregation.map.empty()) {
        fds_.push_back(-1);
        short_fds_.push_back(-1);
        DS_TRY_VOID(bind_generation(aggregation, globals == maps.end() ? nullptr : &globals->second));
        continue;
      }
      auto map = maps.find(aggregation.map);
      bool fits = map != maps.end() && map->second.value_size() == aggregation.map_value_size &&
                  aggregation.map_value_size >= aggregation.value_size && aggregation.map_value_size % 8 == 0 &&
                  map->second.key_size() == aggregation.map_key_size &&
                  aggregation.map_key_size >= min_key_size(aggregation);
      if (!fits) return fail(Error::make("aggregation @{} does not fit its map", aggregation.name));
      fds_.push_back(map->second.fd());
      if (aggregation.key_size != 0) fills_.back().capacity = map->second.max_entries();
      DS_TRY_VOID(bind_short_map(aggregation, maps));
      DS_TRY_VOID(bind_generation(aggregation, globals == maps.end() ? nullptr : &globals->second));
    }
    return bind_overflow(maps);
  }

  uint32_t cpu_count() const override { return cpu_count_; }

  Result<std::vector<AggregationElement>> read(uint32_t id) override {
    DS_CHECK(id < fds_.size());
    const AggregationPlan& aggregation = plan_.aggregations[id];
    if (fds_[id] < 0) return std::vector<AggregationElement>{};
    if (aggregation.key_size == 0) return read_single(id);
    ElementJoiner joiner{aggregation, cpu_count_};
    fills_[id].elements = 0;
    DS_TRY_VOID(read_map(id, {fds_[id], aggregation.map_key_size, aggregation.key_size}, joiner));
    if (short_fds_[id] >= 0) {
      KeyedMap map{short_fds_[id], aggregation.short_key_size + cpu_bytes, aggregation.short_key_size};
      DS_TRY_VOID(read_map(id, map, joiner));
    }
    return joiner.take();
  }

  Result<std::vector<AggregationElement>> read_kept(uint32_t id, const KeyFilter& keeps,
                                                    const ElementSink& removed) override {
    DS_CHECK(id < fds_.size());
    const AggregationPlan& aggregation = plan_.aggregations[id];
    // Values of all CPUs in one element cannot be removed without losing an update at the same time on another CPU.
    if (fds_[id] < 0 || aggregation.key_size == 0 || !aggregation.is_cpu_in_key)
      return AggregationSource::read_kept(id, keeps, removed);
    ElementJoiner joiner{aggregation, cpu_count_};
    fills_[id].elements = 0;
    ElementRemover remover{aggregation, cpu_count_, keeps, removed};
    DS_TRY_VOID(read_map(id, {fds_[id], aggregation.map_key_size, aggregation.key_size}, joiner, &remover));
    if (short_fds_[id] >= 0) {
      KeyedMap map{short_fds_[id], aggregation.short_key_size + cpu_bytes, aggregation.short_key_size};
      DS_TRY_VOID(read_map(id, map, joiner, &remover));
    }
    return joiner.take();
  }

  AggregationFill fill(uint32_t id) const override { return fills_[id]; }

  CpuValues overflow(uint32_t id) const override {
    if (overflow_fd_ < 0 || !overflow_.offsets[id]) return {};
    CpuValues values{plan_.aggregations[id].value_size};
    std::vector<std::byte> element(overflow_.size);
    for (uint32_t cpu = 0; cpu < cpu_count_; ++cpu)
      if (bpf_map_lookup_elem(overflow_fd_, &cpu, element.data()) == 0)
        values.append(cpu, element.data() + *overflow_.offsets[id]);
    return values;
  }

  Result<CpuValues> remove(uint32_t id, std::span<const std::byte> key) override {
    DS_CHECK(id < fds_.size() && key.size() == plan_.aggregations[id].key_size);
    const AggregationPlan& aggregation = plan_.aggregations[id];
    if (fds_[id] < 0) return CpuValues{aggregation.value_size};
    if (aggregation.is_cpu_in_key && !key.empty()) return remove_on_all_cpus(id, key);
    std::vector<std::byte> values(key.empty() ? 0 : values_size(id));
    int status = key.empty() ? clear_single(id) : remove_element(fds_[id], key.data(), values);
    if (status < 0 && status != -ENOENT) return fail(failure(id, -status));
    if (status < 0) values.clear();
    return values_of_cpus(values, aggregation.value_size, aggregation.map_value_size);
  }

  uint64_t next_generation(uint32_t id) override {
    DS_CHECK(id < fds_.size() && generations_[id]);
    return std::atomic_ref<uint64_t>{*generations_[id]}.fetch_add(1) + 1;
  }

  uint64_t generation(uint32_t id) const override {
    DS_CHECK(id < fds_.size());
    return generations_[id] ? std::atomic_ref<uint64_t>{*generations_[id]}.load() : 0;
  }

 private:
  struct KeyedMap {
    int fd;
    size_t key_size;      // bytes, including the CPU
    size_t own_key_size;  // bytes before the CPU
  };

  Result<> bind_short_map(const AggregationPlan& aggregation, const MapSet& maps) {
    short_fds_.push_back(-1);
    if (aggregation.short_map.empty()) return {};
    auto map = maps.find(aggregation.short_map);
    bool fits = map != maps.end() && map->second.value_size() == aggregation.map_value_size &&
                map->second.key_size() == aggregation.short_key_size + cpu_bytes && aggregation.is_cpu_in_key &&
                aggregation.short_key_size < aggregation.key_size && !aggregation.shares_map;
    if (!fits) return fail(Error::make("aggregation @{} does not fit its map of short keys", aggregation.name));
    short_fds_.back() = map->second.fd();
    return {};
  }

  Result<> bind_overflow(const MapSet& maps) {
    auto map = maps.find("ds_overflow");
    if (map == maps.end()) return {};
    overflow_ = overflow_layout(plan_);
    if (map->second.kind() != MapKind::Array || map->second.value_size() != overflow_.size)
      return fail(Error::make("map ds_overflow of the plan does not fit its aggregations"));
    overflow_fd_ = map->second.fd();
    return {};
  }

  Result<> bind_generation(const AggregationPlan& aggregation, const BpfMap* globals) {
    uint64_t* counter = nullptr;
    if (aggregation.has_generation) {
      uint64_t offset = aggregation.generation_offset;
      if (!globals || offset % 8 != 0 || offset + 8 > globals->memory().size())
        return fail(
            Error::make("the generation of aggregation @{} lies outside of the mapped globals", aggregation.name));
      counter = reinterpret_cast<uint64_t*>(globals->memory().data() + offset);
    }
    generations_.push_back(counter);
    return {};
  }

  Error failure(uint32_t id, int error_number) const {
    return Error::from_errno(error_number, "cannot read aggregation @{}", plan_.aggregations[id].name);
  }

  // Bytes of one element's values in the map: those of all CPUs, or of one if the CPU is in the key.
  size_t values_size(uint32_t id) const {
    const AggregationPlan& aggregation = plan_.aggregations[id];
    return size_t{aggregation.map_value_size} * (aggregation.is_cpu_in_key ? 1 : cpu_count_);
  }
  static size_t min_key_size(const AggregationPlan& aggregation) {
    if (aggregation.key_size == 0) return sizeof(uint32_t);
    return size_t{aggregation.key_size} + (aggregation.is_cpu_in_key ? cpu_bytes : 0) +
           (aggregation.shares_map ? id_bytes : 0);
  }

  // `remover` may be null.
  Result<> read_map(uint32_t id, const KeyedMap& map, ElementJoiner& joiner, ElementRemover* remover = nullptr) {
    if (!has_batches_) return read_key_by_key(id, map, joiner, remover);
    auto read = read_batches(id, map, joiner, remover);
    if (read || !is_unsupported(read.error().error_number())) return read;
    has_batches_ = false;
    return read_key_by_key(id, map, joiner, remover);
  }

  // Removes an element and stores its values. Kernels before 5.14 cannot do both at once: they only remove it, and
  // `values` becomes empty. Returns 0 or a negative errno.
  int remove_element(int fd, const void* key, std::vector<std::byte>& values) {
    if (has_lookup_and_delete_) {
      int status = bpf_map_lookup_and_delete_elem(fd, key, values.data());
      if (status >= 0 || !is_unsupported(-status)) return status;
      has_lookup_and_delete_ = false;
    }
    values.clear();
    return bpf_map_delete_elem(fd, key);
  }

  Result<CpuValues> remove_on_all_cpus(uint32_t id, std::span<const std::byte> key) {
    const AggregationPlan& aggregation = plan_.aggregations[id];
    bool is_short = short_fds_[id] >= 0 && key[aggregation.short_key_size - 1] == std::byte{};
    if (is_short) key = key.first(aggregation.short_key_size);
    std::vector<std::byte> map_key(key.begin(), key.end());
    map_key.resize(is_short ? key.size() + cpu_bytes : aggregation.map_key_size);
    uint64_t number = aggregation.number;
    if (aggregation.shares_map) std::memcpy(map_key.data() + map_key.size() - id_bytes, &number, sizeof number);
    CpuValues values{aggregation.value_size};
    for (uint64_t cpu = 0; cpu < cpu_count_; ++cpu) {
      std::memcpy(map_key.data() + key.size(), &cpu, sizeof cpu);
      std::vector<std::byte> own(aggregation.map_value_size);
      int status = remove_element(is_short ? short_fds_[id] : fds_[id], map_key.data(), own);
      if (status < 0 && status != -ENOENT) return fail(failure(id, -status));
      if (status < 0 || own.empty()) continue;
      values.append(static_cast<uint32_t>(cpu), own.data());
    }
    return values;
  }

  Result<std::vector<AggregationElement>> read_single(uint32_t id) {
    const AggregationPlan& aggregation = plan_.aggregations[id];
    std::vector<std::byte> values(size_t{aggregation.map_value_size} * cpu_count_);
    for (uint32_t i = 0; i < single_elements(aggregation); ++i) {
      uint32_t key = aggregation.is_cpu_in_key ? i : aggregation.number;
      int status = bpf_map_lookup_elem(fds_[id], &key, values.data() + i * values_size(id));
      if (status < 0) return fail(failure(id, -status));
    }
    return std::vector<AggregationElement>{
        {.key = {}, .values = values_of_cpus(values, aggregation.value_size, aggregation.map_value_size)}};
  }

  // Array elements cannot be removed, only zeroed.
  int clear_single(uint32_t id) {
    const AggregationPlan& aggregation = plan_.aggregations[id];
    std::vector<std::byte> zeroes(values_size(id));
    for (uint32_t i = 0; i < single_elements(aggregation); ++i) {
      uint32_t key = aggregation.is_cpu_in_key ? i : aggregation.number;
      int status = bpf_map_update_elem(fds_[id], &key, zeroes.data(), BPF_ANY);
      if (status < 0) return status;
    }
    return 0;
  }

  // Number of array elements of an unkeyed aggregation.
  uint32_t single_elements(const AggregationPlan& aggregation) const {
    return aggregation.is_cpu_in_key ? cpu_count_ : 1;
  }

  Result<> read_batches(uint32_t id, const KeyedMap& map, ElementJoiner& joiner, ElementRemover* remover) {
    const size_t key_size = map.key_size, value_size = values_size(id);
    // The position at which the next batch continues: a bucket number for hashes, a key for other maps.
    std::vector<std::byte> position(std::max<size_t>(key_size, 8));
    bool is_first = true;
    for (auto capacity = static_cast<uint32_t>(std::clamp<size_t>(first_batch_bytes / value_size, 1, first_batch));;) {
      keys_.resize(capacity * key_size);
      values_.resize(capacity * value_size);
      uint32_t count = capacity;
      std::vector<std::byte> next(position.size());
      int status = bpf_map_lookup_batch(map.fd, is_first ? nullptr : position.data(), next.data(), keys_.data(),
                                        values_.data(), &count, nullptr);
      // A bucket holds more elements than the batch: retry from this position with twice the room.
      if (status == -ENOSPC && capacity < max_batch) {
        capacity *= 2;
        continue;
      }
      if (status == -EINTR) continue;
      if (status < 0 && status != -ENOENT) return fail(failure(id, -status));
      fills_[id].elements += count;
      for (uint32_t i = 0; i < count; ++i) {
        std::span<const std::byte> key = std::span{keys_}.subspan(i * key_size, key_size);
        if (remover == nullptr || remover->stays(key, map.own_key_size))
          joiner.add(key, map.own_key_size, std::span{values_}.subspan(i * value_size, value_size));
      }
      if (remover != nullptr) DS_TRY_VOID(remover->flush(map.fd));
      if (status == -ENOENT) return {};  // this was the last batch
      position = std::move(next);
      is_first = false;
    }
  }

  Result<> read_key_by_key(uint32_t id, const KeyedMap& map, ElementJoiner& joiner, ElementRemover* remover) {
    DS_TRY_VOID(visit_keys(id, map, joiner, remover));
    return remover != nullptr ? remover->flush(map.fd) : Result<>{};
  }

  Result<> visit_keys(uint32_t id, const KeyedMap& map, ElementJoiner& joiner, ElementRemover* remover) {
    std::vector<std::byte> key(map.key_size), values(values_size(id));
    const std::byte* previous = nullptr;
    for (;;) {
      std::vector<std::byte> next(key.size());
      int status = bpf_map_get_next_key(map.fd, previous, next.data());
      if (status == -ENOENT) return {};
      if (status < 0) return fail(failure(id, -status));
      // The element may have been removed since: then it is not part of the snapshot.
      ++fills_[id].elements;
      bool stays = remover == nullptr || remover->stays(next, map.own_key_size);
      if (stays && bpf_map_lookup_elem(map.fd, next.data(), values.data()) == 0)
        joiner.add(next, map.own_key_size, values);
      key = std::move(next);
      previous = key.data();
    }
  }

  static constexpr size_t cpu_bytes = 8, id_bytes = 8;
  static constexpr size_t first_batch_bytes = 4 << 20;
  static constexpr uint32_t first_batch = 512, max_batch = 1 << 22;
  const ProgramPlan& plan_;
  uint32_t cpu_count_;
  std::vector<int> fds_, short_fds_;    // -1: none
  std::vector<AggregationFill> fills_;  // by aggregation
  OverflowLayout overflow_;
  int overflow_fd_ = -1;                                    // -1: none
  std::vector<uint64_t*> generations_;                      // nullptr: has none
  bool has_batches_ = true, has_lookup_and_delete_ = true;  // until the kernel rejects the operation
  std::vector<std::byte> keys_, values_;                    // reused between batches
};

}  // namespace

Result<std::unique_ptr<AggregationSource>> make_map_aggregation_source(const ProgramPlan& plan, const MapSet& maps) {
  DS_TRY(uint32_t cpus, possible_cpu_count());
  auto source = std::make_unique<MapAggregationSource>(plan, cpus);
  DS_TRY_VOID(source->bind(maps));
  return source;
}

}  // namespace dscope
