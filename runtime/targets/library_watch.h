// LibraryWatch: tells when processes map code they had not mapped before, as dlopen(3) does.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dscope {

class LinkerBell;
class MappingWatch;
struct MappingEvent;

class LibraryWatch {
 public:
  // Whose libraries it tells of besides those of the processes: of their children, until these execute another program
  // or for good.
  enum class Children : uint8_t { Leave, UntilExec, Always };

  // Whose files it tells of, whatever they are.
  enum class Others : uint8_t { Leave, Files };

  // Listens from now on; to nothing if there is nobody to listen to. Without privileges nothing is ever told.
  LibraryWatch(const std::vector<uint32_t>& pids, Children children, Others others);
  ~LibraryWatch();

  // Readable (edge) when take() may find something. It has to be asked from time to time as well.
  std::vector<int> fds() const;
  // From now on the processes are stopped when they map libraries, as LinkerBell does it; or are no longer. False: they
  // cannot be.
  bool stop_processes(bool stops);
  // A process has a child, which has not done anything yet: it need not be heard of by perf first.
  void add_child(uint32_t parent, uint32_t child);
  // Those of the processes that have mapped the code of a file since the last call, other than those that they had when
  // they were remembered. Cheap if nobody did.
  std::set<uint32_t> take();
  // What the process has mapped now is going to be looked at.
  void remember(uint32_t pid);
  // A file whose code a process, whichever, has mapped.
  struct MappedFile {
    uint32_t pid;
    uint32_t thread;   // that has mapped it, unless it is one of the processes'
    uint64_t time;     // when; of CLOCK_MONOTONIC
    std::string path;  // as the process has it
  };
  // Those that nobody mapped before, as far as take() has seen.
  std::vector<MappedFile> take_files() { return std::exchange(files_, {}); }

 private:
  void remove_child(uint32_t pid);
  void handle(const MappingEvent& event, std::set<uint32_t>& found);

  std::set<uint32_t> pids_;      // that are watched
  std::set<uint32_t> children_;  // those of them that were not asked for
  Children wanted_children_;
  Others others_;
  using FileKey = std::pair<std::string, uint64_t>;        // device and inode
  std::map<uint32_t, std::set<FileKey>> remembered_;       // by process
  std::set<std::pair<FileKey, std::string>> known_files_;  // and the path
  std::vector<MappedFile> files_;
  std::unique_ptr<MappingWatch> watch_;
  std::unique_ptr<LinkerBell> bell_;
};

}  // namespace dscope
