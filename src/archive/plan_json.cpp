// The plan as JSON: the same fields as in bundles, with their names.
#include <cereal/archives/json.hpp>
#include <cereal/types/string.hpp>

#include <sstream>

#include "archive/bundle.h"
#include "archive/plan_fields.h"

namespace dscope {

std::string plan_as_json(const ProgramPlan& plan) {
  std::ostringstream stream;
  {
    cereal::JSONOutputArchive archive(stream, cereal::JSONOutputArchive::Options::Default());
    archive(cereal::make_nvp("plan", plan));
  }
  return std::move(stream).str() + "\n";
}

}  // namespace dscope
