// Blobs of BTF, and lookups of types and prototypes by name. btf_import.cpp imports the types.
#include "runtime/kernel/btf_types.h"

#include <algorithm>
#include <filesystem>

#include "catalog/catalog.h"
#include "runtime/kernel/bound_types.h"
#include "runtime/kernel/module_file.h"

namespace dscope {
namespace {

constexpr std::string_view tracepoint_prefix = "btf_trace_";

struct TaggedName {
  uint32_t kind;
  std::string_view name;
};

// "struct x" -> {BTF_KIND_STRUCT, "x"}
TaggedName split_tag(std::string_view name) {
  constexpr std::pair<std::string_view, uint32_t> tags[] = {
      {"struct ", BTF_KIND_STRUCT}, {"union ", BTF_KIND_UNION}, {"enum ", BTF_KIND_ENUM}};
  for (auto [tag, kind] : tags)
    if (name.starts_with(tag)) return {kind, name.substr(tag.size())};
  return {BTF_KIND_TYPEDEF, name};
}

}  // namespace

// ---------------------------------------------------------------- blobs

const BtfIndex* KernelTypes::vmlinux() {
  if (blobs_.empty()) {
    auto bound = bound_kernel_types();
    auto opened = bound.empty() ? BtfIndex::open(directory_ + "/vmlinux") : BtfIndex::over(bound);
    blobs_.push_back(
        {.module = "vmlinux", .index = opened ? std::move(*opened) : nullptr, .is_final = true, .bytes = {}});
  }
  return blobs_[0].index.get();
}

std::optional<uint32_t> KernelTypes::module_number(std::string_view module) {
  if (vmlinux() == nullptr) return std::nullopt;
  if (module.empty()) return 0;
  auto is_it = [&](const Blob& blob) { return blob.module == module; };
  auto known = std::find_if(blobs_.begin(), blobs_.end(), is_it);
  constexpr size_t max_modules = 1U << (31 - Reference::id_bits);
  if (known == blobs_.end()) {
    if (blobs_.size() == max_modules) return std::nullopt;
    blobs_.push_back({.module = std::string{module}, .index = nullptr, .is_final = false, .bytes = {}});
    known = blobs_.end() - 1;
  }
  if (!known->is_final) look_for(*known);
  if (known->index == nullptr) return std::nullopt;
  return static_cast<uint32_t>(known - blobs_.begin());
}

void KernelTypes::look_for(Blob& blob) {
  blob.is_final = true;
  // The types of loaded modules refer to the running kernel's.
  if (blob.module.find('/') != std::string::npos || !bound_kernel_types().empty()) return;
  auto opened = BtfIndex::open(directory_ + "/" + blob.module, vmlinux());
  if (!opened) return;
  if (blob.index != nullptr) {
    // Types imported from the .ko file must not be taken for those of the loaded module, whose ids may differ.
    auto number = static_cast<uint32_t>(&blob - blobs_.data());
    for (auto& [table, imported] : imported_)
      std::erase_if(imported, [&](const auto& each) { return Reference::from_origin(each.first).module == number; });
    past_.push_back(std::move(blob));
    blob = {.module = past_.back().module, .index = nullptr, .is_final = true, .bytes = {}};
  }
  blob.index = std::move(*opened);
}

const BtfIndex* KernelTypes::expected_blob(std::string_view module) {
  if (const BtfIndex* known = blob(module)) return known;
  auto found = std::ranges::find(blobs_, module, &Blob::module);
  if (found == blobs_.end()) return nullptr;
  found->bytes = read_module_types(module, module_files_.empty() ? module_directory() : module_files_);
  if (auto opened = BtfIndex::over(found->bytes, vmlinux())) found->index = std::move(*opened);
  return found->index.get();
}

// A module's types refer to the kernel's by the kernel's ids.
KernelTypes::Reference KernelTypes::target(Reference reference, uint32_t id) const {
  return {id < index(reference.module).first_id() ? 0 : reference.module, id};
}

KernelTypes::Reference KernelTypes::skip_qualifiers(Reference reference) const {
  for (uint32_t i = 0; i < max_btf_chain && is_btf_qualifier(btf_kind(record(reference))); ++i)
    reference = target(reference, record(reference).type);
  return reference;
}

std::optional<KernelTypes::Reference> KernelTypes::find_reference(uint32_t module, uint32_t kind,
                                                                  std::string_view name) const {
  if (auto id = index(module).find(kind, name)) return Reference{module, *id};
  if (module == 0) return std::nullopt;
  return find_reference(0, kind, name);
}

const std::vector<std::string>& KernelTypes::modules() {
  if (are_modules_listed_) return modules_;
  are_modules_listed_ = true;
  if (!bound_kernel_types().empty()) return modules_;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, unreadable))
    if (std::string name = entry.path().filename().string(); name != "vmlinux") modules_.push_back(std::move(name));
  std::sort(modules_.begin(), modules_.end());
  return modules_;
}

