#include "runtime/actions/actions.h"

namespace dscope {

RunAction runner_of(Action action) {
  static constexpr RunAction runners[] = {
#define DS_ACTION(id, ...) run_##id,
#include "catalog/actions.def"
#undef DS_ACTION
  };
  return runners[static_cast<size_t>(action)];
}

}  // namespace dscope
