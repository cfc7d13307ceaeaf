#include "runtime/dwarf/libdw.h"

#include <dwarf.h>

#include "support/shared_library.h"

namespace dscope {

namespace {

std::optional<LibDw> load() {
  SharedLibrary library{"libdw.so.1"};
  if (!library) return std::nullopt;
  LibDw dw;
#define DS_LIBDW(name) \
  if (!library.resolve(#name, dw.name)) return std::nullopt;
#include "runtime/dwarf/libdw.def"
#undef DS_LIBDW
  if (dw.elf_version(EV_CURRENT) == EV_NONE) return std::nullopt;
  return dw;
}

}  // namespace

const LibDw* find_libdw() {
  static const std::optional<LibDw> library = load();
  return library ? &*library : nullptr;
}

std::string_view LibDw::name(Dwarf_Die die) const {
  const char* text = dwarf_diename(&die);
  return text != nullptr ? text : "";
}

std::optional<uint64_t> LibDw::number(Dwarf_Die die, unsigned attribute) const {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(&die, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
    return std::nullopt;
  return value;
}

std::optional<int64_t> LibDw::signed_number(Dwarf_Die die, unsigned attribute) const {
  Dwarf_Attribute found;
  Dwarf_Sword value = 0;
  if (dwarf_attr_integrate(&die, attribute, &found) == nullptr || dwarf_formsdata(&found, &value) != 0)
    return std::nullopt;
  return value;
}

std::optional<int64_t> LibDw::constant(Dwarf_Die die, unsigned attribute) const {
  Dwarf_Attribute found;
  if (dwarf_attr_integrate(&die, attribute, &found) == nullptr) return std::nullopt;
  // For DW_FORM_data<n>, libdw takes the highest bit for a sign; compilers that mean a sign write one of these forms.
  bool has_sign = found.form == DW_FORM_sdata || found.form == DW_FORM_implicit_const;
  if (has_sign) return signed_number(die, attribute);
  auto value = number(die, attribute);
  return value ? std::optional{static_cast<int64_t>(*value)} : std::nullopt;
}

std::optional<Dwarf_Die> LibDw::reference(Dwarf_Die die, unsigned attribute) const {
  Dwarf_Attribute found;
  Dwarf_Die target;
  if (dwarf_attr_integrate(&die, attribute, &found) == nullptr || dwarf_formref_die(&found, &target) == nullptr)
    return std::nullopt;
  return target;
}

bool LibDw::has(Dwarf_Die die, unsigned attribute) const { return dwarf_hasattr(&die, attribute) != 0; }

std::optional<Dwarf_Die> LibDw::first_child(Dwarf_Die die) const {
  Dwarf_Die child;
  return dwarf_child(&die, &child) == 0 ? std::optional{child} : std::nullopt;
}

std::optional<Dwarf_Die> LibDw::next_sibling(Dwarf_Die die) const {
  Dwarf_Die sibling;
  return dwarf_siblingof(&die, &sibling) == 0 ? std::optional{sibling} : std::nullopt;
}

std::optional<Dwarf_Die> LibDw::split_unit(const Dwarf_Die& unit) const {
  Dwarf_Die split{};
  int failure = dwarf_cu_info(unit.cu, nullptr, nullptr, nullptr, &split, nullptr, nullptr, nullptr);
  return failure == 0 && split.addr != nullptr ? std::optional{split} : std::nullopt;
}

}  // namespace dscope