void KernelTypes::loaded(const std::string& module) {
  for (Blob& blob : blobs_)
    if (blob.module == module && (blob.index == nullptr || !blob.bytes.empty())) blob.is_final = false;
  auto position = std::lower_bound(modules_.begin(), modules_.end(), module);
  bool is_listed = position != modules_.end() && *position == module;
  if (are_modules_listed_ && !is_listed) modules_.insert(position, module);
}

const BtfIndex* KernelTypes::blob(std::string_view module) {
  auto number = module_number(module == "vmlinux" ? "" : module);
  return number ? blobs_[*number].index.get() : nullptr;
}

// Searches modules by name, so that the result does not depend on the order in which they were loaded.
std::optional<KernelTypes::Reference> KernelTypes::find_in_modules(uint32_t kind, std::string_view name) {
  for (const std::string& module : modules()) {
    auto number = module_number(module);
    if (!number) continue;
    if (auto id = index(*number).find(kind, name)) return Reference{*number, *id};
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- lookups

std::string KernelTypes::nearest(std::string_view name) {
  const BtfIndex* kernel = vmlinux();
  if (kernel == nullptr) return "";
  TaggedName wanted = split_tag(name);
  std::string_view near = nearest_name(wanted.name, kernel->names(wanted.kind));
  size_t tag_length = name.size() - wanted.name.size();
  return near.empty() ? "" : fmt::format("{}{}", name.substr(0, tag_length), near);
}

std::optional<TypeId> KernelTypes::find(TypeTable& types, std::string_view module, std::string_view name) {
  auto number = module_number(module);
  if (!number) return std::nullopt;
  TaggedName wanted = split_tag(name);
  auto reference = find_reference(*number, wanted.kind, wanted.name);
  if (!reference && module.empty()) reference = find_in_modules(wanted.kind, wanted.name);
  if (!reference) return std::nullopt;
  return import(types, *reference);
}

std::optional<TypeId> KernelTypes::find_object(TypeTable& types, std::string_view module, std::string_view name) {
  auto number = module_number(module);
  if (!number) return std::nullopt;
  for (uint32_t kind : {BTF_KIND_VAR, BTF_KIND_FUNC})
    if (auto id = index(*number).find_object(kind, name)) return import(types, {*number, *id});
  return std::nullopt;
}

std::vector<std::string> KernelTypes::tracepoint_names() {
  std::vector<std::string> names;
  if (vmlinux() == nullptr) return names;
  for (uint32_t id : vmlinux()->typedefs_with_prefix(tracepoint_prefix))
    names.emplace_back(vmlinux()->name_of(id).substr(tracepoint_prefix.size()));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// typedef void (*btf_trace_X)(void *data, <parameters of X>);
std::optional<KernelTypes::Reference> KernelTypes::tracepoint_prototype(std::string_view tracepoint) {
  if (vmlinux() == nullptr) return std::nullopt;
  std::string name = std::string{tracepoint_prefix} + std::string{tracepoint};
  auto type = find_reference(0, BTF_KIND_TYPEDEF, name);
  if (!type) type = find_in_modules(BTF_KIND_TYPEDEF, name);
  if (!type) return std::nullopt;
  Reference pointer = skip_qualifiers(target(*type, record(*type).type));
  Reference prototype = skip_qualifiers(target(pointer, record(pointer).type));
  if (btf_kind(record(prototype)) != BTF_KIND_FUNC_PROTO) return std::nullopt;
  return prototype;
}

// The first parameter is the tracer's private data.
std::optional<size_t> KernelTypes::count_tracepoint_parameters(std::string_view tracepoint) {
  auto prototype = tracepoint_prototype(tracepoint);
  if (!prototype) return std::nullopt;
  size_t count = index(prototype->module).trailing<btf_param>(prototype->id).size();
  return count == 0 ? 0 : count - 1;
}

std::optional<std::vector<KernelTypes::Parameter>> KernelTypes::tracepoint_parameters(TypeTable& types,
                                                                                      std::string_view tracepoint) {
  auto prototype = tracepoint_prototype(tracepoint);
  if (!prototype) return std::nullopt;
  std::vector<Parameter> parameters;
  const BtfIndex& blob = index(prototype->module);
  for (const btf_param& each : blob.trailing<btf_param>(prototype->id))
    parameters.push_back(parameter(types, *prototype, each));
  // The prototype has no names, but the function that calls the probes has.
  if (auto caller = tracepoint_caller(prototype->module, tracepoint)) {
    const BtfIndex& names = index(caller->module);
    auto named = names.trailing<btf_param>(caller->id);
    for (size_t i = 0; named.size() == parameters.size() && i < named.size(); ++i)
      parameters[i].name = names.name(named[i].name_off);
  }
  if (!parameters.empty()) parameters.erase(parameters.begin());
  return parameters;
}

// The prototype of int __traceiter_X(void *data, <parameters of X>).
std::optional<KernelTypes::Reference> KernelTypes::tracepoint_caller(uint32_t module, std::string_view tracepoint) {
  constexpr std::string_view prefix = "__traceiter_";
  Blob& blob = blobs_[module];
  if (blob.callers.empty())
    for (uint32_t id : blob.index->functions_with_prefix(prefix))
      blob.callers.emplace(blob.index->name_of(id).substr(prefix.size()), id);
  auto found = blob.callers.find(tracepoint);
  if (found == blob.callers.end()) return std::nullopt;
  Reference function{module, found->second};
  Reference prototype = skip_qualifiers(target(function, record(function).type));
  return btf_kind(record(prototype)) == BTF_KIND_FUNC_PROTO ? std::optional{prototype} : std::nullopt;
}

KernelTypes::Prototype KernelTypes::function_prototype(TypeTable& types, std::string_view module, uint32_t id) {
  Prototype prototype{.parameters = {}, .result = types.void_type(), .result_text = {}};
  auto number = id == 0 ? std::nullopt : module_number(module == "vmlinux" ? "" : module);
  if (!number) return prototype;
  Reference function = target({*number, 0}, id);
  Reference description = target(function, record(function).type);
  if (btf_kind(record(description)) != BTF_KIND_FUNC_PROTO) return prototype;
  const BtfIndex& blob = index(description.module);
  Reference result = target(description, record(description).type);
  prototype.result = import(types, result);
  prototype.result_text = spell(types, result);
  for (const btf_param& each : blob.trailing<btf_param>(description.id))
    if (each.type != 0) prototype.parameters.push_back(parameter(types, description, each));
  return prototype;
}

KernelTypes::Parameter KernelTypes::parameter(TypeTable& types, Reference prototype, const btf_param& record) {
  Reference type = target(prototype, record.type);
  return {std::string{index(prototype.module).name(record.name_off)}, import(types, type), spell(types, type)};
}

// Spells pointers with the qualifiers of their targets; omits qualifiers within array and function types.
std::string KernelTypes::spell(TypeTable& types, Reference reference) {
  if (depth_ >= max_btf_chain) return {};
  ++depth_;
  std::string text = spell_qualified(types, reference);
  --depth_;
  return text;
}

std::string KernelTypes::spell_qualified(TypeTable& types, Reference reference) {
  auto plain = [&] { return types.spell(import(types, reference)); };
  if (reference.id == 0) return plain();
  uint32_t kind = btf_kind(record(reference));
  Reference base = target(reference, record(reference).type);
  if (kind == BTF_KIND_TYPE_TAG) return spell(types, base);
  if (kind == BTF_KIND_PTR) {
    uint32_t pointee = btf_kind(record(skip_qualifiers(base)));
    if (pointee == BTF_KIND_ARRAY || pointee == BTF_KIND_FUNC_PROTO) return plain();
    std::string text = spell(types, base);
    return text + (text.ends_with('*') ? "*" : " *");  // char **, but char *const *
  }
  if (!is_btf_qualifier(kind)) return plain();
  std::string_view word = kind == BTF_KIND_CONST ? "const" : kind == BTF_KIND_VOLATILE ? "volatile" : "restrict";
  bool is_pointer = btf_kind(record(skip_qualifiers(base))) == BTF_KIND_PTR;
  return is_pointer ? fmt::format("{}{}", spell(types, base), word) : fmt::format("{} {}", word, spell(types, base));
}

}  // namespace dscope
