// Compares unwinding by tables with elfutils on samples of everything that runs on this machine: the kernel copies the
// registers and the stack of each sample, and both unwinders work on the copy. The tables and ds_unwind() are those of
// dscope, compiled natively. Prints a line for each program name, and the memory for the tables of all processes.
//
//   unwinding_oracle [--equal=PERCENT] [--kilobytes=N] SAMPLES [NAME...]
//
// As root. Samples only processes with these names, if any are given. Fails if fewer samples are equal than --equal
// says, or if the tables need more memory than --kilobytes.
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "codegen/bpf/unwind.h"
#include "runtime/symbols/live_symbolizer.h"
#include "runtime/unwind/process_areas.h"
#include "tests/support/fake_unwind_maps.h"

namespace {

constexpr size_t ring_pages = 1024, page = 4096;
constexpr unsigned stack_bytes = 32 << 10;
constexpr size_t max_frames = 64;

std::span<const std::byte> stack_copy;
uint64_t stack_start = 0;

}  // namespace

extern "C" {
void* fake_area = nullptr;
unsigned long long fake_clock_ns = 0;

// The helper reads the copy of the stack instead of memory of a process.
long fake_read_user(void* to, unsigned size, unsigned long long address) {
  // The word below the stack pointer was not copied; a read of the return address on top of the stack includes it.
  constexpr unsigned word = 8;
  if (size == 2 * word && address + word == stack_start) {
    std::memset(to, 0, word);
    return fake_read_user(static_cast<char*>(to) + word, word, stack_start);
  }
  uint64_t offset = address - stack_start;
  if (size > stack_copy.size() || offset > stack_copy.size() - size) return -14;
  std::memcpy(to, stack_copy.data() + offset, size);
  return 0;
}
}

namespace dscope {
namespace {

struct Score {
  uint64_t samples = 0, equal = 0, longer = 0, shorter = 0, frames = 0;
};

class Comparer {
 public:
  void compare(uint32_t pid, std::span<const uint64_t> words, std::span<const std::byte> stack) {
    std::vector<ds_unwind_area>* areas = areas_of_process(pid);
    if (areas == nullptr || areas->empty()) return;
    std::vector<uint64_t> wanted = symbols_.unwind(pid, words, stack, max_frames);
    std::vector<uint64_t> found = by_tables(*areas, ThreadRegisters::from_pt_regs(words), stack);
    Score& score = scores_[names_[pid]];
    ++score.samples;
    score.frames += found.size();
    size_t common = std::min(wanted.size(), found.size());
    bool has_prefix = std::equal(wanted.begin(), wanted.begin() + static_cast<ptrdiff_t>(common), found.begin());
    if (has_prefix && wanted.size() == found.size()) ++score.equal;
    else if (has_prefix && found.size() > wanted.size()) ++score.longer;
    else ++score.shorter;
    bool is_shown = wanted != found && shown_ < 20;
    if (!is_shown) return;
    ++shown_;
    std::printf("%s %u: elfutils %zu frames, tables %zu\n", names_[pid].c_str(), pid, wanted.size(), found.size());
    for (size_t i = common > 2 ? common - 2 : 0; i < std::max(wanted.size(), found.size()) && i < common + 2; ++i)
      std::printf("  %2zu %-50s %s\n", i, i < wanted.size() ? symbols_.user_symbol(pid, wanted[i], true).c_str() : "-",
                  i < found.size() ? symbols_.user_symbol(pid, found[i], true).c_str() : "-");
  }

  // Reads the tables of all processes, as if each had fired.
  void read_all_processes() {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::string name = entry.path().filename().string();
      if (name.find_first_not_of("0123456789") == std::string::npos)
        areas_of_process(static_cast<uint32_t>(std::stoul(name)));
    }
  }

  // The share of equal samples in per cent.
  double print() const {
    Score sum;
    for (const auto& [name, score] : scores_) {
      print(name, score);
      sum.samples += score.samples, sum.equal += score.equal, sum.longer += score.longer;
      sum.shorter += score.shorter, sum.frames += score.frames;
    }
    print("all", sum);
    const ds_unwind_counters& misses = test::fake_unwind_maps.counters;
    std::printf("ended in unknown code: %ju, at an unsupported rule: %ju, in unreadable memory: %ju\n",
                uintmax_t{misses.unknown_code}, uintmax_t{misses.unsupported_rules},
                uintmax_t{misses.unreadable_memory});
    std::printf("%zu processes, %zu files, %llu KiB of tables\n", areas_.size(), tables_.file_count(),
                static_cast<unsigned long long>(used_kilobytes()));
    std::printf("%llu ns for a frame natively\n",
                static_cast<unsigned long long>(sum.frames == 0 ? 0 : nanoseconds_ / sum.frames));
    return 100.0 * static_cast<double>(sum.equal) / static_cast<double>(std::max<uint64_t>(sum.samples, 1));
  }

