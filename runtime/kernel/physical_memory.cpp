#include "runtime/kernel/physical_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "runtime/kernel/bpf_instructions.h"
#include "runtime/kernel/machine_record.h"

namespace dscope {

namespace {

using namespace instructions;

// Without address randomization and memory encryption (Documentation/arch/x86/x86_64/mm.rst). Facts files do not
// contain the addresses of a machine, which are secrets.
constexpr PhysicalMemory typical_memory{.direct_map = 0xffff888000000000ULL,
                                        .page_structs = 0xffffea0000000000ULL,
                                        .frame_mask = 0x000ffffffffff000ULL,
                                        .top_shift = 39};

constexpr uint64_t page_bytes = 4096, gigabyte = 1ULL << 30;

// Reads kernel memory by a BPF program of a few instructions that runs in our own process.
class KernelReader {
 public:
  // Follows a chain of pointers: each offset is that of the next pointer. `from` 0 starts at our own task_struct.
  std::optional<uint64_t> follow(uint64_t from, const std::vector<uint32_t>& offsets) const {
    uint64_t at = from;
    for (uint32_t offset : offsets) {
      auto next = read(at, offset);
      if (!next) return std::nullopt;
      at = *next;
    }
    return at;
  }

  // Eight bytes at from + offset; nothing if they are unmapped.
  std::optional<uint64_t> read(uint64_t from, uint64_t offset) const {
    Query query{.from = from, .offset = offset};
    bpf_attr run{};
    run.test.prog_fd = static_cast<uint32_t>(program_.get());
    run.test.ctx_in = reinterpret_cast<uint64_t>(&query);
    run.test.ctx_size_in = sizeof query;
    if (!program_ || ::syscall(SYS_bpf, BPF_PROG_TEST_RUN, &run, sizeof run) != 0) return std::nullopt;
    return query.status == 0 ? std::optional{query.value} : std::nullopt;
  }

 private:
  struct Query {
    uint64_t from = 0, offset = 0;
    int64_t status = -1;
    uint64_t value = 0;
  };

  static Fd make() {
    const bpf_insn program[] = {
        move_register(6, 1),
        load_register(7, 6, offsetof(Query, from)),
        skip_if_equal(7, 0, 1),
        jump(2),
        call(BPF_FUNC_get_current_task),
        move_register(7, 0),
        load_register(1, 6, offsetof(Query, offset)),
        add_register(7, 1),
        move_immediate(1, 0),
        store_register(10, -8, 1),
        move_register(1, 10),
        add_immediate(1, -8),
        move_immediate(2, 8),
        move_register(3, 7),
        call(BPF_FUNC_probe_read_kernel),
        store_register(6, offsetof(Query, status), 0),
        load_register(1, 10, -8),
        store_register(6, offsetof(Query, value), 1),
        move_immediate(0, 0),
        exit_program(),
    };
    bpf_attr attributes{};
    attributes.prog_type = BPF_PROG_TYPE_SYSCALL;
    attributes.prog_flags = BPF_F_SLEEPABLE;
    return load(program, attributes);
  }

  Fd program_ = make();
};

// A page of our own, whose frame number the kernel tells us.
class OwnPage {
 public:
  OwnPage() : file_(::memfd_create("dscope", MFD_CLOEXEC)) {
    if (!file_ || ::ftruncate(file_.get(), page_bytes) != 0) return;
    void* mapped = ::mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (mapped == MAP_FAILED) return;
    words_ = static_cast<uint64_t*>(mapped);
    // A pattern that no other page has.
    for (size_t i = 0; i < mark_words; ++i) words_[i] = mark(i);
  }
  ~OwnPage() {
    if (words_ != nullptr) ::munmap(words_, page_bytes);
  }
  OwnPage(const OwnPage&) = delete;
  OwnPage& operator=(const OwnPage&) = delete;

  static constexpr size_t mark_words = 4;
  uint64_t mark(size_t word) const { return (address() ^ 0x9e3779b97f4a7c15ULL) * (2 * word + 0x1234567890abcdefULL); }
  uint64_t address() const { return reinterpret_cast<uint64_t>(words_); }
  uint32_t file() const { return static_cast<uint32_t>(file_.get()); }

