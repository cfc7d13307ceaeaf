#include "runtime/providers/process/function_probes.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "arch/architecture.h"
#include "arch/go_functions.h"
#include "contract/cheap_return.h"
#include "runtime/providers/process/function_names.h"
#include "runtime/providers/process/goroutines.h"
#include "runtime/providers/provider.h"
#include "runtime/providers/signatures.h"
#include "support/format.h"

namespace dscope {
namespace {

constexpr std::string_view entry = "entry", exit = "return";
constexpr size_t arguments = 10;
// A function with more exits than this is probed by a uretprobe: one breakpoint at its entry replaces the return
// address.
constexpr size_t max_exits = 32;
constexpr size_t max_function_size = size_t{1} << 20;
// arg0 of a return probe if the offset of the return instruction is unknown.
constexpr int32_t unknown_offset = -1;

std::vector<ArgSource> entry_arguments(const FunctionAbi& abi, WordSize word_size) {
  bool is_narrow = word_size == WordSize::Bits32;
  const uint32_t bytes = is_narrow ? 4 : 8;
  std::vector<ArgSource> sources;
  for (size_t i = 0; i < arguments; ++i) {
    ArgSource& source = sources.emplace_back(ArgSource{.size = bytes, .is_signed = is_narrow});
    bool is_in_register = i < abi.arguments.size();
    source.kind = is_in_register ? ArgSourceKind::Register : ArgSourceKind::StackWord;
    source.offset = is_in_register ? int64_t{abi.arguments[i]}
                                   : static_cast<int64_t>(abi.stack_arguments + bytes * (i - abi.arguments.size()));
  }
  return sources;
}

std::vector<ArgSource> return_arguments(WordSize word_size) {
  return {{.kind = ArgSourceKind::HookDetail, .is_signed = true},
          {.kind = ArgSourceKind::Register,
           .offset = native_architecture().abi(word_size).result,
           .size = word_size == WordSize::Bits32 ? 4U : 8U,
           .is_signed = true}};
}

// Another function will return in its place: the result is not known yet.
std::vector<ArgSource> jump_arguments() {
  return {{.kind = ArgSourceKind::HookDetail, .is_signed = true}, {.kind = ArgSourceKind::Constant}};
}

WordSize word_size(const ProbedObject& probed) {
  return probed.process.symbols(probed.object).is_32bit() ? WordSize::Bits32 : WordSize::Bits64;
}

// True if an exit is a jump to another function, which returns in its place.
bool leaves_by_jump(const CodeOutline& code) {
  return std::ranges::any_of(code.exits, [](const CodeOutline::Exit& left) { return left.target.has_value(); });
}

// The rarely executed part that compilers split off a function. It is entered by a jump, so that no return address is
// at the top of the stack.
bool is_cold_part(std::string_view function) { return function.find(".cold") != std::string_view::npos; }

// VEX, EVEX (contract/process_tools.h: CodeOutline::probe_offset).
bool has_vector_prefix(uint8_t byte) { return byte == 0xc4 || byte == 0xc5 || byte == 0x62; }

}  // namespace

std::string FunctionProbes::demangled(std::string_view function) const {
  bool may_be_mangled = function.starts_with("_Z") || function.starts_with("_R");
  if (!may_be_mangled || tools_.demangle == nullptr) return {};
  std::string text = tools_.demangle(function);
  return text == function ? std::string{} : text;
}

// Whether a pattern with generic arguments, spelled as in the source, names a function of Rust or C++. Names of Rust's
// legacy mangling have the parameters, others the arguments.
bool FunctionProbes::has_generic_name(std::string_view pattern, std::string_view name) {
  if (pattern.find('<') == std::string_view::npos) return false;
  if (has_only_parameters(pattern) &&
      field_matches(without_generic_arguments(pattern), without_generic_arguments(name)))
    return true;
  std::string wanted = source_path(pattern);
  return field_matches(wanted, source_path(name));
}

bool FunctionProbes::is_named(std::string_view function, std::string_view pattern) const {
  if (field_matches(pattern, function)) return true;
  std::string name = demangled(function);
  if (name.empty()) return false;
  if (field_matches(pattern, name) || field_matches(pattern, without_generic_arguments(name))) return true;
  if (has_generic_name(pattern, name)) return true;
  if (tools_.demangle_with_parameters == nullptr || !has_parameters(pattern)) return false;
  // The whole demangled name of a template function starts with its return type.
  std::string whole = tools_.demangle_with_parameters(function);
  size_t begin = whole.find(name);
  return begin != std::string::npos && signature_matches(pattern, std::string_view{whole}.substr(begin));
}

Probe FunctionProbes::make_probe(const ProbedObject& probed, std::string_view function, std::string name) const {
  Probe probe;
  probe.provider = probed.provider;
  probe.module = probed.module;
  probe.function = function;
  probe.name = std::move(name);
  probe.readable_function = demangled(function);
  return probe;
}

uint64_t FunctionProbes::first_instruction(const ProbedObject& probed, const ElfSymbols::Function& function) const {
  // The kernel emulates the common first instructions of functions, but not endbr64, the mark of a jump target. A probe
  // after the mark costs a twentieth, and skipping the mark has no effect.
  constexpr uint8_t mark[] = {0xf3, 0x0f, 0x1e, 0xfa};  // endbr64; endbr32 ends in fb
  // A Go function starts again after its stack has grown.
  if (probed.process.symbols(probed.object).passes_registers_as_go())
    return function.offset +
           go_stack_check_size(native_architecture(), probed.process.read(probed.object, function.offset,
                                                                          std::min(function.size, max_go_stack_check)));
  if (!native_architecture().has_skippable_instructions) return function.offset;
  std::vector<uint8_t> first = probed.process.read(probed.object, function.offset, sizeof mark + 1);
  bool is_marked = first.size() > sizeof mark && std::equal(first.begin(), first.begin() + 3, std::begin(mark)) &&
                   (first[3] == 0xfa || first[3] == 0xfb);
  size_t behind_mark = is_marked ? sizeof mark : 0;
  // Reading a whole function takes time; only functions that may begin with a vector instruction need it.
  bool is_vector = behind_mark < first.size() && has_vector_prefix(first[behind_mark]);
  if (!is_vector) return function.offset + behind_mark;
  return function.offset + outline(probed, function.offset, function.size).probe_offset;
}

void FunctionProbes::add(const ProbedObject& probed, const ElfSymbols::Function& function, std::string_view name,
                         std::vector<Probe>& probes) const {
  if (field_matches(name, entry) && !is_cold_part(function.name)) add_entry(probed, function, probes);
  if (field_matches(name, exit)) add_return(probed, function, exit, probes);
  if (name == result) add_return(probed, function, result, probes);
  if (name != entry && name != exit) add_offsets(probed, function, name, probes);
}

std::vector<ElfSymbols::Function> FunctionProbes::find(const ProbedObject& probed, const std::string& pattern) const {
  bool is_pattern = !is_literal(pattern);
  uint64_t last = UINT64_MAX;
  std::vector<ElfSymbols::Function> found;
  std::unordered_map<uint64_t, size_t> found_at;  // by offset; only for patterns
  for (const ElfSymbols::Function& function : probed.process.functions(probed.object)) {
    if (is_pattern && function.offset == last) continue;
    if (!is_named(function.name, pattern)) continue;
    last = function.offset;
    ElfSymbols::Function implementation = probed.process.implementation(probed.object, function);
    // An unresolved ifunc: its code only selects an implementation.
    if (function.is_indirect && implementation.offset == function.offset) continue;
    implementation.is_indirect = function.is_indirect;
    auto known =
        is_pattern ? found_at.try_emplace(implementation.offset, found.size()) : std::pair{found_at.end(), true};
    if (known.second) {
      found.push_back(implementation);
      continue;
    }
    ElfSymbols::Function& other = found[known.first->second];
    auto rank = [](const ElfSymbols::Function& each) {
      return std::tuple{!each.is_indirect, each.name.size(), each.name};
    };
    if (rank(implementation) < rank(other)) other = implementation;
  }
  return found;
}

void FunctionProbes::add_entry(const ProbedObject& probed, const ElfSymbols::Function& function,
                               std::vector<Probe>& probes) const {
  Probe probe = make_probe(probed, function.name, std::string{entry});
  probe.is_process_function = probed.pid != 0;
  uint64_t offset = first_instruction(probed, function);
  probe.hook = HookUprobe{.path = probed.process.probe_path(probed.object),
                          .offset = offset,
                          .pid = probed.pid,
                          .position = UprobePosition::Entry,
                          .detail = static_cast<int32_t>(offset - function.offset)};
  bool is_go = probed.process.symbols(probed.object).passes_registers_as_go() && has_go_convention(function.name);
  FunctionAbi abi = is_go ? go_functions(native_architecture()) : native_architecture().abi(word_size(probed));
  probe.raw_args = entry_arguments(abi, word_size(probed));
  probes.push_back(std::move(probe));
}

// Probes the instructions that leave the function, if these are known and few: there the stack is still the function's.
// Else uses a uretprobe, which replaces the return address, if that is harmless.
void FunctionProbes::add_return(const ProbedObject& probed, const ElfSymbols::Function& function, std::string_view name,
                                std::vector<Probe>& probes) const {
  Probe probe = make_probe(probed, function.name, std::string{name});
  probe.is_process_function = probed.pid != 0;
  const std::string& file = probed.process.probe_path(probed.object);
  CodeOutline code = outline(probed, function.offset, function.size);
  bool is_wanted = tools_.uses_uretprobes || (name == result && leaves_by_jump(code));
  bool are_known =
      !code.has_ambiguous_exits && code.exits.size() <= max_exits &&
      std::ranges::all_of(code.exits, [&](const auto& exit) { return is_certain_exit(probed, function, exit); });
  bool is_accepted = is_wanted || name == result;
  if ((is_wanted || !are_known) && can_replace_return_address(probed, function, code, is_accepted)) {
    probe.hook = HookUprobe{.path = file,
                            .offset = first_instruction(probed, function),
                            .pid = probed.pid,
                            .position = UprobePosition::Returned,
                            .detail = unknown_offset};
    probe.raw_args = return_arguments(word_size(probed));
    probes.push_back(std::move(probe));
    return;
  }
  for (const CodeOutline::Exit& left : select_exits(probed, function, code))
    probe.sites.push_back({.hook = HookUprobe{.path = file,
                                              .offset = function.offset + left.offset,
                                              .pid = probed.pid,
                                              .position = UprobePosition::Exit,
                                              .detail = static_cast<int32_t>(left.offset)},
                           .raw_args = left.target ? jump_arguments() : return_arguments(word_size(probed))});
  if (probe.sites.empty()) return;
  if (may_return_cheaply(probed, function, code))
    probe.sites.insert(probe.sites.begin(), {.hook = HookUprobe{.path = file,
                                                                .offset = first_instruction(probed, function),
                                                                .pid = probed.pid,
                                                                .position = UprobePosition::Returned,
                                                                .detail = cheap_return_detail},
                                             .raw_args = return_arguments(word_size(probed))});
  probes.push_back(std::move(probe));
}

// Whether a uretprobe sees each return of the function and harms nobody. The kernel omits returns that are nested more
// than 64 deep, so functions that may call themselves do not qualify, nor those that leave by a jump: the probe on the
// jump fires before the other function runs.
bool FunctionProbes::may_return_cheaply(const ProbedObject& probed, const ElfSymbols::Function& function,
                                        const CodeOutline& code) const {
  // Without bytes left to examine, functions that are called would look like stubs.
  if (call_graph_bytes_left_ < max_function_size) return false;
  if (probed.pid == 0 || leaves_by_jump(code) || probed.process.may_have_shadow_stack()) return false;
  if (!can_replace_return_address(probed, function, code, false)) return false;
  auto code_at = [&](uint64_t offset) {
    return offset == function.offset ? called_code(probed, offset, function.size, code.starts)
                                     : called_code(probed, offset);
  };
  return !CallGraph{code_at}.may_recurse(function.offset);
}

std::optional<CalledCode> FunctionProbes::called_code(const ProbedObject& probed, uint64_t offset) const {
  return called_code(probed, offset, probed.process.function_starting_at(probed.object, offset).size, {});
}

// The code of the function that begins at `offset`. `starts` are its instructions if they are known, else empty.
std::optional<CalledCode> FunctionProbes::called_code(const ProbedObject& probed, uint64_t offset, uint64_t size,
                                                      const std::vector<uint32_t>& starts) const {
  if (size == 0) return std::nullopt;
  // Code that cannot be examined may go anywhere, as a call *%rax.
  CalledCode unknown{.bytes = {0xff, 0xd0}, .starts = {0}};
  if (size > call_graph_bytes_left_ || tools_.read_code == nullptr) return unknown;
  call_graph_bytes_left_ -= size;
  CalledCode called{.bytes = probed.process.read(probed.object, offset, size), .starts = {}};
  called.starts = !starts.empty() ? starts : tools_.read_code(called.bytes, word_size(probed)).starts;
  return called.starts.empty() ? unknown : called;
}

// True if the exit is a return or a jump to another function, possibly through a stub or pointer of the linker. A jump
// to the cold part of this function does not count, because that jumps back.
bool FunctionProbes::is_certain_exit(const ProbedObject& probed, const ElfSymbols::Function& function,
                                     const CodeOutline::Exit& exit) {
  if (!exit.target) return true;
  uint64_t offset = function.offset + static_cast<uint64_t>(*exit.target);
  const ElfSymbols& symbols = probed.process.symbols(probed.object);
  auto own = symbols.code_section_around(function.offset), its = symbols.code_section_around(offset);
  std::string_view target = probed.process.function_starting_at(probed.object, offset).name;
  if (own && (!its || its->offset != own->offset)) return !is_cold_part(target);
  return !target.empty() && !is_cold_part(target);
}

// The certain exits; if there are none, also jumps to unnamed code and jumps through registers.
std::vector<CodeOutline::Exit> FunctionProbes::select_exits(const ProbedObject& probed,
                                                            const ElfSymbols::Function& function,
                                                            const CodeOutline& code) {
  std::vector<CodeOutline::Exit> exits;
  std::ranges::copy_if(code.exits, std::back_inserter(exits),
                       [&](const CodeOutline::Exit& exit) { return is_certain_exit(probed, function, exit); });
  if (!exits.empty() || is_cold_part(function.name)) return exits;
  exits = code.exits;
  for (uint32_t offset : code.indirect_jumps) exits.push_back({.offset = offset, .target = 0});
  return exits;
}

// A return address exists only in code that is called: not in the cold part of a function, not in code that never
// returns, such as a program's first instructions, and not in stubs that only jump through a register, like the
// linker's. A program that throws an exception through the function crashes. `is_accepted`: the user has chosen
// uretprobes, or the probe needs one.
bool FunctionProbes::can_replace_return_address(const ProbedObject& probed, const ElfSymbols::Function& function,
                                                const CodeOutline& code, bool is_accepted) const {
  // Go's runtime moves stacks, and panics if it finds a return address that is not its own.
  if (is_cold_part(function.name) || probed.process.is_go(probed.object)) return false;
  bool is_readable = !code.starts.empty();
  if (!is_readable) return true;
  if (code.exits.empty() && !code.has_ambiguous_exits) return false;
  bool is_stub = code.exits.empty() && !code.indirect_jumps.empty();
  bool may_change = probed.pid != 0 && tools_.rechecks_processes;
  return is_accepted || !(is_stub || may_change || probed.process.may_unwind(probed.object));
}

void FunctionProbes::add_offsets(const ProbedObject& probed, const ElfSymbols::Function& function,
                                 std::string_view name, std::vector<Probe>& probes) const {
  for (uint32_t offset : outline(probed, function.offset, function.size).starts) {
    std::string text = fmt::format("{:x}", offset);
    if (!field_matches(name, text)) continue;
    Probe probe = make_probe(probed, function.name, std::move(text));
    probe.hook = HookUprobe{.path = probed.process.probe_path(probed.object),
                            .offset = function.offset + offset,
                            .pid = probed.pid,
                            .position = UprobePosition::Within};
    probes.push_back(std::move(probe));
  }
}

CodeOutline FunctionProbes::outline(const ProbedObject& probed, uint64_t offset, uint64_t size) const {
  if (tools_.read_code == nullptr || size > max_function_size) return {};
  if (!probed.process.may_decode(probed.object, size)) return {};
  return tools_.read_code(probed.process.read(probed.object, offset, size), word_size(probed));
}

std::optional<ProbeMistake> FunctionProbes::unresolved_ifunc_mistake(const ElfSymbols::Function& function) {
  if (!function.is_indirect) return std::nullopt;
  return ProbeMistake{
      Tag::D_PROC_FUNC,
      fmt::format("the implementation of function {} is selected for the CPU at its first call, or is in another "
                  "object; with -c and -x setenv=LD_BIND_NOW=1 it is selected at the start",
                  function.name)};
}

std::optional<ProbeMistake> FunctionProbes::no_return_mistake(std::string_view function, std::string_view name) {
  if (name != exit) return std::nullopt;
  return ProbeMistake{Tag::D_PROC_NAME, fmt::format("function {} never returns: no instruction leaves it", function)};
}

std::optional<Probe> FunctionProbes::at_address(const ProbedObject& probed, uint64_t address) const {
  const ElfSymbols& symbols = probed.process.symbols(probed.object);
  std::optional<uint64_t> offset = symbols.file_offset(address);
  auto around = offset ? symbols.code_section_around(*offset) : std::nullopt;
  if (!around) return std::nullopt;
  // Decode from the start of the function if it is known, else from the start of the section.
  if (auto function = symbols.find(address))
    if (auto start = symbols.file_offset(function->start); start && *start >= around->offset) {
      around->size -= *start - around->offset;
      around->offset = *start;
    }
  uint64_t distance = *offset - around->offset;
  constexpr uint64_t longest_instruction = 15;
  uint64_t end = std::min(around->size, distance + longest_instruction);
  // Shorten the range until the last instruction is complete.
  for (; end > distance; --end) {
    std::vector<uint32_t> starts = outline(probed, around->offset, end).starts;
    if (starts.empty()) continue;
    if (!std::binary_search(starts.begin(), starts.end(), static_cast<uint32_t>(distance))) return std::nullopt;
    Probe probe = make_probe(probed, "-", fmt::format("{:x}", address));
    probe.hook = HookUprobe{.path = probed.process.probe_path(probed.object),
                            .offset = *offset,
                            .pid = probed.pid,
                            .position = UprobePosition::Within};
    return probe;
  }
  return std::nullopt;
}

}  // namespace dscope
