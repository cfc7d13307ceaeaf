// Actions that are complete when the probe fires, or that are never compiled into records: the consumer does nothing.
#include "runtime/actions/actions.h"

namespace dscope {

void run_Breakpoint(const RecordedAction&, const ActionServices&, std::string&) {}
void run_Chill(const RecordedAction&, const ActionServices&, std::string&) {}
void run_Commit(const RecordedAction&, const ActionServices&, std::string&) {}
void run_Discard(const RecordedAction&, const ActionServices&, std::string&) {}
void run_Panic(const RecordedAction&, const ActionServices&, std::string&) {}
void run_Raise(const RecordedAction&, const ActionServices&, std::string&) {}
// The recorder of --record writes the snapshot.
void run_Snapshot(const RecordedAction&, const ActionServices&, std::string&) {}
void run_Speculate(const RecordedAction&, const ActionServices&, std::string&) {}
void run_Stop(const RecordedAction&, const ActionServices&, std::string&) {}

}  // namespace dscope
