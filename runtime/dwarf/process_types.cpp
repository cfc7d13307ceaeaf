#include "runtime/dwarf/process_types.h"

#include <dwarf.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "runtime/dwarf/object_passing.h"
#include "runtime/dwarf/parameter_location.h"
#include "runtime/elf/process_maps.h"
#include "support/format.h"

namespace dscope {

namespace {

std::string link_target(const std::string& path) {
  std::string target(4096, '\0');
  ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  target.resize(static_cast<size_t>(std::max<ssize_t>(length, 0)));
  return target;
}

// D scripts name libc.so.6 by its file name or by "libc".
bool is_called(std::string_view file, std::string_view object) {
  return file == object || file.substr(0, file.find(".so")) == object;
}

}  // namespace

ProcessScope ProcessTypes::of_file(const std::string& path) {
  auto known = std::find(files_.begin(), files_.end(), path);
  uint32_t number = first_file + static_cast<uint32_t>(known - files_.begin());
  if (known == files_.end()) {
    files_.push_back(path);
    processes_[number].objects.push_back({.path = path, .other_name = path});
  }
  return {.pid = number, .object = processes_[number].objects.front().name()};
}

ProcessTypes::Process& ProcessTypes::process(uint32_t pid) {
  auto [entry, is_new] = processes_.try_emplace(pid);
  if (!is_new) return entry->second;
  std::vector<Object>& objects = entry->second.objects;
  std::string folder = fmt::format("{}/{}", proc_, pid);
  constexpr std::string_view deleted_suffix = " (deleted)";
  std::string executable = link_target(folder + "/exe");
  if (executable.ends_with(deleted_suffix)) executable.resize(executable.size() - deleted_suffix.size());
  if (!executable.empty()) objects.push_back({.path = executable, .other_name = folder + "/exe"});
  auto maps = ProcessMaps::parse(read_small_file(folder + "/maps"));
  std::set<std::string_view> known{executable};
  for (const Mapping& mapping : maps.mappings()) {
    if (!mapping.is_file() || !known.insert(mapping.path).second) continue;
    objects.push_back({.path = mapping.path,
                       .other_name = fmt::format("{}/map_files/{:x}-{:x}", folder, mapping.start, mapping.end)});
  }
  return entry->second;
}

std::string ProcessTypes::root_of(uint32_t pid) const {
  return is_file(pid) ? std::string{} : fmt::format("{}/{}/root", proc_, pid);
}

void ProcessTypes::open(uint32_t pid, Object& object) {
  if (object.is_opened) return;
  object.is_opened = true;
  const LibDw* dw = find_libdw();
  if (dw == nullptr) return;
  object.file = DebugFile::open(*dw, root_of(pid), object.path, object.other_name);
  if (object.file != nullptr) object.search = std::make_unique<DieSearch>(*object.file);
}

std::optional<Dwarf_Die> ProcessTypes::find_entry(const ProcessScope& scope, const std::string& name) {
  auto& found = process(scope.pid).found;
  std::string key = fmt::format("{}`{}", scope.object, name);
  if (auto known = found.find(key); known != found.end()) return known->second;
  return found[key] = search(scope, name);
}

std::optional<Dwarf_Die> ProcessTypes::search(const ProcessScope& scope, const std::string& name) {
  TypeQuery query{name};
  for (Object& object : process(scope.pid).objects) {
    if (!scope.object.empty() && !is_called(object.name(), scope.object)) continue;
    open(scope.pid, object);
    if (object.search == nullptr) continue;
    if (auto found = object.search->find(query)) return found;
  }
  return std::nullopt;
}

DwarfTypes& ProcessTypes::importer() {
  if (types_ == nullptr) {
    auto anywhere = [this](uint32_t pid, const std::string& wanted) {
      return find_entry({.pid = pid, .object = {}}, wanted);
    };
    types_ = std::make_unique<DwarfTypes>(*find_libdw(), anywhere);
  }
  return *types_;
}

std::optional<TypeId> ProcessTypes::find(TypeTable& types, const ProcessScope& scope, std::string_view name) {
  auto entry = find_entry(scope, std::string{name});
  if (!entry) return std::nullopt;
  return importer().import(types, scope.pid, *entry);
}

ProcessTypes::Passed ProcessTypes::passed(TypeTable& types, const ProcessScope& scope, const Dwarf_Die& type) {
  const LibDw& dw = *find_libdw();
  Passed result{.type = importer().import(types, scope.pid, type)};
  Dwarf_Die entry = type, unit;
  if (dw.dwarf_diecu(&entry, &unit, nullptr, nullptr) != nullptr)
    result.is_rust = dw.number(unit, DW_AT_language) == DW_LANG_Rust;
  result.is_by_reference = is_passed_by_reference(dw, type);
  return result;
}

// `code` is the entry of the compiled function at `address`. If the compiler made several copies of a function, an
// abstract entry has the parameters, and those of each copy refer to them (DW_AT_abstract_origin).
void ProcessTypes::describe(TypeTable& types, const ProcessScope& scope, const Dwarf_Die& code, uint64_t address,
                            Function& function) {
  const LibDw& dw = *find_libdw();
  std::map<const void*, ParameterLocation> locations;  // by the abstract parameter
  std::set<const void*> present;                       // abstract parameters that this copy has
  for (auto child = dw.first_child(code); child; child = dw.next_sibling(*child)) {
    if (dw.dwarf_tag(&*child) != DW_TAG_formal_parameter) continue;
    const void* abstract = dw.reference(*child, DW_AT_abstract_origin).value_or(*child).addr;
    present.insert(abstract);
    if (auto location = locate_parameter(dw, *child, address)) locations.emplace(abstract, *location);
  }
  Dwarf_Die entry = dw.reference(code, DW_AT_abstract_origin).value_or(code);
  for (auto child = dw.first_child(entry); child; child = dw.next_sibling(*child)) {
    if (dw.dwarf_tag(&*child) != DW_TAG_formal_parameter) continue;
    // Constructors of classes with virtual bases have artificial parameters, and each copy has only some of them.
    bool is_artificial = dw.has(*child, DW_AT_artificial);
    if (is_artificial && !present.empty() && !present.contains(child->addr)) continue;
    auto type = dw.reference(*child, DW_AT_type);
    if (!type) break;
    Parameter& parameter =
        function.parameters.emplace_back(Parameter{passed(types, scope, *type), std::string{dw.name(*child)}, {}});
    if (auto known = locations.find(child->addr); known != locations.end()) parameter.location = known->second;
  }
  if (auto type = dw.reference(entry, DW_AT_type)) function.result = passed(types, scope, *type);
  function.is_changed = dw.number(code, DW_AT_calling_convention) == DW_CC_nocall;
}

std::optional<ProcessTypes::Function> ProcessTypes::find_function(TypeTable& types, const ProcessScope& scope,
                                                                  std::string_view function, uint64_t address) {
  for (Object& object : process(scope.pid).objects) {
    if (object.name() != scope.object) continue;
    open(scope.pid, object);
    auto entry = object.search == nullptr ? std::nullopt : object.search->find_function(function, address);
    if (!entry) return std::nullopt;
    Function found;
    describe(types, scope, *entry, address, found);
    return found;
  }
  return std::nullopt;
}

TracedCode* ProcessTypes::find_code(const ProcessScope& scope) {
  for (Object& object : process(scope.pid).objects) {
    if (object.name() != scope.object) continue;
    open(scope.pid, object);
    if (object.code == nullptr && object.file != nullptr) {
      Fd file = open_regular(object.other_name);
      if (!file) file = open_in_root(root_of(scope.pid), object.path);
      object.code = std::make_unique<TracedCode>(*object.file, std::move(file));
    }
    return object.code.get();
  }
  return nullptr;
}

TypeId ProcessTypes::import(TypeTable& types, const ProcessScope& scope, const std::optional<Dwarf_Die>& type) {
  return type ? importer().import(types, scope.pid, *type) : types.void_type();
}

void ProcessTypes::complete(TypeTable& types, TypeId id) {
  if (types_ != nullptr) types_->complete(types, id);
}

std::string ProcessTypes::why_missing(const ProcessScope& scope) {
  if (find_libdw() == nullptr) return "types of processes need libdw (elfutils), which is not installed";
  const std::vector<Object>& objects = process(scope.pid).objects;
  if (objects.empty()) return fmt::format("process {} does not exist or cannot be read", scope.pid);
  auto is_in_scope = [&](const Object& object) {
    return scope.object.empty() || is_called(object.name(), scope.object);
  };
  auto has_types = [&](const Object& object) { return is_in_scope(object) && object.file != nullptr; };
  if (std::none_of(objects.begin(), objects.end(), is_in_scope))
    return fmt::format("process {} has no object `{}`", scope.pid, scope.object);
  for (const Object& object : objects) {
    std::string missing = has_types(object) ? object.file->missing_split_files() : std::string{};
    if (!missing.empty())
      return fmt::format(
          "part of the debug information of {} is in missing files: {} (-gsplit-dwarf); a "
          "package of them would be {}.dwp",
          object.path, missing, object.path);
  }
  if (std::any_of(objects.begin(), objects.end(), has_types)) return {};
  auto first = std::find_if(objects.begin(), objects.end(), is_in_scope);
  return fmt::format("{} has no type information (DWARF): compile with -g, or install its debug symbols", first->path);
}

}  // namespace dscope
