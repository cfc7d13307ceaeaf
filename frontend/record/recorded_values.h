// The values that a recording keeps of the events of one probe.
#pragma once

#include <string_view>

#include "contract/types/type.h"
#include "frontend/record/record_plan.h"
#include "frontend/syntax/ast.h"

namespace dscope {

// `probe` has its arguments loaded, with types in `types`. `program` has the translators of the arguments. The result
// has neither probes nor a predicate.
RecordedGroup recorded_values(const Probe& probe, const TypeTable& types, const Program& program,
                              const RecordingParts& parts);

// The translator to a D type, of the form `translator NAME < T x > { ... }`; null if no library has one.
const TranslatorDefinition* find_translator(const Program& program, std::string_view name);

// "psinfo_t" of "psinfo_t *"
std::string_view object_type_of(std::string_view translated_text);

}  // namespace dscope
