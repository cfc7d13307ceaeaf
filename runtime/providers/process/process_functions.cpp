#include "runtime/providers/process/process_functions.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <tuple>
#include <unordered_map>

#include "runtime/elf/call_sites.h"
#include "runtime/elf/debug_files.h"
#include "runtime/elf/exception_tables.h"
#include "runtime/elf/go_functions.h"
#include "runtime/elf/library_search.h"
#include "runtime/elf/process_maps.h"
#include "runtime/providers/process/mapped_file.h"
#include "runtime/providers/provider.h"
#include "support/format.h"
#include "support/shared_library.h"

namespace dscope {

namespace {

// ELFCLASS32 or ELFCLASS64 of a program or library, else ELFCLASSNONE: next to libfoo.so may lie libfoo.c and libfoo.o,
// which match the name libfoo as well.
unsigned char class_of(int fd) {
  Elf32_Ehdr header{};  // 64-bit headers are the same up to the type
  bool can_be_mapped = ::pread(fd, &header, sizeof header, 0) == sizeof header &&
                       std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                       (header.e_type == ET_DYN || header.e_type == ET_EXEC);
  return can_be_mapped ? header.e_ident[EI_CLASS] : static_cast<unsigned char>(ELFCLASSNONE);
}

// A process can load only libraries of the word size of its program.
bool can_be_loaded(const Fd& library, uint32_t pid) {
  unsigned char its = class_of(library.get());
  Fd program{::open(fmt::format("/proc/{}/exe", pid).c_str(), O_RDONLY | O_CLOEXEC)};
  return its != ELFCLASSNONE && (!program || class_of(program.get()) == its);
}

// Provider definitions and their probes by name. The last definition of a provider counts, and the first of a probe.
class DefinitionIndex {
 public:
  explicit DefinitionIndex(const std::vector<DefinedProvider>& definitions) {
    for (const DefinedProvider& definition : definitions) providers_[definition.name].provider = &definition;
    for (auto& [name, known] : providers_)
      for (const DefinedProbe& probe : known.provider->probes) known.probes.try_emplace(probe.name, &probe);
  }

  std::pair<const DefinedProvider*, const DefinedProbe*> find(const StapsdtNote& note) const {
    auto known = providers_.find(note.provider);
    if (known == providers_.end()) return {};
    auto probe = known->second.probes.find(with_dashes(note.name));
    return {known->second.provider, probe == known->second.probes.end() ? nullptr : probe->second};
  }

 private:
  struct Known {
    const DefinedProvider* provider = nullptr;
    std::unordered_map<std::string_view, const DefinedProbe*> probes;
  };
  std::unordered_map<std::string_view, Known> providers_;
};

}  // namespace

std::optional<ProcessFunctions> ProcessFunctions::open(uint32_t pid, ProbedFiles& files) {
  if (process_of_thread(pid) != 0) return std::nullopt;
  auto maps = ProcessMaps::read(pid);
  if (!maps) return std::nullopt;
  ProcessFunctions result(pid, files);
  std::error_code problem;
  std::string program = std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid), problem);
  if (problem == std::errc::permission_denied || problem == std::errc::operation_not_permitted) return std::nullopt;
  std::set<std::pair<std::string, uint64_t>> known;
  for (const Mapping& mapping : maps->mappings()) {
    if (!mapping.is_file() || !mapping.is_executable) continue;
    if (!known.emplace(mapping.device, mapping.inode).second) continue;
    bool is_program = mapping.path == program || mapping.path + " (deleted)" == program;
    result.objects_.push_back({.name = std::string{mapping.object_name()},
                               .path = mapping.path,
                               .device = mapping.device,
                               .inode = mapping.inode,
                               .is_program = is_program,
                               .is_deleted = mapping.is_deleted,
                               .start = mapping.start,
                               .end = mapping.end,
                               .mapped_offset = mapping.offset,
                               .opened = {},
                               .symbols = nullptr,
                               .functions = {},
                               .versioned_names = {},
                               .indirect_slots = {},
                               .code_bytes_left = {}});
  }
  std::stable_partition(result.objects_.begin(), result.objects_.end(),
                        [](const ProcessObject& object) { return object.is_program; });
  return result;
}

std::optional<ProcessFunctions> ProcessFunctions::of_file(const std::string& path, ProbedFiles& files) {
  Fd fd = open_regular(path);
  return fd ? std::optional{of_open_file(std::move(fd), path, files)} : std::nullopt;
}

