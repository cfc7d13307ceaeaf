#include "runtime/load/bpf_map.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>

#include "runtime/load/inner_maps.h"
#include "runtime/load/program_btf.h"
#include "runtime/load/ring_table.h"
#include "support/check.h"

namespace dscope {
namespace {

constexpr size_t kernel_name_length = 15;

bpf_map_type kernel_type(MapKind kind) {
  switch (kind) {
    case MapKind::Array: return BPF_MAP_TYPE_ARRAY;
    case MapKind::PerCpuArray: return BPF_MAP_TYPE_PERCPU_ARRAY;
    case MapKind::Hash: return BPF_MAP_TYPE_HASH;
    case MapKind::PerCpuHash: return BPF_MAP_TYPE_PERCPU_HASH;
    case MapKind::RingBuffer: return BPF_MAP_TYPE_RINGBUF;
    case MapKind::TaskStorage: return BPF_MAP_TYPE_TASK_STORAGE;
    case MapKind::ChunkTable:
    case MapKind::RingTable: return BPF_MAP_TYPE_ARRAY_OF_MAPS;
  }
  DS_UNREACHABLE();
}

// The kernel requires a power of two that is a multiple of the page size; at most 2 GiB here.
uint32_t ring_size(uint32_t wanted) {
  uint64_t size = std::max<uint64_t>(wanted, static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)));
  return static_cast<uint32_t>(std::min<uint64_t>(std::bit_ceil(size), uint64_t{1} << 31));
}

uint32_t map_flags(const MapPlan& plan) {
  uint32_t flags = plan.is_mmapable ? BPF_F_MMAPABLE : 0;
  if (plan.no_prealloc || plan.kind == MapKind::TaskStorage) flags |= BPF_F_NO_PREALLOC;
  return flags;
}

// Kernels before 5.11 count map memory against RLIMIT_MEMLOCK and return EPERM when the limit is too small.
int create_map(bpf_map_type type, const MapPlan& plan, const bpf_map_create_opts& opts) {
  std::string name = plan.name.substr(0, kernel_name_length);
  auto attempt = [&] {
    return bpf_map_create(type, name.c_str(), plan.key_size, plan.value_size, plan.max_entries, &opts);
  };
  int fd = attempt();
  if (fd != -EPERM) return fd;
  rlimit unlimited{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  return ::setrlimit(RLIMIT_MEMLOCK, &unlimited) == 0 ? attempt() : fd;
}

Result<> write_initial(int fd, const MapPlan& plan) {
  std::vector<uint8_t> value = plan.initial;
  value.resize(plan.value_size);
  if (plan.kind == MapKind::PerCpuArray) {
    DS_TRY(uint32_t cpus, possible_cpu_count());
    size_t stride = (plan.value_size + size_t{7}) / 8 * 8;
    value.resize(stride);
    std::vector<uint8_t> one = value;
    for (uint32_t cpu = 1; cpu < cpus; ++cpu) value.insert(value.end(), one.begin(), one.end());
  }
  uint32_t key = 0;
  int status = bpf_map_update_elem(fd, &key, value.data(), BPF_ANY);
  if (status < 0) return fail(Error::from_errno(-status, "cannot initialize map {}", plan.name));
  return {};
}

// The contents of a map in the words of D, for messages.
std::string content_of(std::string_view name) {
  if (name == "ds_globals") return "the global variables";
  if (name == "ds_task") return "the thread-local variables";
  if (name.starts_with("ds_unwind")) return "unwind tables";
  if (name == "ds_stacks") return "the stacks of threads that are not running";
  if (name == "ds_scratch") return "clause-local variables, strings and alloca() memory of one firing";
  if (name.starts_with("ds_array")) return "an element of an associative array";
  if (name.starts_with("ds_agg")) return "an element of an aggregation";
  return fmt::format("BPF map {}", name);
}

}  // namespace

MappedMemory::~MappedMemory() {
  if (address_) ::munmap(address_, size_);
}

Result<MappedMemory> MappedMemory::create(int fd, size_t size, int protection, uint64_t offset) {
  void* address = ::mmap(nullptr, size, protection, MAP_SHARED, fd, static_cast<off_t>(offset));
  if (address == MAP_FAILED) return fail(Error::from_errno(errno, "cannot map {} bytes of a BPF map", size));
  return MappedMemory{static_cast<std::byte*>(address), size};
}

Result<BpfMap> BpfMap::create_rings(const MapPlan& plan) {
  BpfMap map;
  std::vector<int> fds;
  for (uint32_t i = 0; i < plan.rings; ++i) {
    DS_TRY(BpfMap ring, create({.name = plan.name, .kind = MapKind::RingBuffer, .max_entries = plan.max_entries}));
    fds.push_back(ring.fd());
    map.rings_.push_back(std::move(ring));
  }
  DS_TRY(map.fd_, create_ring_table(plan, fds));
  map.name_ = plan.name;
  map.kind_ = plan.kind;
  map.key_size_ = plan.key_size;
  map.value_size_ = plan.value_size;
  map.max_entries_ = map.rings_.front().max_entries();
  return map;
}

