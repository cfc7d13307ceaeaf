// LibraryWatch: reports when processes map code that they had not mapped before, as by dlopen(3).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dscope {

class DynamicLinkerProbe;
class MappingWatch;
struct MappingEvent;

class LibraryWatch {
 public:
  // Whether the children of the watched processes are watched too: not at all, until they execute another program, or
  // always.
  enum class Children : uint8_t { Ignore, UntilExec, Always };
  // Whether files that other processes map are reported.
  enum class Others : uint8_t { Ignore, Files };
  // Starts to watch `pids`; without the privilege to open perf events the watch never reports anything.
  LibraryWatch(const std::vector<uint32_t>& pids, Children children, Others others);
  ~LibraryWatch();

  // Readable (edge) when processes_with_new_code() may return something. Call that function regularly as well: not
  // every mapping makes a descriptor readable.
  std::vector<int> fds() const;
  // Starts or ends stopping the processes when they map libraries (see DynamicLinkerProbe). False if that is
  // impossible.
  bool stop_at_loads(bool stops);
  // Adds a child before its first instruction, earlier than the perf event of its creation.
  void add_child(uint32_t parent, uint32_t child);
  // The watched processes that have mapped code since the last call, of files that they had not mapped at
  // remember_mappings(). Cheap if there was no event.
  std::set<uint32_t> processes_with_new_code();
  // The caller is about to inspect the current mappings of the process: they are no longer new.
  void remember_mappings(uint32_t pid);
  // A file whose code a process has mapped.
  struct MappedFile {
    uint32_t pid;
    uint32_t thread;   // the thread that mapped it; 0 for watched processes
    uint64_t time_ns;  // of the mapping, CLOCK_MONOTONIC
    std::string path;  // in the mount namespace of the process
  };
  // The files, mapped by any process, that no process had mapped before, as of the last processes_with_new_code().
  std::vector<MappedFile> take_new_files() { return std::exchange(files_, {}); }

 private:
  void remove_child(uint32_t pid);
  void handle(const MappingEvent& event, std::set<uint32_t>& found);

  std::set<uint32_t> pids_;      // watched processes
  std::set<uint32_t> children_;  // the subset that was added as children
  Children watched_children_;
  Others others_;
  using FileKey = std::pair<std::string, uint64_t>;        // device and inode
  std::map<uint32_t, std::set<FileKey>> remembered_;       // by process
  std::set<std::pair<FileKey, std::string>> known_files_;  // with their paths
  std::vector<MappedFile> files_;
  std::unique_ptr<MappingWatch> watch_;
  std::unique_ptr<DynamicLinkerProbe> linker_probe_;
};

}  // namespace dscope
