// The document behind a report: everything that the page shows, as JSON. docs/pictures.md describes its members. The
// same model gives the same bytes. Integers beyond 2^53 are strings, because JavaScript reads numbers as doubles. Texts
// are valid UTF-8 without control characters. Times are nanoseconds since the start of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pictures/run_model.h"

namespace dscope {

std::string report_json(const RunModel& model);

nlohmann::json exact_json(int64_t number);
nlohmann::json exact_json(uint64_t number);

}  // namespace dscope
