#include "runtime/providers/process/function_probes.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "runtime/providers/provider.h"
#include "runtime/providers/signatures.h"
#include "support/format.h"

namespace dscope {
namespace {

constexpr std::string_view entry = "entry", exit = "return";
// Of struct pt_regs: the arguments of a function of x86-64, what it returns.
constexpr int64_t argument_registers[] = {112, 104, 96, 88, 72, 64};  // di si dx cx r8 r9
constexpr int64_t result_register = 80;                               // ax
constexpr int arguments = 10;
// A function left at more places than this has one breakpoint, at its beginning, and its return address replaced.
constexpr size_t max_exits = 32;
constexpr size_t longest_function = size_t{1} << 20;
// Where it returned from is not known.
constexpr int32_t unknown_place = -1;

std::vector<ArgSource> entry_arguments(WordSize word_size) {
  std::vector<ArgSource> sources;
  constexpr int in_registers = std::size(argument_registers);
  for (int i = 0; i < arguments; ++i) {
    // Behind the return address.
    if (word_size == WordSize::Bits32)
      sources.push_back({.kind = ArgSourceKind::StackWord, .offset = 4 * (i + 1), .size = 4, .is_signed = true});
    else if (i < in_registers) sources.push_back({.kind = ArgSourceKind::Register, .offset = argument_registers[i]});
    else sources.push_back({.kind = ArgSourceKind::StackWord, .offset = 8 * (i - in_registers + 1)});
  }
  return sources;
}

std::vector<ArgSource> return_arguments(WordSize word_size) {
  return {{.kind = ArgSourceKind::HookDetail, .is_signed = true},
          {.kind = ArgSourceKind::Register,
           .offset = result_register,
           .size = word_size == WordSize::Bits32 ? 4U : 8U,
           .is_signed = true}};
}

// Another function will return in its place: what, is not known yet.
std::vector<ArgSource> jump_arguments() {
  return {{.kind = ArgSourceKind::HookDetail, .is_signed = true}, {.kind = ArgSourceKind::Constant}};
}

WordSize word_size(const FunctionPlace& place) {
  return place.process.symbols(place.object).is_32bit() ? WordSize::Bits32 : WordSize::Bits64;
}

// Another function returns what this one does.
bool leaves_by_jump(const CodeOutline& code) {
  return std::ranges::any_of(code.exits, [](const CodeOutline::Exit& left) { return left.target.has_value(); });
}

// What compilers have split off a function because it is seldom executed. It is jumped to, so that no return address
// is where the stack begins.
bool is_seldom_part(std::string_view function) { return function.find(".cold") != std::string_view::npos; }

// `twice` of `twice<int>`; other names as they are.
std::string_view without_template_arguments(std::string_view name) {
  int depth = 0;
  if (!name.ends_with('>') || name.find("operator") != std::string_view::npos) return name;
  for (size_t at = name.size(); at-- > 0;) {
    depth += name[at] == '>';
    depth -= name[at] == '<';
    if (depth == 0) return name.substr(0, at);
  }
  return name;
}

// VEX, EVEX (contract/process_tools.h: CodeOutline::probe_offset).
bool has_vector_prefix(uint8_t byte) { return byte == 0xc4 || byte == 0xc5 || byte == 0x62; }

}  // namespace

std::string FunctionProbes::readable(std::string_view function) const {
  bool may_be_mangled = function.starts_with("_Z") || function.starts_with("_R");
  if (!may_be_mangled || tools_.demangle == nullptr) return {};
  std::string text = tools_.demangle(function);
  return text == function ? std::string{} : text;
}

bool FunctionProbes::is_named(std::string_view function, std::string_view pattern) const {
  if (field_matches(pattern, function)) return true;
  std::string name = readable(function);
  if (name.empty()) return false;
  if (field_matches(pattern, name) || field_matches(pattern, without_template_arguments(name))) return true;
  if (tools_.demangle_with_parameters == nullptr || !has_parameters(pattern)) return false;
  // What a template returns stands before its name.
  std::string whole = tools_.demangle_with_parameters(function);
  size_t begin = whole.find(name);
  return begin != std::string::npos && signature_matches(pattern, std::string_view{whole}.substr(begin));
}

void FunctionProbes::merge_namesakes(std::vector<Probe>& probes) {
  auto make_sites = [](Probe& probe) {
    if (probe.sites.empty())
      probe.sites.push_back({.hook = std::exchange(probe.hook, {}), .raw_args = std::exchange(probe.raw_args, {})});
  };
  auto is_same = [](const Probe& one, const Probe& other) {
    return one.sites.empty() ? one.hook == other.hook
                             : !other.sites.empty() && one.sites.front().hook == other.sites.front().hook;
  };
  std::unordered_map<std::string, std::vector<Probe>> known;  // all of one name
  std::vector<std::string> order;
  for (Probe& probe : probes) {
    std::string name = fmt::format("{}:{}:{}", probe.module, probe.function, probe.name);
    std::vector<Probe>& namesakes = known[name];
    if (namesakes.empty()) order.push_back(std::move(name));
    // Tables of symbols repeat each other.
    auto is_this = [&](const Probe& each) { return is_same(each, probe); };
    if (std::ranges::none_of(namesakes, is_this)) namesakes.push_back(std::move(probe));
  }
  probes.clear();
  for (const std::string& name : order) {
    std::vector<Probe>& namesakes = known[name];
    Probe& first = namesakes.front();
    for (size_t i = 1; i < namesakes.size(); ++i) {
      make_sites(first);
      make_sites(namesakes[i]);
      std::ranges::move(namesakes[i].sites, std::back_inserter(first.sites));
    }
    probes.push_back(std::move(first));
  }
}

Probe FunctionProbes::make_probe(const FunctionPlace& place, std::string_view function, std::string name) const {
  Probe probe;
  probe.provider = place.provider;
  probe.module = place.module;
  probe.function = function;
  probe.name = std::move(name);
  probe.readable_function = readable(function);
  return probe;
}

uint64_t FunctionProbes::first_instruction(const FunctionPlace& place, const ElfSymbols::Function& function) const {
  // The kernel emulates what commonly stands first in a function, but not the mark of a jump target, which changes
  // nothing: behind it a probe costs a twentieth.
  constexpr uint8_t mark[] = {0xf3, 0x0f, 0x1e, 0xfa};  // endbr64; endbr32 ends in fb
  std::vector<uint8_t> first = place.process.read(place.object, function.offset, sizeof mark + 1);
  bool is_marked = first.size() > sizeof mark && std::equal(first.begin(), first.begin() + 3, std::begin(mark)) &&
                   (first[3] == 0xfa || first[3] == 0xfb);
  size_t behind_mark = is_marked ? sizeof mark : 0;
  // Reading a whole function takes time that only those need that may begin with a vector instruction.
  bool is_vector = behind_mark < first.size() && has_vector_prefix(first[behind_mark]);
  if (!is_vector) return function.offset + behind_mark;
  return function.offset + outline(place, function.offset, function.size).probe_offset;
}

void FunctionProbes::add(const FunctionPlace& place, const ElfSymbols::Function& function, std::string_view name,
                         std::vector<Probe>& probes) const {
  if (field_matches(name, entry) && !is_seldom_part(function.name)) add_entry(place, function, probes);
  if (field_matches(name, exit)) add_return(place, function, exit, probes);
  if (name == result) add_return(place, function, result, probes);
  if (name != entry && name != exit) add_offsets(place, function, name, probes);
}

std::vector<ElfSymbols::Function> FunctionProbes::find(const FunctionPlace& place, const std::string& pattern) const {
  bool is_pattern = !is_literal(pattern);
  uint64_t last = UINT64_MAX;
  std::vector<ElfSymbols::Function> found;
  std::unordered_map<uint64_t, size_t> found_at;  // by offset; only for patterns
  for (const ElfSymbols::Function& function : place.process.functions(place.object)) {
    if (is_pattern && function.offset == last) continue;
    if (!is_named(function.name, pattern)) continue;
    last = function.offset;
    ElfSymbols::Function meant = place.process.implementation(place.object, function);
    // Its code only chooses.
    if (function.is_indirect && meant.offset == function.offset) continue;
    meant.is_indirect = function.is_indirect;
    auto known = is_pattern ? found_at.try_emplace(meant.offset, found.size()) : std::pair{found_at.end(), true};
    if (known.second) {
      found.push_back(meant);
      continue;
    }
    ElfSymbols::Function& other = found[known.first->second];
    auto rank = [](const ElfSymbols::Function& each) {
      return std::tuple{!each.is_indirect, each.name.size(), each.name};
    };
    if (rank(meant) < rank(other)) other = meant;
  }
  return found;
}

void FunctionProbes::add_entry(const FunctionPlace& place, const ElfSymbols::Function& function,
                               std::vector<Probe>& probes) const {
  Probe probe = make_probe(place, function.name, std::string{entry});
  uint64_t offset = first_instruction(place, function);
  probe.hook = HookUprobe{.path = place.process.object(place.object).file,
                          .offset = offset,
                          .pid = place.pid,
                          .place = UprobePlace::Entry,
                          .detail = static_cast<int32_t>(offset - function.offset)};
  probe.raw_args = entry_arguments(word_size(place));
  probes.push_back(std::move(probe));
}

// At the instructions that leave the function, if they are known and few: there the stack is still the function's. Else
// its return address is replaced, if that does no harm.
void FunctionProbes::add_return(const FunctionPlace& place, const ElfSymbols::Function& function, std::string_view name,
                                std::vector<Probe>& probes) const {
  Probe probe = make_probe(place, function.name, std::string{name});
  const std::string& file = place.process.object(place.object).file;
  CodeOutline code = outline(place, function.offset, function.size);
  bool is_wanted = tools_.uses_uretprobes || (name == result && leaves_by_jump(code));
  bool are_known = !code.has_ambiguous_exits && code.exits.size() <= max_exits &&
                   std::ranges::all_of(code.exits, [&](const auto& exit) { return is_certain(place, function, exit); });
  bool is_accepted = is_wanted || name == result;
  if ((is_wanted || !are_known) && can_replace_return_address(place, function, code, is_accepted)) {
    probe.hook = HookUprobe{.path = file,
                            .offset = first_instruction(place, function),
                            .pid = place.pid,
                            .place = UprobePlace::Returned,
                            .detail = unknown_place};
    probe.raw_args = return_arguments(word_size(place));
    probes.push_back(std::move(probe));
    return;
  }
  for (const CodeOutline::Exit& left : best_exits(place, function, code))
    probe.sites.push_back({.hook = HookUprobe{.path = file,
                                              .offset = function.offset + left.offset,
                                              .pid = place.pid,
                                              .place = UprobePlace::Exit,
                                              .detail = static_cast<int32_t>(left.offset)},
                           .raw_args = left.target ? jump_arguments() : return_arguments(word_size(place))});
  if (!probe.sites.empty()) probes.push_back(std::move(probe));
}

// Whether it returns, or jumps to another function, maybe by way of the linker's stubs or pointers: a part of this one,
// put elsewhere because it is seldom needed, jumps back.
bool FunctionProbes::is_certain(const FunctionPlace& place, const ElfSymbols::Function& function,
                                const CodeOutline::Exit& exit) {
  if (!exit.target) return true;
  uint64_t offset = function.offset + static_cast<uint64_t>(*exit.target);
  const ElfSymbols& symbols = place.process.symbols(place.object);
  auto own = symbols.code_section_around(function.offset), its = symbols.code_section_around(offset);
  std::string_view target = place.process.function_at(place.object, offset);
  if (own && (!its || its->offset != own->offset)) return !is_seldom_part(target);
  return !target.empty() && !is_seldom_part(target);
}

// Those that are certain. Where none is, jumps to code without a name, and to where registers say.
std::vector<CodeOutline::Exit> FunctionProbes::best_exits(const FunctionPlace& place,
                                                          const ElfSymbols::Function& function,
                                                          const CodeOutline& code) {
  std::vector<CodeOutline::Exit> exits;
  std::ranges::copy_if(code.exits, std::back_inserter(exits),
                       [&](const CodeOutline::Exit& exit) { return is_certain(place, function, exit); });
  if (!exits.empty() || is_seldom_part(function.name)) return exits;
  exits = code.exits;
  for (uint32_t offset : code.indirect_jumps) exits.push_back({.offset = offset, .target = 0});
  return exits;
}

// Only what is called has one: neither the part of a function, nor what never leaves by itself, as a program's first
// instructions, nor what only jumps on by a register, as a linker's. And a program does not survive it that throws an
// exception through the function. `is_accepted`: the user has been told.
bool FunctionProbes::can_replace_return_address(const FunctionPlace& place, const ElfSymbols::Function& function,
                                                const CodeOutline& code, bool is_accepted) const {
  if (is_seldom_part(function.name)) return false;
  bool is_readable = !code.starts.empty();
  if (!is_readable) return true;
  if (code.exits.empty() && !code.has_ambiguous_exits) return false;
  bool is_stub = code.exits.empty() && !code.indirect_jumps.empty();
  bool may_change = place.pid != 0 && tools_.rechecks_processes;
  return is_accepted || !(is_stub || may_change || place.process.may_unwind(place.object));
}

void FunctionProbes::add_offsets(const FunctionPlace& place, const ElfSymbols::Function& function,
                                 std::string_view name, std::vector<Probe>& probes) const {
  for (uint32_t offset : outline(place, function.offset, function.size).starts) {
    std::string text = fmt::format("{:x}", offset);
    if (!field_matches(name, text)) continue;
    Probe probe = make_probe(place, function.name, std::move(text));
    probe.hook = HookUprobe{.path = place.process.object(place.object).file,
                            .offset = function.offset + offset,
                            .pid = place.pid,
                            .place = UprobePlace::Within};
    probes.push_back(std::move(probe));
  }
}

CodeOutline FunctionProbes::outline(const FunctionPlace& place, uint64_t offset, uint64_t size) const {
  if (tools_.read_code == nullptr || size > longest_function) return {};
  return tools_.read_code(place.process.read(place.object, offset, size), word_size(place));
}

std::optional<ProbeMistake> FunctionProbes::why_unchosen(const ElfSymbols::Function& function) {
  if (!function.is_indirect) return std::nullopt;
  return ProbeMistake{Tag::D_PROC_FUNC,
                      fmt::format("the code of function {} is chosen for the CPU when it is called first, or is not in "
                                  "this object; with -c and -x setenv=LD_BIND_NOW=1 it is chosen at the start",
                                  function.name)};
}

std::optional<ProbeMistake> FunctionProbes::why_none(std::string_view function, std::string_view name) {
  if (name != exit) return std::nullopt;
  return ProbeMistake{Tag::D_PROC_NAME, fmt::format("function {} never returns: no instruction leaves it", function)};
}

std::optional<Probe> FunctionProbes::at_address(const FunctionPlace& place, uint64_t address) const {
  const ElfSymbols& symbols = place.process.symbols(place.object);
  std::optional<uint64_t> offset = symbols.file_offset(address);
  auto around = offset ? symbols.code_section_around(*offset) : std::nullopt;
  if (!around) return std::nullopt;
  // From the beginning of the function if it is known, else of the section.
  if (auto function = symbols.find(address))
    if (auto start = symbols.file_offset(function->start); start && *start >= around->offset) {
      around->size -= *start - around->offset;
      around->offset = *start;
    }
  uint64_t distance = *offset - around->offset;
  constexpr uint64_t longest_instruction = 15;
  uint64_t end = std::min(around->size, distance + longest_instruction);
  // Bytes are cut off the end until the last instruction is whole.
  for (; end > distance; --end) {
    std::vector<uint32_t> starts = outline(place, around->offset, end).starts;
    if (starts.empty()) continue;
    if (!std::binary_search(starts.begin(), starts.end(), static_cast<uint32_t>(distance))) return std::nullopt;
    Probe probe = make_probe(place, "-", fmt::format("{:x}", address));
    probe.hook = HookUprobe{.path = place.process.object(place.object).file,
                            .offset = *offset,
                            .pid = place.pid,
                            .place = UprobePlace::Within};
    return probe;
  }
  return std::nullopt;
}

}  // namespace dscope