  uint64_t used_kilobytes() const { return memory_.used_bytes() / 1024; }

 private:
  static void print(const std::string& name, const Score& score) {
    std::printf("%-16s %8llu samples, %5.1f frames, equal %6.2f %%, tables go on %5.2f %%, other %5.2f %%\n",
                name.c_str(), static_cast<unsigned long long>(score.samples),
                static_cast<double>(score.frames) / static_cast<double>(score.samples),
                100.0 * static_cast<double>(score.equal) / static_cast<double>(score.samples),
                100.0 * static_cast<double>(score.longer) / static_cast<double>(score.samples),
                100.0 * static_cast<double>(score.shorter) / static_cast<double>(score.samples));
  }

  std::vector<ds_unwind_area>* areas_of_process(uint32_t pid) {
    auto [entry, is_new] = areas_.try_emplace(pid);
    // Mappings change.
    auto now = std::chrono::steady_clock::now();
    if (!is_new && now - read_at_[pid] < std::chrono::milliseconds{200}) return &entry->second;
    read_at_[pid] = now;
    std::optional<ProcessMaps> maps = ProcessMaps::read(pid);
    if (!maps) return is_new ? nullptr : &entry->second;
    entry->second = areas_of(pid, *maps, tables_);
    symbols_.remember_process(pid);
    std::string name = read_small_file("/proc/" + std::to_string(pid) + "/comm");
    if (!name.empty()) names_[pid] = name.substr(0, name.find('\n'));
    return &entry->second;
  }

  std::vector<uint64_t> by_tables(const std::vector<ds_unwind_area>& areas, const ThreadRegisters& registers,
                                  std::span<const std::byte> stack) {
    auto words = static_cast<uint32_t>(areas.size() * sizeof(ds_unwind_area) / 4);
    if (!list_) list_ = memory_.allocate(DS_UNWIND_MAX_AREAS * sizeof(ds_unwind_area) / 4);
    std::memcpy(memory_.at(*list_, words).data(), areas.data(), words * 4);
    test::fake_unwind_maps.run_process({.stack_start = 1, .code_pages = 1}, *list_,
                                       static_cast<uint32_t>(areas.size()));
    ds_unwind_walk walk = test::fake_walk(registers.instruction_pointer, registers.values[7], registers.values[6]);
    stack_copy = stack;
    stack_start = walk.stack;
    unsigned long long frames[max_frames] = {};
    auto before = std::chrono::steady_clock::now();
    i64 bytes = ds_unwind(frames, max_frames, &walk);
    nanoseconds_ += static_cast<uint64_t>((std::chrono::steady_clock::now() - before).count());
    return {frames, frames + bytes / 8};
  }

