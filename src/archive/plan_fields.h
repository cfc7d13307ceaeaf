// The members of the ProgramPlan's structs as cereal's archives write and read them. Reading throws cereal::Exception
// for input that is damaged, and allocates only in proportion to the input.
//
// Binary archives have no names and no padding: a change of the members needs a new format version (bundle.cpp).
#pragma once

#include <cereal/cereal.hpp>
#include <cereal/types/common.hpp>
#include <cereal/types/optional.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "archive/enum_words.h"
#include "contract/program_plan.h"

// ---------------------------------------------------------------- containers

namespace cereal {

template <class Archive, class T>
void CEREAL_SAVE_FUNCTION_NAME(Archive& archive, const std::vector<T>& values) {
  archive(make_size_tag(static_cast<size_type>(values.size())));
  for (const T& value : values) archive(value);
}
// Grows with the elements that the input has: a false size costs no memory.
template <class Archive, class T>
void CEREAL_LOAD_FUNCTION_NAME(Archive& archive, std::vector<T>& values) {
  size_type size = 0;
  archive(make_size_tag(size));
  values.clear();
  for (size_type i = 0; i < size; ++i) archive(values.emplace_back());
}

}  // namespace cereal

namespace dscope {

// ---------------------------------------------------------------- enumerations

// Refers to an enumerator, which archives contain as its word.
template <typename Enum>
struct Word {
  Enum& value;
};
template <typename Enum>
Word<Enum> word(Enum& value) {
  return {value};
}
template <class Archive, typename Enum>
std::string save_minimal(const Archive&, const Word<Enum>& word) {
  return std::string(word_of(word.value));
}
template <class Archive, typename Enum>
void load_minimal(const Archive&, Word<Enum>& word, const std::string& text) {
  auto value = parse_word<std::remove_const_t<Enum>>(text);
  if (!value) throw cereal::Exception("it has the unknown word '" + text + "'");
  word.value = *value;
}

// ---------------------------------------------------------------- hooks

#define DS_MEMBER(name) cereal::make_nvp(#name, value.name)
#define DS_WORD(name) cereal::make_nvp(#name, word(value.name))

// Archives a struct: the members, in this order.
#define DS_STRUCT(type, ...)                      \
  template <class Archive>                        \
  void serialize(Archive& archive, type& value) { \
    archive(__VA_ARGS__);                         \
  }

DS_STRUCT(HookTestRun, DS_WORD(role))
DS_STRUCT(HookTimer, DS_MEMBER(period_ns))
DS_STRUCT(HookPerfClock, DS_MEMBER(period_ns))
DS_STRUCT(HookPerfEvent, DS_MEMBER(type), DS_MEMBER(config), DS_MEMBER(period), DS_MEMBER(in_user),
          DS_MEMBER(in_kernel))
DS_STRUCT(SyscallCondition, DS_MEMBER(argument), DS_MEMBER(is_in_memory), DS_MEMBER(bits), DS_MEMBER(has_some))
DS_STRUCT(HookSyscall, DS_MEMBER(number), DS_MEMBER(is_return), DS_MEMBER(conditions), DS_MEMBER(order))
DS_STRUCT(HookRawTracepoint, DS_MEMBER(name))
DS_STRUCT(HookTracepoint, DS_MEMBER(category), DS_MEMBER(name))
DS_STRUCT(HookUprobe, DS_MEMBER(path), DS_MEMBER(offset), DS_MEMBER(pid), DS_WORD(position),
          DS_MEMBER(semaphore_offset), DS_MEMBER(detail))
DS_STRUCT(HookFunction, DS_MEMBER(module), DS_MEMBER(function), DS_MEMBER(is_return), DS_MEMBER(offset),
          DS_MEMBER(type_id), DS_MEMBER(supports_trampoline), DS_WORD(mechanism))
DS_STRUCT(HookIterator, DS_MEMBER(target), DS_MEMBER(type_id), DS_MEMBER(objects), DS_MEMBER(subject))
DS_STRUCT(HookWatch, DS_MEMBER(address), DS_MEMBER(length), DS_MEMBER(accesses), DS_MEMBER(pid))

// The words of the hooks, in the order of the variant.
inline constexpr std::string_view hook_words[] = {"test-run", "timer",          "perf-clock", "perf-event",
                                                  "syscall",  "raw-tracepoint", "tracepoint", "uprobe",
                                                  "function", "iterator",       "watch"};
static_assert(std::size(hook_words) == std::variant_size_v<Hook>);

template <size_t Index = 0>
Hook make_hook(std::string_view word) {
  if constexpr (Index == std::variant_size_v<Hook>) {
    throw cereal::Exception("it has an unknown hook, '" + std::string(word) + "'");
  } else {
    if (hook_words[Index] == word) return Hook{std::in_place_index<Index>};
    return make_hook<Index + 1>(word);
  }
}

// The hook is a part of its attachment: every alternative converts to a Hook, so functions for Hook would be ambiguous.
template <class Archive>
void save(Archive& archive, const Attachment& value) {
  archive(cereal::make_nvp("hook", std::string(hook_words[value.hook.index()])));
  std::visit([&](const auto& alternative) { archive(cereal::make_nvp("at", alternative)); }, value.hook);
  archive(DS_MEMBER(cookie));
}
template <class Archive>
void load(Archive& archive, Attachment& value) {
  std::string word;
  archive(word);
  value.hook = make_hook(word);
  std::visit([&](auto& alternative) { archive(alternative); }, value.hook);
  archive(DS_MEMBER(cookie));
}

// ---------------------------------------------------------------- data in records and keys

DS_STRUCT(Field, DS_WORD(kind), DS_MEMBER(offset), DS_MEMBER(size), DS_MEMBER(is_signed), DS_MEMBER(is_char_array),
          DS_WORD(probe_part), DS_WORD(container_part), DS_WORD(symbol), DS_MEMBER(frames), DS_MEMBER(has_copy),
          DS_MEMBER(printed_type), DS_MEMBER(type), DS_MEMBER(variants))
DS_STRUCT(PrintedMember, DS_MEMBER(name), DS_MEMBER(type), DS_MEMBER(bit_offset), DS_MEMBER(bit_size))
DS_STRUCT(TypeEnumerator, DS_MEMBER(name), DS_MEMBER(value))
DS_STRUCT(PrintedType, DS_WORD(kind), DS_MEMBER(name), DS_MEMBER(size), DS_MEMBER(is_signed), DS_MEMBER(is_char),
          DS_MEMBER(element), DS_MEMBER(count), DS_MEMBER(members), DS_MEMBER(enumerators), DS_MEMBER(shows_zeros),
          DS_MEMBER(is_flag_set))
DS_STRUCT(FormatPiece, DS_MEMBER(literal), DS_MEMBER(conversion), DS_MEMBER(alternate), DS_MEMBER(zero_pad),
          DS_MEMBER(left), DS_MEMBER(plus), DS_MEMBER(thousands), DS_MEMBER(space), DS_MEMBER(width),
          DS_MEMBER(precision), DS_MEMBER(width_field), DS_MEMBER(precision_field), DS_MEMBER(field),
          DS_MEMBER(is_wide), DS_MEMBER(is_aggregation_value), DS_MEMBER(percentile))
DS_STRUCT(FormatPlan, DS_MEMBER(text), DS_MEMBER(pieces))

// ---------------------------------------------------------------- clauses and aggregations

DS_STRUCT(ActionPlan, DS_WORD(action), DS_MEMBER(fields), DS_MEMBER(format), DS_MEMBER(aggregations),
          DS_MEMBER(ran_offset), DS_MEMBER(columns), DS_MEMBER(counted_end))
DS_STRUCT(UpdatePlan, DS_MEMBER(aggregation), DS_MEMBER(fields), DS_MEMBER(variants), DS_MEMBER(ran_offset))
DS_STRUCT(ClausePlan, DS_MEMBER(number), DS_MEMBER(description), DS_MEMBER(function), DS_MEMBER(has_record),
          DS_MEMBER(is_error_clause), DS_MEMBER(record_size), DS_MEMBER(actions), DS_MEMBER(updates))
DS_STRUCT(PlanPosition, DS_MEMBER(unit), DS_MEMBER(line), DS_MEMBER(column), DS_MEMBER(text), DS_MEMBER(reads_kernel))
DS_STRUCT(AggregationPlan, DS_MEMBER(name), DS_WORD(function), DS_MEMBER(keys), DS_MEMBER(columns), DS_MEMBER(key_size),
          DS_MEMBER(is_cpu_in_key), DS_MEMBER(data_words), DS_MEMBER(has_state_word), DS_MEMBER(value_size),
          DS_MEMBER(element_size), DS_MEMBER(map), DS_MEMBER(is_recorded), DS_MEMBER(short_map),
          DS_MEMBER(short_key_size), DS_MEMBER(map_key_size), DS_MEMBER(map_value_size), DS_MEMBER(shares_map),
          DS_MEMBER(number), DS_MEMBER(generation_offset), DS_MEMBER(has_generation), DS_MEMBER(parameters),
          DS_MEMBER(percentiles), DS_MEMBER(is_value_signed), DS_MEMBER(source_hash))

// ---------------------------------------------------------------- maps, programs and the whole

template <class Archive>
void save(Archive& archive, const MapPlan& value) {
  std::string option = value.size_option ? std::string(word_of(*value.size_option)) : std::string();
  archive(DS_MEMBER(name), DS_WORD(kind), DS_MEMBER(key_size), DS_MEMBER(value_size), DS_MEMBER(max_entries),
          DS_MEMBER(is_direct), DS_MEMBER(is_mmapable), DS_MEMBER(no_prealloc), cereal::make_nvp("size_option", option),
          DS_MEMBER(requested_entries), DS_MEMBER(initial), DS_MEMBER(rings), DS_MEMBER(cpus_per_ring));
}
template <class Archive>
void load(Archive& archive, MapPlan& value) {
  std::string option;
  archive(DS_MEMBER(name), DS_WORD(kind), DS_MEMBER(key_size), DS_MEMBER(value_size), DS_MEMBER(max_entries),
          DS_MEMBER(is_direct), DS_MEMBER(is_mmapable), DS_MEMBER(no_prealloc), option, DS_MEMBER(requested_entries),
          DS_MEMBER(initial), DS_MEMBER(rings), DS_MEMBER(cpus_per_ring));
  if (option.empty()) return;
  value.size_option = parse_word<OptionId>(option);
  if (!value.size_option) throw cereal::Exception("it has the unknown option '" + option + "'");
}
DS_STRUCT(BpfProgramPlan, DS_MEMBER(symbol), DS_WORD(context), DS_WORD(row_source), DS_MEMBER(attachments),
          DS_MEMBER(name), DS_MEMBER(cookie_by_copy), DS_MEMBER(has_typed_context), DS_MEMBER(may_sleep))
DS_STRUCT(ProbePlan, DS_MEMBER(id), DS_MEMBER(provider), DS_MEMBER(module), DS_MEMBER(function), DS_MEMBER(name),
          DS_MEMBER(is_system_call), DS_MEMBER(is_end))
DS_STRUCT(UnitPlan, DS_MEMBER(is_script), DS_MEMBER(name), DS_MEMBER(matched))

template <class Archive>
void save(Archive& archive, const OptionValues& options) {
  std::vector<OptionValues::Saved> saved = options.save();
  archive(cereal::make_nvp("data_model", std::string(word_of(options.data_model()))),
          cereal::make_nvp("changed", saved));
}
template <class Archive>
void load(Archive& archive, OptionValues& options) {
  std::string model;
  std::vector<OptionValues::Saved> saved;
  archive(model, saved);
  auto data_model = parse_word<DataModel>(model);
  if (!data_model || !options.restore(saved)) throw cereal::Exception("it has an unknown option");
  options.set_data_model(*data_model);
}
DS_STRUCT(OptionValues::Saved, DS_MEMBER(name), DS_MEMBER(number), DS_MEMBER(text))

DS_STRUCT(IntervalMark, DS_MEMBER(clause), DS_MEMBER(variable), DS_MEMBER(is_begin))
// Without ProgramPlan::interval_marks, which came later: bundles append them.
DS_STRUCT(ProgramPlan, DS_MEMBER(units), DS_MEMBER(probes), DS_MEMBER(clauses), DS_MEMBER(formats),
          DS_MEMBER(printed_types), DS_MEMBER(aggregations), DS_MEMBER(aggregation_budget), DS_MEMBER(maps),
          DS_MEMBER(dynamic_capacity), DS_MEMBER(programs), DS_MEMBER(fault_sites), DS_MEMBER(options),
          DS_MEMBER(is_destructive), DS_MEMBER(is_cpu_v4))

#undef DS_STRUCT
#undef DS_WORD
#undef DS_MEMBER

}  // namespace dscope