ProcessFunctions ProcessFunctions::of_open_file(Fd fd, const std::string& path, ProbedFiles& files) {
  ProcessFunctions result(0, files);
  result.objects_.push_back({.name = path.substr(path.rfind('/') + 1),
                             .path = path,
                             .is_program = false,
                             .opened = std::move(fd),
                             .symbols = nullptr,
                             .functions = {},
                             .versioned_names = {},
                             .indirect_slots = {},
                             .code_bytes_left = {}});
  return result;
}

void ProcessFunctions::add_unloaded(const std::string& module) {
  if (!is_literal(module) || module == "a.out" || !searched_modules_.insert(module).second) return;
  std::vector<std::string> paths;
  if (module.starts_with('/')) paths.push_back(module);
  else
    paths = find_libraries(pid_, [&](std::string_view name) {
      ProcessObject object;
      object.name = name;
      return is_named(object, module);
    });
  for (std::string& path : paths) {
    ProcessObject object;
    object.name = path.substr(path.rfind('/') + 1);
    object.opened = open_in_root(fmt::format("/proc/{}/root", pid_), path);
    object.path = std::move(path);
    if (!object.opened || !can_be_loaded(object.opened, pid_)) continue;
    // A link may lead to a file that is already in the list.
    if (ProcessObject* known = find_file(object.opened.get())) known->other_paths.push_back(std::move(object.path));
    else objects_.push_back(std::move(object));
  }
}

// The object that is the file open at `wanted`; null if there is none.
ProcessObject* ProcessFunctions::find_file(int wanted) {
  struct stat file{};
  if (::fstat(wanted, &file) != 0) return nullptr;
  for (size_t i = 0; i < objects_.size(); ++i) {
    struct stat other{};
    if (::fstat(fd(i), &other) == 0 && other.st_dev == file.st_dev && other.st_ino == file.st_ino) return &objects_[i];
  }
  return nullptr;
}

int ProcessFunctions::fd(size_t index) {
  ProcessObject& object = objects_[index];
  if (!object.opened && !object.probe_path.empty()) object.opened = open_regular(object.probe_path);
  if (!object.opened && object.start != 0)
    object.opened = open_mapped_file(pid_, {.start = object.start,
                                            .end = object.end,
                                            .inode = object.inode,
                                            .path = object.path,
                                            .is_deleted = object.is_deleted});
  return object.opened.get();
}

const std::string& ProcessFunctions::probe_path(size_t index) {
  ProcessObject& object = objects_[index];
  if (object.probe_path.empty()) object.probe_path = files_->path_of(fd(index));
  return object.probe_path;
}

const ElfSymbols& ProcessFunctions::symbols(size_t index) {
  ProcessObject& object = objects_[index];
  if (object.symbols == nullptr) {
    std::string root = pid_ == 0 ? std::string{} : fmt::format("/proc/{}/root", pid_);
    object.symbols = ElfSymbols::read(fd(index), object.path, root, true);
    object.functions = object.symbols->functions();
  }
  return *object.symbols;
}

const std::vector<ElfSymbols::Function>& ProcessFunctions::functions(size_t index) {
  symbols(index);
  return objects_[index].functions;
}

ElfSymbols::Function ProcessFunctions::function_starting_at(size_t index, uint64_t offset) {
  const std::vector<ElfSymbols::Function>& all = functions(index);
  auto found = std::ranges::lower_bound(all, offset, {}, &ElfSymbols::Function::offset);
  return found != all.end() && found->offset == offset ? *found : ElfSymbols::Function{};
}

// Reads the slots in which the dynamic linker stores resolved addresses, in the object itself and in its users. If they
// are not filled yet, looks at the same library in this process.
ElfSymbols::Function ProcessFunctions::implementation(size_t index, const ElfSymbols::Function& function) {
  if (!function.is_indirect) return function;
  const ElfSymbols& elf = symbols(index);
  std::optional<uint64_t> offset;
  auto consider = [&](std::optional<uint64_t> address) {
    auto candidate = address ? elf.file_offset(*address) : std::nullopt;
    if (!offset && candidate && *candidate != function.offset && elf.code_section_around(*candidate))
      offset = candidate;
  };
  const std::unordered_map<uint64_t, uint64_t>& own_slots = indirect_slots(index).by_resolver;
  if (auto slot = own_slots.find(elf.virtual_address(function.offset)); slot != own_slots.end())
    consider(pointer_at(index, slot->second, index));
  const std::vector<ElfSymbols::Function>& all = functions(index);
  bool is_versioned = has_versions(index, function.name);  // then the name alone does not identify the function
  std::string name{function.name};
  // The implementation that was selected in this process, if it has loaded the same file. Executes nothing of the file.
  if (!offset && !is_versioned) consider(find_in_loaded_library(fmt::format("/proc/self/fd/{}", fd(index)), name));
  for (size_t i = 0; !offset && !is_versioned && i < objects_.size(); ++i) {
    if (i == index || objects_[i].start == 0) continue;
    auto slots = indirect_slots(i).imports.find(name);
    if (slots == indirect_slots(i).imports.end()) continue;
    for (uint64_t slot : slots->second) consider(pointer_at(i, slot, index));
  }
  if (!offset) return function;
  ElfSymbols::Function found{.name = function.name, .offset = *offset, .size = 0};
  auto known = std::ranges::lower_bound(all, *offset, {}, &ElfSymbols::Function::offset);
  if (known != all.end() && known->offset == *offset) found.size = known->size;
  return found;
}