  TableMemory memory_{[](uint32_t) { return test::fake_unwind_maps.add_chunk(); }};
  ObjectTables tables_{memory_};
  LiveSymbolizer symbols_{SymbolizerSettings{.is_watching = true}};
  std::optional<uint32_t> list_;
  std::map<uint32_t, std::vector<ds_unwind_area>> areas_;
  std::map<uint32_t, std::chrono::steady_clock::time_point> read_at_;
  std::map<uint32_t, std::string> names_;
  std::map<std::string, Score> scores_;
  uint64_t nanoseconds_ = 0;
  int shown_ = 0;
};

// The samples of one CPU.
class Sampler {
 public:
  explicit Sampler(int cpu) {
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.freq = 1;
    attr.sample_freq = 997;
    attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    attr.sample_regs_user = 0xff0fff;  // all but the data segments
    attr.sample_stack_user = stack_bytes;
    attr.exclude_kernel = 1;
    fd_ = static_cast<int>(::syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
    if (fd_ < 0) return;
    void* memory = ::mmap(nullptr, (ring_pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (memory != MAP_FAILED) ring_ = static_cast<std::byte*>(memory);
  }
  bool is_open() const { return ring_ != nullptr; }

  template <typename Take>
  void read(Take&& take) {
    auto* header = reinterpret_cast<perf_event_mmap_page*>(ring_);
    uint64_t end = __atomic_load_n(&header->data_head, __ATOMIC_ACQUIRE);
    while (at_ < end) {
      perf_event_header record{};
      copy(at_, &record, sizeof record);
      if (record.type == PERF_RECORD_SAMPLE) {
        bytes_.resize(record.size);
        copy(at_, bytes_.data(), record.size);
        take(std::span<const std::byte>{bytes_}.subspan(sizeof record));
      }
      at_ += record.size;
      __atomic_store_n(&header->data_tail, at_, __ATOMIC_RELEASE);
    }
  }

 private:
  void copy(uint64_t from, void* to, size_t size) const {
    for (size_t i = 0; i < size; ++i) static_cast<std::byte*>(to)[i] = ring_[page + (from + i) % (ring_pages * page)];
  }

  int fd_ = -1;
  std::byte* ring_ = nullptr;
  uint64_t at_ = 0;
  std::vector<std::byte> bytes_;
};

// From the order of perf (asm/perf_regs.h) to that of struct pt_regs.
std::vector<uint64_t> pt_regs_of(std::span<const uint64_t> perf) {
  enum { ax, bx, cx, dx, si, di, bp, sp, ip, flags, cs, ss, r8, r9, r10, r11, r12, r13, r14, r15 };
  return {perf[r15], perf[r14], perf[r13], perf[r12], perf[bp],    perf[bx], perf[r11],
          perf[r10], perf[r9],  perf[r8],  perf[ax],  perf[cx],    perf[dx], perf[si],
          perf[di],  0,         perf[ip],  perf[cs],  perf[flags], perf[sp], perf[ss]};
}

volatile std::sig_atomic_t is_interrupted = 0;  // ends the comparison early

struct Bounds {
  double equal = 0;                 // per cent, at least
  uint64_t kilobytes = UINT64_MAX;  // of tables, at most
};

int run(uint64_t wanted, const std::set<std::string>& names, const Bounds& bounds) {
  std::vector<Sampler> samplers;
  for (int cpu = 0; cpu < static_cast<int>(std::thread::hardware_concurrency()); ++cpu)
    if (samplers.emplace_back(cpu); !samplers.back().is_open()) return std::perror("perf_event_open"), 1;
  Comparer comparer;
  uint64_t count = 0;
  auto take = [&](std::span<const std::byte> sample) {
    auto word = [&](size_t at) {
      uint64_t value = 0;
      if (at + 8 <= sample.size()) std::memcpy(&value, sample.data() + at, 8);
      return value;
    };
    auto pid = static_cast<uint32_t>(word(0));
    constexpr size_t registers = 20, first = 16;
    if (pid == 0 || pid == static_cast<uint32_t>(::getpid()) || word(8) != PERF_SAMPLE_REGS_ABI_64) return;
    if (!names.empty()) {
      std::string name = read_small_file("/proc/" + std::to_string(pid) + "/comm");
      if (!names.contains(name.substr(0, name.find('\n')))) return;
    }
    std::vector<uint64_t> perf;
    for (size_t i = 0; i < registers; ++i) perf.push_back(word(first + i * 8));
    size_t at = first + registers * 8;
    uint64_t size = word(at), copied = size == 0 ? 0 : word(at + 8 + size);
    if (copied == 0 || at + 8 + copied > sample.size()) return;
    ++count;
    comparer.compare(pid, pt_regs_of(perf), sample.subspan(at + 8, copied));
  };
  for (int number : {SIGINT, SIGTERM}) std::signal(number, [](int) { is_interrupted = 1; });
  while (count < wanted && is_interrupted == 0) {
    for (Sampler& sampler : samplers) sampler.read(take);
    ::usleep(5000);
  }
  comparer.read_all_processes();
  double equal = comparer.print();
  return equal >= bounds.equal && comparer.used_kilobytes() <= bounds.kilobytes ? 0 : 1;
}

}  // namespace
}  // namespace dscope

int main(int count, char** arguments) {
  dscope::Bounds bounds;
  std::vector<std::string> words{arguments + 1, arguments + count};
  auto take = [&](const std::string& option, auto&& use) {
    if (words.empty() || !words.front().starts_with(option)) return;
    use(words.front().substr(option.size()));
    words.erase(words.begin());
  };
  take("--equal=", [&](const std::string& value) { bounds.equal = std::stod(value); });
  take("--kilobytes=", [&](const std::string& value) { bounds.kilobytes = std::stoull(value); });
  if (words.empty())
    return std::fprintf(stderr, "usage: %s [--equal=PERCENT] [--kilobytes=N] SAMPLES [NAME...]\n", arguments[0]), 2;
  return dscope::run(std::stoull(words.front()), {words.begin() + 1, words.end()}, bounds);
}
