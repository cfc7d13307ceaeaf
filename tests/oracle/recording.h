// What records print: random printf() calls and aggregations, and their text as consumer-and-actions.md 4 and 5 have
// it, with the host's printf() where C defines the conversion.
#pragma once

#include <random>
#include <string>

namespace dscope::oracle {

struct Recording {
  std::string script;
  std::string text;  // what it prints, to the byte
};

Recording random_printfs(std::mt19937_64& random, int calls);
Recording random_aggregations(std::mt19937_64& random, int aggregations);

}  // namespace dscope::oracle
