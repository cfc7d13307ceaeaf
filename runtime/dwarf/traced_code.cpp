#include "runtime/dwarf/traced_code.h"

#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>
#include <utility>

#include "arch/architecture.h"
#include "runtime/elf/bounded_elf.h"

namespace dscope {
namespace {

constexpr size_t max_places = 100'000;

// The distance from the thread pointer to the thread-local variables of the program itself; nothing for libraries,
// whose variables the dynamic linker places. The ABIs fix it: behind the program's block on x86-64 (variant II), after
// the two words of the control block on the others (variant I).
std::optional<int64_t> find_thread_block(int fd) {
  FileBudget budget(fd);
  ElfHandle elf = open_elf(fd, budget);
  size_t count = 0;
  if (!elf || elf_getphdrnum(elf.get(), &count) != 0) return std::nullopt;
  std::optional<GElf_Phdr> block;
  GElf_Ehdr header;
  bool is_program = gelf_getehdr(elf.get(), &header) != nullptr && header.e_type == ET_EXEC;
  for (size_t i = 0; i < count && budget.has_time(); ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf.get(), static_cast<int>(i), &segment) == nullptr) continue;
    is_program |= segment.p_type == PT_INTERP;
    if (segment.p_type == PT_TLS) block = segment;
  }
  bool is_known = is_program && block && block->p_align < (1U << 16) && block->p_memsz < (uint64_t{1} << 32);
  if (!is_known) return std::nullopt;
  uint64_t alignment = std::max<uint64_t>(block->p_align, 1);
  auto round_up = [&](uint64_t size) { return (size + alignment - 1) / alignment * alignment; };
  if (header.e_machine != EM_X86_64) return static_cast<int64_t>(round_up(16));
  uint64_t skew = (alignment - block->p_vaddr % alignment) % alignment;
  return -static_cast<int64_t>(round_up(block->p_memsz - std::min(skew, block->p_memsz)) + skew);
}

Fd duplicate(const Fd& file) { return Fd{file ? ::fcntl(file.get(), F_DUPFD_CLOEXEC, 0) : -1}; }

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

TracedCode::TracedCode(const DebugFile& file, Fd object)
    : file_(file),
      dw_(file.dw()),
      scopes_(file),
      line_budget_(file.fd()),
      lines_({.lines = file.section("debug_line"),
              .line_strings = file.section("debug_line_str"),
              .strings = file.section("debug_str")},
             line_budget_),
      thread_block_(object ? find_thread_block(object.get()) : std::nullopt),
      frames_(FrameTable::open(duplicate(object))),
      callers_(file, scopes_, frames_.get()) {}

// ---------------------------------------------------------------- lines

bool TracedCode::is_unoptimized(const Dwarf_Die& unit) const {
  Dwarf_Die die = unit;
  Dwarf_Attribute attribute;
  const char* text =
      dw_.dwarf_attr(&die, DW_AT_producer, &attribute) != nullptr ? dw_.dwarf_formstring(&attribute) : nullptr;
  std::string_view producer = text != nullptr ? text : "";
  size_t level = producer.rfind(" -O");
  return producer.starts_with("GNU") && (level == std::string_view::npos || producer.substr(level).starts_with(" -O0"));
}

// The address for a probe on the first line of a function: the prologue has not yet stored the parameters where the
// debug information of unoptimized code says they are.
uint64_t TracedCode::behind_prologue(const Candidate& candidate, const CodeScope& scope) const {
  const std::vector<LineRow>& rows = candidate.table->rows;
  uint64_t begin = rows[candidate.row].address;
  Dwarf_Die subprogram = scope.subprogram;
  std::optional<uint64_t> second;
  for (size_t i = candidate.row; i < rows.size() && !rows[i].ends_sequence; ++i) {
    if (rows[i].address != begin && dw_.dwarf_haspc(&subprogram, rows[i].address) != 1) break;
    if (rows[i].ends_prologue) return rows[i].address;
    if (!second && rows[i].address > begin && rows[i].is_statement && rows[i].line != 0) second = rows[i].address;
  }
  return second && is_unoptimized(scope.unit) ? *second : begin;
}

std::vector<LinePlace> TracedCode::find_lines(const std::function<bool(std::string_view path)>& is_wanted_file,
                                              const std::function<bool(uint32_t line)>& is_wanted_line) {
  struct Place {
    bool is_cold = false;
    LinePlace found;
  };
  // By file, line and function, inlined or not: the first instruction, not in a cold part if there is another one.
  std::map<std::tuple<std::string, uint32_t, const void*>, Place> places;
  file_.budget().restart_clock();
  for (const LineTable* table : lines_.find(is_wanted_file)) {
    std::vector<bool> wanted;
    for (const std::string& path : table->files) wanted.push_back(is_wanted_file(path));
    const LineRow* previous = nullptr;
    for (size_t i = 0; i < table->rows.size() && file_.budget().has_time(); ++i) {
      const LineRow& row = table->rows[i];
      const LineRow* before = std::exchange(previous, row.ends_sequence ? nullptr : &row);
      bool is_candidate = row.is_statement && !row.ends_sequence && row.line != 0 && row.address != 0 &&
                          row.file < wanted.size() && wanted[row.file] && is_wanted_line(row.line);
      bool continues =
          before != nullptr && before->is_statement && before->line == row.line && before->file == row.file;
      if (!is_candidate || (continues && !row.ends_prologue)) continue;
      auto scope = scopes_.find(row.address, {.path = table->files[row.file], .number = row.line});
      if (!scope || places.size() > max_places) continue;
      uint64_t address = row.address;
      if (address == scope->start && scope->function.addr == scope->subprogram.addr)
        address = behind_prologue({table, i}, *scope);
      auto [entry, is_new] = places.try_emplace({table->files[row.file], row.line, scope->function.addr});
      Place& place = entry->second;
      bool is_cold = scopes_.is_in_cold_part(*scope, row.address);
      if (is_new || std::tie(is_cold, address) < std::tie(place.is_cold, place.found.address))
        place = {.is_cold = is_cold,
                 .found = {.address = address,
                           .line = row.line,
                           .path = table->files[row.file],
                           .function = std::string{dw_.name(scope->function)}}};
    }
  }
  std::vector<LinePlace> sorted;
  for (auto& [key, place] : places) sorted.push_back(std::move(place.found));
  std::ranges::stable_sort(sorted, [](const LinePlace& a, const LinePlace& b) {
    return std::tie(a.path, a.line, a.address) < std::tie(b.path, b.line, b.address);
  });
  return sorted;
}

