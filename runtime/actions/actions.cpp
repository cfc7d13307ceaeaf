#include "runtime/actions/actions.h"

#include "support/check.h"

namespace dscope {

namespace {
void run_nothing(const ActionCall&, const ActionServices&, std::string&) {}
}  // namespace

RunAction runner_of(Action action) {
  switch (action) {
    case Action::Clear: return run_clear;
    case Action::Denormalize: return run_denormalize;
    case Action::Exit: return run_exit;
    case Action::Freopen: return run_freopen;
    case Action::Ftruncate: return run_ftruncate;
    case Action::Normalize: return run_normalize;
    case Action::Pcap: return run_pcap;
    case Action::Print: return run_print;
    case Action::Printa: return run_printa;
    case Action::Printf: return run_printf;
    case Action::Setopt: return run_setopt;
    case Action::System: return run_system;
    case Action::Trace: return run_trace;
    case Action::Tracemem: return run_tracemem;
    case Action::Trunc: return run_trunc;
    case Action::Jstack:
    case Action::Stack:
    case Action::Ustack: return run_stack;
    case Action::Func:
    case Action::Mod:
    case Action::Sym:
    case Action::Uaddr:
    case Action::Ufunc:
    case Action::Umod:
    case Action::Usym: return run_symbol;
    // Done in the probe, or not compiled into records.
    case Action::Breakpoint:
    case Action::Chill:
    case Action::Commit:
    case Action::Discard:
    case Action::Panic:
    case Action::Raise:
    case Action::Speculate:
    case Action::Stop: return run_nothing;
  }
  DS_UNREACHABLE();
}

}  // namespace dscope
