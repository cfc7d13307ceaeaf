// The only file that catches exceptions of cereal. Lengths are checked before memory is allocated, because facts files
// come from other people.
#include "runtime/kernel/machine_record.h"

#include <fcntl.h>

#include <cstdlib>
#include <filesystem>
#include <span>

#include "runtime/elf/decompression.h"
#include "support/byte_archive.h"
#include "support/check.h"
#include "support/format.h"
#include "support/read_file.h"

namespace dscope {

namespace {

constexpr std::string_view magic = "dscope facts\n";
constexpr uint32_t format_version = 2;
constexpr size_t max_content = size_t{1} << 30;  // bytes

using Writer = ByteOutput;
using Reader = ByteInput;

void transfer(Writer& archive, const std::string& text) {
  archive(uint64_t{text.size()}, cereal::binary_data(text.data(), text.size()));
}

// The count of elements that follow, each of at least one byte.
uint64_t read_count(Reader& archive, const size_t& unread) {
  uint64_t count = 0;
  archive(count);
  if (count > unread) throw cereal::Exception("a length is larger than the file");
  return count;
}

// Reads from a string of known size, so that no length can exceed it.
struct BoundedReader {
  Reader& archive;
  size_t size;  // bytes of the whole content

  std::string text() {
    std::string result(read_count(archive, size), '\0');
    archive(cereal::binary_data(result.data(), result.size()));
    return result;
  }
};

// The fields of plain numbers, in the order of the file; reading and writing share the list.
template <typename Archive, typename Record>
void transfer_numbers(Archive& archive, Record& record) {
  auto& facts = record.facts;
  archive(facts.has_raw_tp_cookie, facts.has_cpu_v4, facts.has_exact_uprobe_pids, facts.has_task_pt_regs,
          facts.cpu_count, facts.max_stack_frames, facts.ticks_per_second, facts.online_cpu_count, facts.page_size,
          facts.page_count);
  archive(record.mechanisms.has_trampoline, record.mechanisms.has_multi, record.mechanisms.has_kprobe,
          record.takes_security_programs, record.finds_physical_memory, record.counts_hardware_events);
}

void write_record(Writer& archive, const MachineRecord& record) {
  transfer_numbers(archive, record);
  transfer(archive, record.facts.machine);
  transfer(archive, record.facts.kernel_release);
  transfer(archive, record.facts.kernel_banner);
  archive(uint64_t{record.cpus.size()});
  for (const CpuFacts& cpu : record.cpus) archive(cpu.package, cpu.node, cpu.megahertz);
  archive(uint64_t{record.block_drivers.size()});
  for (const auto& [major, name] : record.block_drivers) {
    archive(major);
    transfer(archive, name);
  }
  archive(uint64_t{record.modules.size()});
  for (const std::string& module : record.modules) transfer(archive, module);
  archive(uint64_t{record.absent_calls.size()});
  for (uint32_t call : record.absent_calls) archive(call);
  archive(uint64_t{record.files.size()});
  for (const auto& [path, content] : record.files) {
    transfer(archive, path);
    transfer(archive, content);
  }
}

// Paths name files below the folder into which the record is unpacked.
void check_path(const std::string& path) {
  std::filesystem::path parts{path};
  bool is_safe = path.starts_with('/') && !path.ends_with('/') && path.find('\0') == std::string::npos;
  for (const auto& part : parts) is_safe = is_safe && part != "..";
  if (!is_safe) throw cereal::Exception("a path in it is not absolute");
}

MachineRecord read_record(BoundedReader in) {
  MachineRecord record;
  transfer_numbers(in.archive, record);
  record.facts.machine = in.text();
  // An empty name is that of the machine for which dscope was built.
  if (!record.facts.machine.empty() && find_architecture(record.facts.machine) == nullptr)
    throw cereal::Exception(fmt::format("unknown processor: {}", record.facts.machine));
  record.facts.kernel_release = in.text();
  record.facts.kernel_banner = in.text();
  for (uint64_t i = read_count(in.archive, in.size); i > 0; --i) {
    CpuFacts& cpu = record.cpus.emplace_back();
    in.archive(cpu.package, cpu.node, cpu.megahertz);
  }
  for (uint64_t i = read_count(in.archive, in.size); i > 0; --i) {
    uint32_t major = 0;
    in.archive(major);
    record.block_drivers[major] = in.text();
  }
  for (uint64_t i = read_count(in.archive, in.size); i > 0; --i) record.modules.push_back(in.text());
  for (uint64_t i = read_count(in.archive, in.size); i > 0; --i) in.archive(record.absent_calls.emplace_back());
  for (uint64_t i = read_count(in.archive, in.size); i > 0; --i) {
    std::string path = in.text();
    check_path(path);
    record.files[std::move(path)] = in.text();
  }
  return record;
}

// The content begins after the magic, the version in decimal, and a newline.
Result<std::string_view> skip_header(std::string_view bytes) {
  if (!bytes.starts_with(magic)) return fail(Error("not a facts file").hint("--save-facts=FILE writes one"));
  bytes.remove_prefix(magic.size());
  std::string version = fmt::format("{}\n", format_version);
  if (!bytes.starts_with(version)) return fail(Error("written by another version of dscope"));
  return bytes.substr(version.size());
}

Result<> write_files(const MachineRecord& record, const std::filesystem::path& folder) {
  for (const auto& [path, content] : record.files) {
    if (path.starts_with(recorded_tracefs)) continue;
    std::filesystem::path target = folder / path.substr(1);
    std::error_code problem;
    std::filesystem::create_directories(target.parent_path(), problem);
    Fd file{::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
    if (!file || !write_all(file.get(), content))
      return fail(Error::from_errno(errno, "cannot write `{}`", target.string()));
  }
  return {};
}

MachineInUse* in_use = nullptr;

}  // namespace

Result<std::string> pack_machine(const MachineRecord& record) {
  std::string bytes;
  Writer archive{bytes};
  write_record(archive, record);
  std::vector<char> packed = compress_zstd(std::as_bytes(std::span{bytes}));
  if (packed.empty()) return fail(Error("facts files need libzstd").hint("install libzstd1"));
  return fmt::format("{}{}\n", magic, format_version) + std::string{packed.begin(), packed.end()};
}

Result<MachineRecord> unpack_machine(std::string_view bytes) {
  DS_TRY(std::string_view packed, skip_header(bytes));
  std::vector<char> content = decompress_zstd(std::as_bytes(std::span{packed}), max_content);
  if (content.empty()) return fail(Error("damaged, larger than 1 GiB, or libzstd is not installed"));
  try {
    Reader archive{{content.data(), content.size()}};
    return read_record({archive, content.size()});
  } catch (const std::exception& problem) {
    return fail(Error::make("damaged: {}", problem.what()));
  }
}

const MachineRecord* recorded_machine() { return in_use != nullptr ? &in_use->record_ : nullptr; }

const Architecture& traced_architecture() {
  return in_use != nullptr ? architecture_of(in_use->record_.facts) : native_architecture();
}

std::string machine_path(std::string_view path) {
  return in_use != nullptr ? in_use->folder_ + std::string{path} : std::string{path};
}

Result<std::unique_ptr<MachineInUse>> MachineInUse::open(const std::string& path) {
  DS_CHECK(in_use == nullptr);
  DS_TRY(std::string bytes, read_file(path.c_str()));
  auto record = unpack_machine(bytes);
  if (!record) return fail(std::move(record).error().with_context(path));
  std::error_code problem;
  std::string folder = (std::filesystem::temp_directory_path(problem) / "dscope-facts-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return fail(Error::from_errno(errno, "cannot create `{}`", folder));
  std::unique_ptr<MachineInUse> machine{new MachineInUse};
  machine->folder_ = folder;
  machine->record_ = std::move(*record);
  DS_TRY_VOID(write_files(machine->record_, folder));
  std::erase_if(machine->record_.files, [](const auto& file) { return !file.first.starts_with(recorded_tracefs); });
  in_use = machine.get();
  return machine;
}

MachineInUse::~MachineInUse() {
  if (in_use == this) in_use = nullptr;
  std::error_code problem;
  std::filesystem::remove_all(folder_, problem);
}

}  // namespace dscope
