#include "runtime/load/late_binder.h"

#include <elf.h>
#include <linux/bpf.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

#include "runtime/load/bpf_object_file.h"
#include "runtime/load/instruction_codes.h"

namespace dscope {
namespace {

constexpr std::string_view symbol_prefix = "ds_late_", section_prefix = ".rodata.late.";

Error damaged_code(std::string_view reason) { return Error::make("the portable code is damaged: {}", reason); }

// Parses the number at the start of `text`.
std::optional<size_t> leading_number(std::string_view text) {
  size_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

template <typename Field>
bool fits(int64_t number) {
  return number >= std::numeric_limits<Field>::min() && number <= std::numeric_limits<Field>::max();
}

class LateBinder {
 public:
  LateBinder(const BpfObject& object, const LateContent& content)
      : original_(object), content_(content), bytes_(object.bytes) {}

  Result<BpfObject> bind() {
    DS_TRY(BpfObjectFile file, BpfObjectFile::parse(original_.bytes));
    for (const ObjectSymbol& symbol : file.symbols())
      if (symbol.section != 0 && symbol.name.starts_with(symbol_prefix))
        DS_TRY_VOID(bind_instruction(file.sections()[symbol.section], symbol));
    for (const ObjectSection& section : file.sections())
      if (section.name.starts_with(section_prefix)) DS_TRY_VOID(bind_table(section));
    return BpfObject{std::move(bytes_)};
  }

 private:
  // Position in the object of a byte of a section.
  size_t position(const ObjectSection& section, uint64_t offset) const {
    return static_cast<size_t>(reinterpret_cast<const char*>(section.bytes.data()) - original_.bytes.data()) + offset;
  }

  Result<> bind_instruction(const ObjectSection& section, const ObjectSymbol& symbol) {
    auto index = leading_number(symbol.name.substr(symbol_prefix.size()));
    if (!index || *index >= content_.numbers.size()) return fail(damaged_code("it refers to an unknown number"));
    bool is_inside = section.is_code && symbol.value % sizeof(bpf_insn) == 0 &&
                     symbol.value + sizeof(bpf_insn) <= section.bytes.size();
    if (!is_inside) return fail(damaged_code("a late number lies outside the code"));
    size_t at = position(section, symbol.value);
    bool has_next = symbol.value + 2 * sizeof(bpf_insn) <= section.bytes.size();
    return write(at, has_next, content_.numbers[*index]);
  }

  Result<> write(size_t at, bool has_next, uint64_t number) {
    bpf_insn instruction;
    std::memcpy(&instruction, bytes_.data() + at, sizeof instruction);
    auto signed_number = static_cast<int64_t>(number);
    if (instruction.code == load_immediate64 && has_next) {
      instruction.imm = static_cast<int32_t>(number);
      bpf_insn next;
      std::memcpy(&next, bytes_.data() + at + sizeof next, sizeof next);
      next.imm = static_cast<int32_t>(number >> 32);
      std::memcpy(bytes_.data() + at + sizeof next, &next, sizeof next);
    } else if (BPF_CLASS(instruction.code) == BPF_LDX && fits<int16_t>(signed_number)) {
      instruction.off = static_cast<int16_t>(signed_number);
    } else if (instruction.code == (BPF_ALU64 | BPF_ADD | BPF_K) && fits<int32_t>(signed_number)) {
      instruction.imm = static_cast<int32_t>(signed_number);
    } else {
      return fail(Error::make("the number {} does not fit into instruction 0x{:02x}", signed_number, instruction.code));
    }
    std::memcpy(bytes_.data() + at, &instruction, sizeof instruction);
    return {};
  }

  // A table of another size moves to the end of the object.
  Result<> bind_table(const ObjectSection& section) {
    auto index = leading_number(section.name.substr(section_prefix.size()));
    if (!index || *index >= content_.tables.size()) return fail(damaged_code("it refers to an unknown table"));
    std::string table = content_.tables[*index];
    table.resize(std::max<size_t>(8, (table.size() + 7) / 8 * 8), '\0');
    if (table.size() == section.bytes.size()) {
      std::ranges::copy(table, bytes_.begin() + static_cast<ptrdiff_t>(position(section, 0)));
      return {};
    }
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    Elf64_Ehdr header;
    std::memcpy(&header, bytes_.data(), sizeof header);
    size_t at = header.e_shoff + section.index * sizeof(Elf64_Shdr);
    if (at + sizeof(Elf64_Shdr) > bytes_.size()) return fail(damaged_code("it has no section headers"));
    Elf64_Shdr place;
    std::memcpy(&place, bytes_.data() + at, sizeof place);
    place.sh_offset = bytes_.size();
    place.sh_size = table.size();
    std::memcpy(bytes_.data() + at, &place, sizeof place);
    bytes_.insert(bytes_.end(), table.begin(), table.end());
    return {};
  }

  const BpfObject& original_;
  const LateContent& content_;
  std::vector<char> bytes_;
};

}  // namespace

Result<BpfObject> bind_late_code(const BpfObject& object, const LateContent& content) {
  return LateBinder(object, content).bind();
}

}  // namespace dscope
