#include "driver/inspect/code_listing.h"

#include "codegen/core/disassembly.h"
#include "runtime/load/bpf_object_file.h"
#include "runtime/load/program_linker.h"

namespace dscope {

namespace {

// The values of option disasm.
enum Listing : int64_t { list_clauses = 1, list_programs = 2, list_linked = 4, list_final = 8 };

// Resolves symbols without a kernel: maps and kernel functions have no numbers yet.
class NothingLoaded : public SymbolResolver {
 public:
  Result<MapReference> map(std::string_view) override { return MapReference{.fd = 0, .is_direct = false}; }
  Result<int> data_section(uint32_t) override { return 0; }
  Result<int32_t> kernel_function(std::string_view) override { return 0; }
};

// Returns the symbol to which each instruction of a function refers, by instruction index; empty: none.
std::vector<std::string> notes_of(const BpfObjectFile& object, const ObjectFunction& function) {
  std::vector<std::string> notes(function.size / sizeof(bpf_insn));
  for (const ObjectRelocation& relocation : object.relocations(function.section)) {
    if (relocation.offset < function.offset || relocation.offset >= function.offset + function.size) continue;
    const ObjectSymbol& symbol = object.symbols()[relocation.symbol];
    std::string_view name = symbol.name.empty() ? object.sections()[symbol.section].name : symbol.name;
    notes[(relocation.offset - function.offset) / sizeof(bpf_insn)] = name;
  }
  return notes;
}

std::string heading(std::string_view kind, std::string_view description, std::string_view function) {
  return fmt::format("\nDisassembly of {} {}, <{}>:\n", kind, description, function);
}

// Returns the listing of one function under a heading; empty if the object lacks the function.
Result<std::string> function_listing(const BpfObjectFile& object, std::string_view kind, std::string_view description,
                                     std::string_view symbol) {
  const ObjectFunction* function = object.find_function(symbol);
  if (function == nullptr) return std::string{};
  auto bytes = object.sections()[function->section].bytes.subspan(function->offset, function->size);
  DS_TRY(std::string listing, disassemble(bytes, notes_of(object, *function)));
  return heading(kind, description, symbol) + listing;
}

Result<std::string> clause_listings(const ProgramPlan& plan, const BpfObjectFile& object) {
  std::string text;
  for (const ClausePlan& clause : plan.clauses) {
    // Clauses without a probe have no code.
    DS_TRY(std::string listing, function_listing(object, "clause", clause.description, clause.function));
    text += listing;
  }
  return text;
}

Result<std::string> program_listings(const ProgramPlan& plan, const BpfObjectFile& object) {
  std::string text;
  for (const BpfProgramPlan& program : plan.programs) {
    DS_TRY(std::string listing, function_listing(object, "program", program.name, program.symbol));
    text += listing;
  }
  return text;
}

Result<std::string> linked_listings(const ProgramPlan& plan, const BpfObjectFile& object, std::string_view kind) {
  std::string text;
  NothingLoaded nothing;
  for (const BpfProgramPlan& program : plan.programs) {
    DS_TRY(LinkedProgram linked, link_program(object, program.symbol, nothing, 0));
    DS_TRY(std::string listing, disassemble(std::as_bytes(std::span(linked.instructions)), {}));
    text += heading(kind, program.name, program.symbol) + listing;
  }
  return text;
}

}  // namespace

Result<std::string> code_listing(const ProgramPlan& plan, const BpfObject& object) {
  DS_TRY(BpfObjectFile file, BpfObjectFile::parse(object.bytes));
  int64_t requested = plan.options.number(OptionId::Disasm);
  std::string text;
  auto add = [&](Result<std::string> part) -> Result<> {
    DS_TRY(std::string listing, std::move(part));
    text += listing;
    return {};
  };
  if ((requested & list_clauses) != 0) DS_TRY_VOID(add(clause_listings(plan, file)));
  if ((requested & list_programs) != 0) DS_TRY_VOID(add(program_listings(plan, file)));
  if ((requested & list_linked) != 0) DS_TRY_VOID(add(linked_listings(plan, file, "linked program")));
  if ((requested & list_final) != 0) DS_TRY_VOID(add(linked_listings(plan, file, "final program")));
  return text;
}

}  // namespace dscope
