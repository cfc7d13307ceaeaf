// Sorted trees of C++ libraries: std::map, std::set. A node has pointers to its subtrees and to its parent, the root
// too: its parent is a node of which it is the left subtree.
#include "support.h"

#define MAX_HEIGHT 128  // a balanced tree of 2^64 nodes

struct tree_walk {
  u64 node;
  u64 left, right, parent;  // offsets of the pointers
};

// 0 if the memory cannot be read.
DS_LOCAL u64 pointer_at(u64 address) {
  u64 pointer = 0;
  bpf_probe_read_user(&pointer, sizeof pointer, (const void*)address);
  return pointer;
}

static long go_left(u64 index, void* state) {
  struct tree_walk* walk = state;
  (void)index;
  u64 left = pointer_at(walk->node + walk->left);
  if (left == 0) return 1;
  walk->node = left;
  return 0;
}

static long go_up(u64 index, void* state) {
  struct tree_walk* walk = state;
  (void)index;
  u64 before = walk->node;
  walk->node = pointer_at(before + walk->parent);
  return walk->node == 0 || pointer_at(walk->node + walk->right) != before;
}

u64 ds_tree_next(u64 node, u64 links) {
  struct tree_walk walk = {
      .node = node, .left = links & 0xff, .right = links >> 8 & 0xff, .parent = links >> 16 & 0xff};
  u64 right = pointer_at(node + walk.right);
  if (right == 0) {
    bpf_loop(MAX_HEIGHT, go_up, &walk, 0);
    return walk.node;
  }
  walk.node = right;
  bpf_loop(MAX_HEIGHT, go_left, &walk, 0);
  return walk.node;
}
