// Random printf() calls and aggregations, and their expected output by consumer-and-actions.md 4 and 5. Conversions
// that C defines use the host's printf().
#pragma once

#include <random>
#include <string>

namespace dscope::oracle {

struct Recording {
  std::string script;
  std::string text;  // its exact output
};

Recording random_printfs(std::mt19937_64& random, int calls);
Recording random_aggregations(std::mt19937_64& random, int aggregations);

}  // namespace dscope::oracle
