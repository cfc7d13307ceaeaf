// The plan as JSON: the same fields as in bundles, with their names. cereal's own JSON archive needs a rapidjson that
// clang does not compile as C++20, so this one builds values of nlohmann::json.
#include <cereal/cereal.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

#include "archive/bundle.h"

namespace dscope {

class JsonArchive : public cereal::OutputArchive<JsonArchive> {
 public:
  using Json = nlohmann::ordered_json;

  JsonArchive() : OutputArchive(this), open_(1) {}

  // The name of the next value. Values without names are elements of an array.
  void set_name(const char* name) { open_.back().name = name; }
  void begin_value() { open_.emplace_back(); }
  void end_value() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    add(value.is_null() ? Json::object() : std::move(value));
  }
  void begin_array() { open_.back().value = Json::array(); }
  void add(Json value) {
    Open& owner = open_.back();
    if (owner.name.empty()) owner.value.push_back(std::move(value));
    else owner.value[std::exchange(owner.name, {})] = std::move(value);
  }
  Json take() { return std::move(open_.back().value); }

 private:
  struct Open {
    Json value;  // null until it has a member or an element
    std::string name;
  };
  std::vector<Open> open_;  // the values that are not complete, innermost last
};

}  // namespace dscope

namespace cereal {

// Numbers, texts and what becomes one of them are values by themselves; everything else has members or elements.
template <class T>
inline constexpr bool is_json_leaf = std::is_arithmetic_v<T> || std::is_same_v<T, std::string> ||
                                     traits::has_minimal_output_serialization<T, dscope::JsonArchive>::value;

template <class T>
void prologue(dscope::JsonArchive& archive, const T&) {
  if constexpr (!is_json_leaf<T>) archive.begin_value();
}
template <class T>
void epilogue(dscope::JsonArchive& archive, const T&) {
  if constexpr (!is_json_leaf<T>) archive.end_value();
}
template <class T>
void prologue(dscope::JsonArchive&, const NameValuePair<T>&) {}
template <class T>
void epilogue(dscope::JsonArchive&, const NameValuePair<T>&) {}
template <class T>
void prologue(dscope::JsonArchive&, const SizeTag<T>&) {}
template <class T>
void epilogue(dscope::JsonArchive&, const SizeTag<T>&) {}

template <class T>
void CEREAL_SAVE_FUNCTION_NAME(dscope::JsonArchive& archive, const NameValuePair<T>& pair) {
  archive.set_name(pair.name);
  archive(pair.value);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(dscope::JsonArchive& archive, const SizeTag<T>&) {
  archive.begin_array();
}
template <class T, traits::EnableIf<std::is_arithmetic<T>::value> = traits::sfinae>
void CEREAL_SAVE_FUNCTION_NAME(dscope::JsonArchive& archive, const T& number) {
  // A char is a conversion of a format; "" stands for none.
  if constexpr (std::is_same_v<T, char>) archive.add(number != 0 ? std::string(1, number) : std::string());
  else archive.add(number);
}
inline void CEREAL_SAVE_FUNCTION_NAME(dscope::JsonArchive& archive, const std::string& text) { archive.add(text); }

}  // namespace cereal

#include "archive/plan_fields.h"

namespace dscope {

std::string plan_as_json(const ProgramPlan& plan) {
  JsonArchive archive;
  archive(cereal::make_nvp("plan", plan), cereal::make_nvp("interval_marks", plan.interval_marks));
  // Texts may hold bytes that are not UTF-8.
  return archive.take().dump(2, ' ', false, JsonArchive::Json::error_handler_t::replace) + "\n";
}

}  // namespace dscope
