// The storage of variables: ds_globals, the thread's storage, the stack, the scratch slot or a hash.
#include <algorithm>

#include "contract/buffers/buffer_policy.h"
#include "contract/machine_state.h"
#include "contract/record_format.h"
#include "frontend/plan/data_layout.h"
#include "frontend/semantics/walk.h"

namespace dscope {

namespace {

constexpr uint64_t variable_id_bytes = 4, thread_id_bytes = 8;  // parts of a dynamic variable's key, as D counts them
// The start of keys of self-> variables in maps: the thread, or the process and its goroutine.
constexpr uint32_t thread_key_bytes = 8, goroutine_key_bytes = 16;
// Clause-local numbers on BPF's stack of 512 bytes, which has other uses. Further numbers go to the scratch slot.
constexpr uint32_t max_locals = 24;

class VariableLayout {
 public:
  explicit VariableLayout(DataLayout& data) : data_(data) {}

  void run() {
    measure_dynamic_variables();
    if (calls(Subroutine::Strtok))
      data_.layout.strtok_offset = reserve(data_.layout.scratch_reserved, 8 + data_.whole_string_bytes());
    for (size_t i = 0; i < data_.meaning.variables.size(); ++i) lay_out_variable(i);
  }

 private:
  bool calls(Subroutine subroutine) const {
    bool is_called = false;
    walk_program(data_.meaning, [&](const Expr& expr, const ClauseInstance& clause) {
      const auto* id = std::get_if<Subroutine>(&data_.meaning.info(clause, expr).binding);
      is_called |= id != nullptr && *id == subroutine;
    });
    return is_called;
  }

  // Scripts with a small dynvarsize rely on the exact number of thread-locals and array elements (d-language.md 5.4).
  // With the default, dscope does not count them.
  void measure_dynamic_variables() {
    uint64_t value = 0, tuple = 0;
    for (const Variable& variable : data_.meaning.variables) {
      if (!variable.is_associative && variable.scope != VariableScope::Self) continue;
      value = std::max(value, size_in_d(variable.type));
      if (!variable.is_associative) continue;
      uint64_t keys = variable_id_bytes + thread_id_bytes;
      for (TypeId key : variable.keys) keys += size_in_d(key);
      tuple = std::max(tuple, keys);
    }
    if (value == 0) return;
    int64_t space = std::max<int64_t>(0, data_.options.number(OptionId::Dynvarsize));
    data_.plan.dynamic_capacity = static_cast<uint64_t>(space) / (value + tuple);
    if (space >= row(OptionId::Dynvarsize).default_value) return;
    data_.layout.dynamic_limit = *data_.plan.dynamic_capacity;
    data_.layout.dynamic_count = reserve(data_.globals_size, 8);
  }

  uint64_t size_in_d(TypeId type) const {
    if (data_.types.is_string(type)) return data_.types.strsize();
    return std::max<uint64_t>(1, data_.types.is_pointer(type) ? 8 : data_.types.size_of(type));
  }

  void lay_out_variable(size_t index) {
    const Variable& variable = data_.meaning.variables[index];
    VariableLocation location;
    if (!data_.uses.is_variable_used[index]) {
      location.kind = VariableLocation::Kind::Nowhere;
      return data_.layout.variables.push_back(std::move(location));
    }
    bool is_string = data_.types.is_string(variable.type);
    bool is_scalar = data_.types.is_scalar(variable.type);
    location.size = is_string ? string_storage_size(data_.types)
                              : round_up8(std::max(8U, size_within_bounds(data_.types.size_of(variable.type))));
    if (variable.is_associative || variable.follows_goroutines) {
      lay_out_array(variable, index, location);
    } else if (variable.name == machine_variable) {
      location.kind = VariableLocation::Kind::Globals;
      location.map = "ds_state";
      location.offset = sizeof(ds_state);
    } else if (variable.scope == VariableScope::Global) {
      location.kind = VariableLocation::Kind::Globals;
      location.offset = reserve(data_.globals_size, location.size);
      if (is_string) data_.present_globals.push_back(location.offset + location.size - 8);
    } else if (variable.scope == VariableScope::Self) {
      location.kind = VariableLocation::Kind::Task;
      if (data_.layout.dynamic_limit != 0 && !is_string && !is_scalar)
        location.size += 8;  // the word that is set while it exists
      location.offset = reserve(data_.layout.task_size, location.size);
    } else if (is_scalar && !data_.layout.outlines_clauses && !data_.uses.is_variable_used_on_faults[index] &&
               locals_ < max_locals) {
      location.kind = VariableLocation::Kind::Local;
      ++locals_;
    } else {
      location.kind = VariableLocation::Kind::Scratch;
      location.offset = reserve(data_.layout.scratch_reserved, location.size);
    }
    data_.layout.variables.push_back(std::move(location));
  }

  void lay_out_array(const Variable& variable, size_t index, VariableLocation& location) {
    location.kind = VariableLocation::Kind::Map;
    location.map = fmt::format("ds_array_{}", index);
    uint32_t end = 0;
    if (variable.scope == VariableScope::Self)
      end = variable.follows_goroutines ? goroutine_key_bytes : thread_key_bytes;
    for (size_t i = 0; i < variable.keys.size(); ++i) {
      KeyUse use = i < data_.uses.variable_keys[index].size() ? data_.uses.variable_keys[index][i] : KeyUse{};
      use.is_mixed = true;  // row numbers would distinguish probes of the same name
      Field field = data_.fields.key(use, variable.keys[i]);
      place_field(field, end);
      location.keys.push_back(std::move(field));
    }
    location.key_size = std::max(8U, round_up8(end));
    location.map_value_size = location.size;
    int64_t space = std::max<int64_t>(0, data_.options.number(OptionId::Dynvarsize));
    bool is_counted = data_.layout.dynamic_limit != 0;
    int64_t entries = is_counted ? static_cast<int64_t>(data_.layout.dynamic_limit)
                                 : space / static_cast<int64_t>(array_element_size(location.key_size, location.size));
    entries = std::max<int64_t>(entries, 1);
    data_.plan.maps.push_back({.name = location.map,
                               .kind = MapKind::Hash,
                               .key_size = location.key_size,
                               .value_size = location.size,
                               .max_entries = static_cast<uint32_t>(std::min(entries, max_array_elements)),
                               .no_prealloc = true,
                               .size_option = OptionId::Dynvarsize,
                               .requested_entries = static_cast<uint64_t>(entries)});
  }

  DataLayout& data_;
  uint32_t locals_ = 0;
};

}  // namespace

uint32_t string_storage_size(const TypeTable& types) { return round_up8(types.strsize() + 1) + 8; }

void lay_out_variables(DataLayout& data) { VariableLayout(data).run(); }

}  // namespace dscope
