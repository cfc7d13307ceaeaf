#include "driver/compile/drill_steps.h"

#include <nlohmann/json.hpp>

namespace dscope {

namespace {

KeyCondition key_condition(const nlohmann::json& key) {
  KeyCondition condition;
  if (key.contains("text")) condition.text = key["text"].get<std::string>();
  if (key.contains("number")) condition.number = key["number"].get<std::string>();
  return condition;
}

}  // namespace

Result<std::vector<Refinement>> parse_drill_steps(std::string_view json) {
  std::vector<Refinement> steps;
  if (json.empty()) return steps;
  try {
    for (const nlohmann::json& step : nlohmann::json::parse(json)) {
      Refinement& refinement = steps.emplace_back();
      refinement.aggregation = step.at("aggregation").get<std::string>();
      for (const nlohmann::json& key : step.at("keys")) refinement.keys.push_back(key_condition(key));
    }
  } catch (const nlohmann::json::exception& exception) {
    return fail(Error::make("the steps of a live view cannot be read: {}", exception.what()));
  }
  return steps;
}

}  // namespace dscope
