// sym(), func(), mod(), usym(), ufunc(), umod(), uaddr() (consumer-and-actions.md 3.10).
#include "runtime/actions/actions.h"

namespace dscope {

void run_symbol(const ActionCall& call, const ActionServices& services, std::string& out) {
  const Field* field = call.field(0);
  if (!field) return;
  out += "  ";
  services.values.append_text_left(out, services.values.symbol_text(*field, call.record), 50);
}

}  // namespace dscope