bool ProcessFunctions::has_versions(size_t index, std::string_view function) {
  std::optional<std::set<std::string_view>>& versioned = objects_[index].versioned_names;
  if (!versioned) {
    versioned.emplace();
    std::unordered_map<std::string_view, uint64_t> offsets;
    for (const ElfSymbols::Function& each : functions(index)) {
      auto known = offsets.try_emplace(each.name, each.offset).first;
      if (known->second != each.offset) versioned->insert(each.name);
    }
  }
  return versioned->contains(function);
}

const IndirectSlots& ProcessFunctions::indirect_slots(size_t index) {
  std::optional<IndirectSlots>& slots = objects_[index].indirect_slots;
  if (!slots) slots = read_indirect_slots(fd(index));
  return *slots;
}

uint64_t ProcessFunctions::bias(size_t index) {
  return objects_[index].start - symbols(index).virtual_address(objects_[index].mapped_offset);
}

// Reads the pointer at `address` of one object in the process's memory; returns it as an address in object `into`.
std::optional<uint64_t> ProcessFunctions::pointer_at(size_t index, uint64_t address, size_t into) {
  if (objects_[index].start == 0 || objects_[into].start == 0) return std::nullopt;
  Fd memory{::open(fmt::format("/proc/{}/mem", pid_).c_str(), O_RDONLY | O_CLOEXEC)};
  uint64_t pointer = 0;
  bool is_read = memory && ::pread(memory.get(), &pointer, sizeof pointer, static_cast<off_t>(bias(index) + address)) ==
                               sizeof pointer;
  return is_read ? std::optional{pointer - bias(into)} : std::nullopt;
}

const std::vector<ProcessFunctions::StaticProbe>& ProcessFunctions::static_probes(size_t index) {
  std::unique_ptr<FoundProbes>& found = static_probes_[index];
  if (found == nullptr) found = find_static_probes(index);
  return found->probes;
}

std::unique_ptr<ProcessFunctions::FoundProbes> ProcessFunctions::find_static_probes(size_t index) {
  auto found = std::make_unique<FoundProbes>();
  StaticProbes in_file = read_static_probes(fd(index));
  if (in_file.notes.empty()) return found;
  found->definitions = std::move(in_file.definitions);
  const DefinitionIndex definitions(found->definitions);
  std::vector<StaticProbe> stubs;
  // The kernel has one counter for an instruction, and rejects all probes of a link for a second one.
  std::map<uint64_t, uint64_t> semaphores;  // by the probe's offset
  for (StapsdtNote& note : in_file.notes) {
    if (semaphores.try_emplace(note.offset, note.semaphore).first->second != note.semaphore) continue;
    StaticProbe probe{.function = function_around(index, note.address)};
    std::tie(probe.definition, probe.defined_probe) = definitions.find(note);
    probe.note = std::move(note);
    // -G defines stubs for objects that fire probes by calls (provider_object.h): the probes are at the calls.
    bool is_stub = probe.function.starts_with("__dtrace_");
    (is_stub ? stubs : found->probes).push_back(std::move(probe));
  }
  for (StaticProbe& probe : callers_of(index, stubs)) found->probes.push_back(std::move(probe));
  return found;
}

std::string ProcessFunctions::function_around(size_t index, uint64_t address) {
  auto found = symbols(index).find(address);
  return found ? std::string{found->name} : std::string{};
}

