// Actions that are complete when the probe fires, or that are never compiled into records: the consumer does nothing.
#include "runtime/actions/actions.h"

namespace dscope {

void run_Breakpoint(const ActionCall&, const ActionServices&, std::string&) {}
void run_Chill(const ActionCall&, const ActionServices&, std::string&) {}
void run_Commit(const ActionCall&, const ActionServices&, std::string&) {}
void run_Discard(const ActionCall&, const ActionServices&, std::string&) {}
void run_Panic(const ActionCall&, const ActionServices&, std::string&) {}
void run_Raise(const ActionCall&, const ActionServices&, std::string&) {}
void run_Speculate(const ActionCall&, const ActionServices&, std::string&) {}
void run_Stop(const ActionCall&, const ActionServices&, std::string&) {}

}  // namespace dscope
