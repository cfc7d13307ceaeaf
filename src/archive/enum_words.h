// The words of the enumerations in a ProgramPlan. Archives contain the words, not the numbers, so that rows may be
// added to the catalog in any order.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "catalog/catalog.h"
#include "catalog/data_model.h"
#include "catalog/option_values.h"
#include "contract/hook.h"
#include "contract/probe_part.h"
#include "contract/program_plan.h"

namespace dscope {

// The words in the order of the enumerators. A later version may append words and must not change one.
template <typename Enum>
struct EnumWords;

#define DS_ENUM_WORDS(type, ...)                               \
  template <>                                                  \
  struct EnumWords<type> {                                     \
    static constexpr std::string_view words[] = {__VA_ARGS__}; \
  };

DS_ENUM_WORDS(FieldKind, "integer", "string", "bytes", "stack", "user-stack", "kernel-address", "user-address",
              "probe-name", "container")
DS_ENUM_WORDS(ProbePart, "provider", "module", "function", "name")
DS_ENUM_WORDS(ContainerPart, "container", "pod", "namespace", "image")
DS_ENUM_WORDS(PrintedKind, "object", "array", "integer", "enum", "pointer", "string", "nothing")
DS_ENUM_WORDS(MapKind, "array", "per-cpu-array", "hash", "per-cpu-hash", "ring-buffer", "task-storage", "ring-table",
              "chunk-table")
DS_ENUM_WORDS(RowSource, "constant", "cookie", "table")
DS_ENUM_WORDS(BpfContext, "raw-tracepoint", "tracepoint", "perf-event", "probe", "kernel-probe", "function", "iterator")
DS_ENUM_WORDS(FunctionMechanism, "trampoline", "multi", "kprobe", "security")
DS_ENUM_WORDS(HookTestRun::Role, "begin", "end", "error")
DS_ENUM_WORDS(UprobePosition, "anywhere", "within", "entry", "exit", "returned")
DS_ENUM_WORDS(DataModel, "lp64", "ilp32")

#undef DS_ENUM_WORDS

template <typename Enum>
std::string_view word_of(Enum value) {
  return EnumWords<Enum>::words[static_cast<size_t>(value)];
}
template <typename Enum>
std::optional<Enum> parse_word(std::string_view word) {
  const auto& words = EnumWords<Enum>::words;
  for (size_t i = 0; i < std::size(words); ++i)
    if (words[i] == word) return static_cast<Enum>(i);
  return std::nullopt;
}

// The names of the catalog.
inline std::string_view word_of(Action action) { return row(action).name; }
inline std::string_view word_of(AggregationFunction function) { return row(function).name; }
inline std::string_view word_of(OptionId option) { return row(option).name; }

template <typename Row>
auto id_of(const Row* found) -> std::optional<decltype(found->id)> {
  if (found == nullptr) return std::nullopt;
  return found->id;
}
template <>
inline std::optional<Action> parse_word<Action>(std::string_view word) {
  return id_of(find_action(word));
}
template <>
inline std::optional<AggregationFunction> parse_word<AggregationFunction>(std::string_view word) {
  return id_of(find_aggregation(word));
}
template <>
inline std::optional<OptionId> parse_word<OptionId>(std::string_view word) {
  return id_of(find_option(word));
}

}  // namespace dscope