// The call sites of the stubs; a stub without direct calls is itself the probe's location.
std::vector<ProcessFunctions::StaticProbe> ProcessFunctions::callers_of(size_t index,
                                                                        std::span<const StaticProbe> stubs) {
  std::vector<StaticProbe> probes;
  if (stubs.empty()) return probes;
  std::vector<uint64_t> addresses;
  for (const StaticProbe& stub : stubs) addresses.push_back(stub.note.address);
  std::vector<CallSite> sites = find_call_sites(fd(index), addresses);
  std::ranges::stable_sort(sites, {}, &CallSite::target);
  // Compilers may merge equal stubs, but a hostile file has thousands at one address, which share thousands of calls.
  constexpr int max_stubs_per_address = 16;
  std::unordered_map<uint64_t, int> stubs_of_address;
  for (const StaticProbe& stub : stubs) {
    size_t before = probes.size();
    bool is_searched = ++stubs_of_address[stub.note.address] <= max_stubs_per_address;
    if (!is_searched)
      FileBudget::report(fd(index),
                         fmt::format("has more than {} static probes at one address: the calls of the others "
                                     "are not found",
                                     max_stubs_per_address));
    auto calls = std::ranges::equal_range(sites, stub.note.address, {}, &CallSite::target);
    for (const CallSite& site : is_searched ? calls : std::ranges::subrange(sites.end(), sites.end())) {
      StaticProbe& probe = probes.emplace_back(stub);
      probe.note.address = site.address;
      probe.note.offset = site.offset;
      probe.function = function_around(index, site.address);
      // At a call the return address has not been pushed yet.
      if (!site.is_jump) probe.stack_shift = -int64_t{stub.note.address_size};
    }
    if (probes.size() == before) probes.push_back(stub);
  }
  return probes;
}

// A process that throws exceptions has mapped an unwinding library or has it linked into the program.
bool ProcessFunctions::may_unwind(size_t index) {
  if (pid_ == 0) return has_exception_tables(fd(index));
  auto unwinds = [&](size_t i) {
    const ProcessObject& object = objects_[i];
    return object.name.starts_with("libgcc_s.so") || object.name.starts_with("libunwind.so") ||
           (object.is_program && has_exception_tables(fd(i)));
  };
  for (size_t i = 0; !may_unwind_ && i < objects_.size(); ++i)
    if (unwinds(i)) may_unwind_ = true;
  if (!may_unwind_) may_unwind_ = false;
  return *may_unwind_;
}

bool ProcessFunctions::is_go(size_t index) {
  std::optional<bool>& is_go = objects_[index].is_go;
  if (!is_go) is_go = is_go_program(fd(index));
  return *is_go;
}

bool ProcessFunctions::may_have_shadow_stack() {
  if (!may_have_shadow_stack_) {
    std::string status = read_small_file(fmt::format("/proc/{}/status", pid_));
    may_have_shadow_stack_ = status.empty() || status.find("shstk") != std::string::npos;
  }
  return *may_have_shadow_stack_;
}

bool ProcessFunctions::may_decode(size_t index, uint64_t size) {
  // Each function is decoded for its entry, its return and its instructions, and functions may share code. Code without
  // data on the disk may have any size.
  constexpr uint64_t times = 8, bytes_per_decoded_byte = 4, min_bytes = uint64_t{1} << 20;
  std::optional<uint64_t>& left = objects_[index].code_bytes_left;
  uint64_t most = FileBudget::default_limits().bytes / bytes_per_decoded_byte;
  if (!left) left = std::min(most, std::max(min_bytes, std::min(most, symbols(index).code_size()) * times));
  if (size > *left) return false;
  *left -= size;
  return true;
}

std::vector<uint8_t> ProcessFunctions::read(size_t index, uint64_t offset, size_t size) {
  std::vector<uint8_t> bytes(size);
  ssize_t got = ::pread(fd(index), bytes.data(), size, static_cast<off_t>(offset));
  bytes.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return bytes;
}

bool ProcessFunctions::is_named(const ProcessObject& object, std::string_view module) {
  if (field_matches(module, object.name) || field_matches(module, object.path)) return true;
  if (std::ranges::find(object.other_paths, module) != object.other_paths.end()) return true;
  if (object.is_program && module == "a.out") return true;
  for (size_t dot = object.name.find('.', 1); dot != std::string::npos; dot = object.name.find('.', dot + 1))
    if (field_matches(module, std::string_view{object.name}.substr(0, dot))) return true;
  return false;
}

bool ProcessFunctions::has_named(std::string_view module) const {
  return std::any_of(objects_.begin(), objects_.end(),
                     [&](const ProcessObject& object) { return is_named(object, module); });
}

}  // namespace dscope
