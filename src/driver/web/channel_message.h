// A message that a Channel has received.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "driver/web/channel.h"

namespace dscope {

struct Channel::Message {
  nlohmann::json value;  // an object
  std::vector<Fd> descriptors;

  bool has(const char* name) const { return value.contains(name); }
  // The text of a member; "" if it is missing or no text.
  std::string text(const char* name) const {
    auto found = value.find(name);
    return found != value.end() && found->is_string() ? found->get<std::string>() : std::string{};
  }
};

}  // namespace dscope
