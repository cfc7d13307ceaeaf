// ProbedFiles: the files in which a provider places probes, held open. The user of a traced process can replace or
// rename the file at a path, or mount another one over it, at any time; a descriptor leads to the same file for ever.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>

#include "support/fd.h"

namespace dscope {

class ProbedFiles {
 public:
  // A path that leads to the file open at `fd` as long as this object lives. All calls for one file return the same
  // path, so it identifies the file. If no more files can be opened, returns a path that leads nowhere.
  std::string path_of(int fd);

 private:
  std::map<std::pair<dev_t, ino_t>, Fd> files_;  // an inode is not reused while its file is open
};

}  // namespace dscope
