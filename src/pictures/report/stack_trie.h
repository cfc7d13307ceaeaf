// StackTrie: the stacks of a run with shared callers. Each stack is one number, the node of its innermost frame.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pictures/run_update.h"

namespace dscope {

class StackTrie {
 public:
  // The number of the stack; -1: it has no frames. Frames are innermost first, as in PictureKey.
  int64_t add(const std::vector<PictureFrame>& frames);

  // {"text": names of frames, "kind": one letter for each frame: k kernel, u user, i inlined, j JIT, x unknown,
  //  "frame": frame of each node, "parent": distance of each node from its caller's node; 0: it has no caller}
  nlohmann::json to_json() const;

 private:
  uint32_t add_frame(const PictureFrame& frame);

  struct Node {
    uint32_t parent = 0, frame = 0;
  };
  std::vector<Node> nodes_;
  std::unordered_map<uint64_t, uint32_t> children_;  // by parent + 1 and frame
  std::vector<std::string> texts_;
  std::string kinds_;
  std::map<std::pair<std::string, bool>, uint32_t> frames_;  // by text and PictureFrame::is_kernel
};

}  // namespace dscope