std::vector<std::string> TracedCode::source_files() {
  std::set<std::string, std::less<>> names;
  lines_.find([&](std::string_view path) {
    names.emplace(last_part(path));
    return false;
  });
  return {names.begin(), names.end()};
}

std::optional<uint32_t> TracedCode::nearest_line(uint64_t address, const SourceLine& line, const std::string& name) {
  constexpr int max_tries = 2000;
  file_.budget().restart_clock();
  auto here = scopes_.find(address, line);
  if (!here) return std::nullopt;
  int tries = 0;
  std::optional<uint32_t> nearest;
  auto distance = [&](uint32_t other) { return other > line.number ? other - line.number : line.number - other; };
  for (const LineTable* table : lines_.find([&](std::string_view other) { return other == line.path; })) {
    for (const LineRow& row : table->rows) {
      bool is_candidate = row.is_statement && !row.ends_sequence && row.line != 0 && row.file < table->files.size() &&
                          table->files[row.file] == line.path && row.line != line.number &&
                          dw_.dwarf_haspc(&here->subprogram, row.address) == 1;
      if (!is_candidate || (nearest && distance(*nearest) <= distance(row.line)) || ++tries > max_tries) continue;
      for (const Variable& variable : variables_at(row.address, {.path = line.path, .number = row.line}))
        if (variable.found.name == name && variable.place.is_readable()) nearest = row.line;
    }
  }
  return nearest;
}

// ---------------------------------------------------------------- variables

ExpressionContext TracedCode::context_at(uint64_t address, const CodeScope& scope) {
  ExpressionContext context{
      .address = address, .frame_address = callers_.frame_address(address), .thread_block = thread_block_};
  context.entry_value = [this, address, &scope](unsigned number) { return callers_.at_entry(number, address, scope); };
  Dwarf_Die subprogram = scope.subprogram;
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  if (dw_.dwarf_attr_integrate(&subprogram, DW_AT_frame_base, &attribute) != nullptr &&
      dw_.dwarf_getlocation_addr(&attribute, address, &operations, &count, 1) == 1 && count != 0)
    context.frame_base = translate_number(dw_, &attribute, {operations, count}, context);
  return context;
}

VariablePlace TracedCode::constant_place(Dwarf_Die die) const {
  auto place_of = [](uint64_t value) {
    return VariablePlace{.parts = {{.kind = LocationPart::Kind::Value,
                                    .steps = {{LocationOperation::Constant, static_cast<int64_t>(value)}}}},
                         .problem = {}};
  };
  Dwarf_Attribute attribute;
  Dwarf_Block block{};
  if (dw_.dwarf_attr_integrate(&die, DW_AT_const_value, &attribute) == nullptr)
    return {.parts = {}, .problem = std::string{optimized_out}};
  if (auto value = dw_.constant(die, DW_AT_const_value)) return place_of(static_cast<uint64_t>(*value));
  uint64_t value = 0;
  if (dw_.dwarf_formblock(&attribute, &block) == 0 && block.data != nullptr && block.length <= sizeof value) {
    std::memcpy(&value, block.data, block.length);
    return place_of(value);
  }
  return {.parts = {}, .problem = "it is a constant that takes more than 8 bytes"};
}

TracedCode::Variable TracedCode::locate(const ScopeVariable& variable, uint64_t address,
                                        const ExpressionContext& context) const {
  Variable result{.found = variable, .type = dw_.reference(variable.die, DW_AT_type), .place = {}};
  Dwarf_Die die = variable.die;
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  size_t count = 0;
  // Only at the entry itself: the abstract function has no locations.
  if (dw_.dwarf_attr(&die, DW_AT_location, &attribute) == nullptr) {
    result.place = constant_place(die);
    return result;
  }
  int found = dw_.dwarf_getlocation_addr(&attribute, address, &operations, &count, 1);
  if (found != 1 || count == 0) {
    result.place.problem = optimized_out;
    return result;
  }
  result.place = translate_location(dw_, &attribute, {operations, count}, context);
  return result;
}

std::vector<TracedCode::Variable> TracedCode::variables(uint64_t address, const SourceLine& line) {
  file_.budget().restart_clock();
  return variables_at(address, line);
}

std::vector<TracedCode::Variable> TracedCode::variables_at(uint64_t address, const SourceLine& line) {
  std::vector<Variable> found;
  auto scope = scopes_.find(address, line);
  if (!scope) return found;
  ExpressionContext context = context_at(address, *scope);
  for (const ScopeVariable& variable : scopes_.variables(*scope)) found.push_back(locate(variable, address, context));
  return found;
}

std::optional<TracedCode::Variable> TracedCode::find_global(uint64_t address, const std::string& name) {
  file_.budget().restart_clock();
  auto scope = scopes_.find(address, {});
  if (!scope) return std::nullopt;
  auto found = scopes_.find_global(*scope, name);
  return found ? std::optional{locate(*found, address, context_at(address, *scope))} : std::nullopt;
}

}  // namespace dscope