Result<BpfMap> BpfMap::create(const MapPlan& wanted) {
  if (wanted.kind == MapKind::RingTable) return create_rings(wanted);
  MapPlan plan = wanted;
  LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = map_flags(plan));
  Fd btf;
  if (plan.kind == MapKind::RingBuffer) plan.max_entries = ring_size(plan.max_entries);
  if (plan.kind == MapKind::TaskStorage) {
    plan.max_entries = 0;
    plan.key_size = sizeof(uint32_t);
    DS_TRY(btf, load_storage_btf(plan.value_size));
    opts.btf_fd = static_cast<uint32_t>(btf.get());
    opts.btf_key_type_id = storage_btf_key;
    opts.btf_value_type_id = storage_btf_value;
  }
  Fd chunk;  // the kernel copies its description
  if (plan.kind == MapKind::ChunkTable) {
    DS_TRY(BpfMap example, create(unwind_chunk_plan()));
    chunk = std::move(example.fd_);
    opts.inner_map_fd = static_cast<uint32_t>(chunk.get());
  }
  int fd = create_map(kernel_type(plan.kind), plan, opts);
  if (fd == -E2BIG || fd == -ENOMEM)
    return fail(
        Error::from_errno(-fd, "the kernel lacks memory for {}: {} bytes", content_of(plan.name), plan.value_size));
  if (fd < 0) return fail(Error::from_errno(-fd, "cannot create BPF map {}", plan.name));

  Fd created{fd};
  if (!plan.initial.empty()) DS_TRY_VOID(write_initial(fd, plan));
  return describe(plan, std::move(created));
}

Result<BpfMap> BpfMap::describe(const MapPlan& plan, Fd fd) {
  BpfMap map;
  map.fd_ = std::move(fd);
  map.name_ = plan.name;
  map.kind_ = plan.kind;
  map.is_direct_ = plan.is_direct;
  map.key_size_ = plan.key_size;
  map.value_size_ = plan.value_size;
  map.max_entries_ = plan.max_entries;
  if (plan.is_mmapable && plan.kind == MapKind::Array) {
    DS_TRY(map.memory_, MappedMemory::create(map.fd(), plan.value_size, PROT_READ | PROT_WRITE, 0));
  }
  return map;
}

Result<BpfMap> BpfMap::open(const MapPlan& plan, Fd fd) {
  bpf_map_info info{};
  uint32_t size = sizeof info;
  if (int status = bpf_obj_get_info_by_fd(fd.get(), &info, &size); status < 0)
    return fail(Error::from_errno(-status, "cannot use BPF map {}", plan.name));
  bool fits = info.type == kernel_type(plan.kind) && info.key_size == plan.key_size &&
              info.value_size == plan.value_size && info.max_entries == plan.max_entries &&
              info.map_flags == map_flags(plan);
  if (!fits) return fail(Error::make("BPF map {} differs from the plan", plan.name));
  return describe(plan, std::move(fd));
}

Result<BpfMap> BpfMap::create_data(std::string_view name, std::span<const std::byte> content, uint64_t size,
                                   bool is_writable) {
  if (size > UINT32_MAX) return fail(Error::make("section {} of the BPF object is too large", name));
  MapPlan plan{.name = is_writable ? "ds_data" : "ds_rodata",
               .kind = MapKind::Array,
               .key_size = sizeof(uint32_t),
               .value_size = static_cast<uint32_t>(size),
               .max_entries = 1};
  LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = is_writable ? 0u : uint32_t{BPF_F_RDONLY_PROG});
  int fd = create_map(BPF_MAP_TYPE_ARRAY, plan, opts);
  if (fd < 0) return fail(Error::from_errno(-fd, "cannot create a BPF map for section {}", name));
  BpfMap map;
  map.fd_ = Fd{fd};
  map.name_ = name;
  map.value_size_ = plan.value_size;
  auto bytes = reinterpret_cast<const uint8_t*>(content.data());
  plan.initial.assign(bytes, bytes + content.size());
  DS_TRY_VOID(write_initial(fd, plan));
  // The verifier treats the content as constants only if the map is frozen.
  if (int status = is_writable ? 0 : bpf_map_freeze(fd); status < 0)
    return fail(Error::from_errno(-status, "cannot freeze the BPF map of section {}", name));
  return map;
}

Result<uint32_t> possible_cpu_count() {
  int count = libbpf_num_possible_cpus();
  if (count <= 0) return fail(Error::from_errno(-count, "cannot read the number of CPUs"));
  return static_cast<uint32_t>(count);
}

}  // namespace dscope
