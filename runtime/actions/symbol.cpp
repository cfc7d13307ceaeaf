// sym(), func(), mod(), usym(), ufunc(), umod(), uaddr() (consumer-and-actions.md 3.10).
#include "runtime/actions/actions.h"

namespace dscope {

// The field's `symbol` says which of the actions recorded the address.
void run_Sym(const RecordedAction& call, const ActionServices& services, std::string& out) {
  const Field* field = call.field(0);
  if (!field) return;
  out += "  ";
  services.values.append_text_left(out, services.values.symbol_text(*field, call.record), 50);
}

void run_Func(const RecordedAction& call, const ActionServices& services, std::string& out) {
  run_Sym(call, services, out);
}
void run_Mod(const RecordedAction& call, const ActionServices& services, std::string& out) {
  run_Sym(call, services, out);
}
void run_Uaddr(const RecordedAction& call, const ActionServices& services, std::string& out) {
  run_Sym(call, services, out);
}
void run_Ufunc(const RecordedAction& call, const ActionServices& services, std::string& out) {
  run_Sym(call, services, out);
}
void run_Umod(const RecordedAction& call, const ActionServices& services, std::string& out) {
  run_Sym(call, services, out);
}
void run_Usym(const RecordedAction& call, const ActionServices& services, std::string& out) {
  run_Sym(call, services, out);
}

}  // namespace dscope