  // The frame number of the page; 0 without the privilege to read it.
  uint64_t frame() const {
    constexpr uint64_t frame_bits = (1ULL << 55) - 1, is_present = 1ULL << 63;
    Fd table{::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)};
    uint64_t entry = 0;
    auto at = static_cast<off_t>(address() / page_bytes * sizeof entry);
    if (!table || words_ == nullptr || ::pread(table.get(), &entry, sizeof entry, at) != sizeof entry) return 0;
    return (entry & is_present) != 0 ? entry & frame_bits : 0;
  }

 private:
  Fd file_;
  uint64_t* words_ = nullptr;
};

// Finds the start of the direct map: at a multiple of 1 GiB below our page tables, which lie in it. The right start is
// the one from which our page is found by its frame number.
std::optional<uint64_t> find_direct_map(const KernelReader& kernel, const OwnPage& page, uint64_t frame,
                                        uint64_t tables) {
  constexpr uint64_t max_gigabytes = 65536;
  auto is_page = [&](uint64_t address) {
    for (size_t i = 0; i < OwnPage::mark_words; ++i)
      if (kernel.read(address, i * sizeof(uint64_t)) != page.mark(i)) return false;
    return true;
  };
  uint64_t base = tables & ~(gigabyte - 1);
  for (uint64_t i = 0; i < max_gigabytes; ++i, base -= gigabyte)
    if (is_page(base + frame * page_bytes)) return base;
  return std::nullopt;
}

// The bits of a page table entry that hold the frame number, found by walking the tables to our page. `top_shift`: the
// shift of the top level, 39 with four levels and 48 with five. Nothing if the walk does not lead to our page.
std::optional<uint64_t> frame_mask(const KernelReader& kernel, const OwnPage& page, uint64_t frame, uint64_t tables,
                                   uint64_t direct_map, uint32_t top_shift) {
  constexpr uint64_t address_bits = 0x000ffffffffff000ULL;
  uint64_t table = tables, mask = address_bits;
  for (uint32_t shift = top_shift; shift >= 12; shift -= 9) {
    auto entry = kernel.read(table, (page.address() >> shift & 511) * sizeof(uint64_t));
    if (!entry || (*entry & 1) == 0) return std::nullopt;
    if (shift == 12) {
      // Memory encryption (SME, SEV) uses one bit of the entry.
      uint64_t other = (*entry & address_bits) ^ frame * page_bytes;
      if ((other & (other - 1)) != 0) return std::nullopt;
      return mask & ~other;
    }
    table = direct_map + (*entry & mask);
  }
  return std::nullopt;
}

}  // namespace

std::optional<PhysicalMemory> find_physical_memory(const MemoryOffsets& offsets) {
  // Only x86-64 has the page tables that programs walk (codegen/bpf/user_memory.bpf.c).
  if (&traced_architecture() != &x86_64) return std::nullopt;
  if (const MachineRecord* record = recorded_machine())
    return record->finds_physical_memory ? std::optional{typical_memory} : std::nullopt;
  OwnPage page;
  uint64_t frame = page.frame();
  if (frame == 0) return std::nullopt;
  KernelReader kernel;
  auto tables = kernel.follow(0, {offsets.task_memory, offsets.mm_tables});
  uint32_t slot = page.file() * static_cast<uint32_t>(sizeof(void*));
  auto described = kernel.follow(0, {offsets.task_files, offsets.files_table, offsets.table_files, slot,
                                     offsets.file_mapping, offsets.mapping_pages});
  if (!tables || !described) return std::nullopt;
  auto direct_map = find_direct_map(kernel, page, frame, *tables);
  if (!direct_map) return std::nullopt;
  for (uint32_t top_shift : {39U, 48U})
    if (auto mask = frame_mask(kernel, page, frame, *tables, *direct_map, top_shift))
      return PhysicalMemory{.direct_map = *direct_map,
                            .page_structs = *described - frame * offsets.page_bytes,
                            .frame_mask = *mask,
                            .top_shift = top_shift};
  return std::nullopt;
}

}  // namespace dscope
