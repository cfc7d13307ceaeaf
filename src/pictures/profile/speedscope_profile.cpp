#include "pictures/profile/speedscope_profile.h"

#include <map>
#include <nlohmann/json.hpp>

#include "pictures/profile/flame_tree.h"
#include "pictures/profile/picture_text.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

using Json = nlohmann::ordered_json;

class FrameTable {
 public:
  size_t index_of(const FlameFrame& frame) {
    auto [found, is_new] = indices_.emplace(frame.text, indices_.size());
    if (is_new) {
      Json row{{"name", visible_line(frame.text)}};
      // speedscope chooses the color by the file.
      if (std::string_view module = module_of_frame(frame.text); !module.empty()) row["file"] = visible_line(module);
      frames_.push_back(std::move(row));
    }
    return found->second;
  }
  Json take() { return std::move(frames_); }

 private:
  std::map<std::string, size_t> indices_;
  Json frames_ = Json::array();
};

Json profile_of(const AggregationModel& aggregation, FrameTable& frames) {
  FlameTree tree{aggregation};
  Json samples = Json::array(), weights = Json::array();
  std::vector<size_t> path;
  for (const FlameNode& node : tree.nodes()) {
    if (node.depth == 0) continue;
    path.resize(node.depth - 1);
    path.push_back(frames.index_of(node.frame));
    if (node.self == 0) continue;
    samples.push_back(path);
    weights.push_back(node.self);
  }
  return {{"type", "sampled"},
          {"name", aggregation_title(aggregation.info)},
          {"unit", "none"},
          {"startValue", 0},
          {"endValue", tree.total()},
          {"samples", std::move(samples)},
          {"weights", std::move(weights)}};
}

}  // namespace

std::string speedscope_profile(const RunModel& model) {
  FrameTable frames;
  Json profiles = Json::array();
  for (const AggregationModel* aggregation : profiled_aggregations(model))
    profiles.push_back(profile_of(*aggregation, frames));
  Json file{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
            {"exporter", visible_line(model.start().program_name)},
            {"name", visible_line(model.start().command_line)},
            {"activeProfileIndex", 0},
            {"shared", {{"frames", frames.take()}}},
            {"profiles", std::move(profiles)}};
  return file.dump() + "\n";
}

}  // namespace dscope
