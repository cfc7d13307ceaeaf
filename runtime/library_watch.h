// LibraryWatch: tells when processes map code they had not mapped before, as dlopen(3) does.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace dscope {

class LinkerBell;
class MappingWatch;

class LibraryWatch {
 public:
  // Listens from now on; to nothing if there are no processes. Without privileges nothing is ever told.
  explicit LibraryWatch(const std::vector<uint32_t>& pids);
  ~LibraryWatch();

  // Readable (edge) when take() may find something; -1: it has to be asked from time to time.
  int fd() const;
  // Those of the processes that have mapped a file's code since the last call. Cheap if nobody did.
  std::set<uint32_t> take();

 private:
  std::set<uint32_t> pids_;
  std::unique_ptr<MappingWatch> watch_;
  std::unique_ptr<LinkerBell> bell_;
};

}  // namespace dscope
