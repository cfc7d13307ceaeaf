// Reads paths and process arguments from fake kernel structures.
#include <deque>

#include "buffer.h"
#include "codegen/bpf/support.h"

namespace dscope {
namespace {

struct FakeDentry {
  u64 parent = 0;
  u32 hash = 0, length = 0;
  u64 name = 0;
};
struct FakeMount {
  u64 parent = 0;
  u64 point = 0;
  u64 root = 0;  // the embedded struct vfsmount starts here
};
struct FakePath {
  u64 mount = 0, dentry = 0;
};

constexpr ds_path_layout layout = {.path_mount = offsetof(FakePath, mount),
                                   .path_dentry = offsetof(FakePath, dentry),
                                   .parent = offsetof(FakeDentry, parent),
                                   .length = offsetof(FakeDentry, length),
                                   .name = offsetof(FakeDentry, name),
                                   .mount_root = 0,
                                   .mount = offsetof(FakeMount, root),
                                   .mount_parent = offsetof(FakeMount, parent),
                                   .mount_point = offsetof(FakeMount, point)};

u64 number(const void* pointer) { return reinterpret_cast<u64>(pointer); }

// A tree of directories with mounts.
class FakeTree {
 public:
  // A dentry without parent is a root.
  FakeDentry* dentry(const std::string& name, FakeDentry* parent = nullptr) {
    const std::string& kept = names_.emplace_back(name);
    FakeDentry& made = dentries_.emplace_back();
    made = {.parent = number(parent != nullptr ? parent : &made),
            .hash = 0xffffffff,
            .length = static_cast<u32>(kept.size()),
            .name = number(kept.data())};
    return &made;
  }
  FakeMount* mount(FakeDentry* root, FakeMount* parent = nullptr, FakeDentry* point = nullptr) {
    FakeMount& made = mounts_.emplace_back();
    made = {.parent = number(parent != nullptr ? parent : &made),
            .point = number(point != nullptr ? point : root),
            .root = number(root)};
    return &made;
  }

 private:
  std::deque<FakeDentry> dentries_;
  std::deque<FakeMount> mounts_;
  std::deque<std::string> names_;
};

std::string path_of(FakeMount* mount, FakeDentry* dentry, size_t max_length = 256, bool of_mount = false) {
  FakePath path = {.mount = number(&mount->root), .dentry = number(dentry)};
  size_t capacity = capacity_for(max_length);
  std::vector<char> room(capacity + DS_MAX_NAME_LENGTH + 1, '#');
  u64 dentries[DS_PATH_STEPS];
  ds_path(room.data(), number(&path), &layout, dentries, DS_SIZES(capacity, max_length, of_mount * 8, 0));
  std::string text(room.data());
  EXPECT_LE(text.size(), max_length);
  for (size_t i = text.size(); i < capacity; ++i) EXPECT_EQ(room[i], 0) << "not padded: " << text;
  return text;
}

class KernelPath : public ::testing::Test {
 protected:
  FakeTree tree;
  FakeDentry* root = tree.dentry("/");
  FakeMount* top = tree.mount(root);
  FakeDentry* usr = tree.dentry("usr", root);
  FakeDentry* bin = tree.dentry("bin", usr);
};

TEST_F(KernelPath, JoinsNamesUpToTheRoot) {
  EXPECT_EQ(path_of(top, bin), "/usr/bin");
  EXPECT_EQ(path_of(top, usr), "/usr");
  EXPECT_EQ(path_of(top, root), "/");
}

TEST_F(KernelPath, CrossesMounts) {
  FakeDentry* disk = tree.dentry("/");
  FakeMount* mounted = tree.mount(disk, top, bin);
  FakeDentry* file = tree.dentry("file", disk);
  EXPECT_EQ(path_of(mounted, file), "/usr/bin/file");
  EXPECT_EQ(path_of(mounted, disk), "/usr/bin");
  FakeDentry* inner = tree.dentry("/");
  FakeMount* over = tree.mount(inner, mounted, file);
  EXPECT_EQ(path_of(over, tree.dentry("x", inner)), "/usr/bin/file/x");
  EXPECT_EQ(path_of(tree.mount(tree.dentry("/"), over, inner), inner), "/") << "not below the root of its mount";
}

TEST_F(KernelPath, ReturnsTheMountPoint) {
  FakeDentry* disk = tree.dentry("/");
  FakeMount* mounted = tree.mount(disk, top, bin);
  EXPECT_EQ(path_of(mounted, tree.dentry("file", disk), 256, true), "/usr/bin");
  EXPECT_EQ(path_of(top, bin, 256, true), "/");
}

TEST_F(KernelPath, ReturnsNamesOfUnmountedObjects) {
  FakeMount* hidden = tree.mount(tree.dentry("/"));
  EXPECT_EQ(path_of(hidden, tree.dentry("[eventpoll]")), "[eventpoll]");
  EXPECT_EQ(path_of(hidden, tree.dentry("")), "");
}

TEST_F(KernelPath, TruncatesLongPaths) {
  for (size_t max_length = 1; max_length < 12; ++max_length)
    EXPECT_EQ(path_of(top, bin, max_length), std::string("/usr/bin").substr(0, max_length));
  FakeDentry* longest = tree.dentry(std::string(255, 'n'), bin);
  EXPECT_EQ(path_of(top, longest, 256), ("/usr/bin/" + std::string(255, 'n')).substr(0, 256));
  EXPECT_EQ(path_of(top, longest, 600), "/usr/bin/" + std::string(255, 'n'));
}

TEST_F(KernelPath, KeepsTheEndOfVeryDeepPaths) {
  FakeDentry* deep = root;
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    deep = tree.dentry(std::to_string(i), deep);
    if (i >= 100 - DS_PATH_STEPS) expected += "/" + std::to_string(i);
  }
  EXPECT_EQ(path_of(top, deep, 600), expected);
}

TEST_F(KernelPath, HandlesUnknownLayouts) {
  ds_path_layout unknown = {};
  FakePath path;
  char room[264 + DS_MAX_NAME_LENGTH + 1];
  u64 dentries[DS_PATH_STEPS];
  ds_path(room, number(&path), &unknown, dentries, DS_SIZES(264, 256, 0, 0));
  EXPECT_STREQ(room, "<unknown>");
}

std::string arguments(const std::string& memory, size_t max_length = 79) {
  Buffer buffer = Buffer::garbage(capacity_for(max_length));
  ds_arguments(buffer.data(), DS_SIZES(buffer.capacity(), max_length, 0, 0), number(memory.data()),
               number(memory.data() + memory.size()));
  return buffer.text();
}

TEST(ProcessArguments, JoinsWithBlanks) {
  using namespace std::string_literals;
  EXPECT_EQ(arguments("ls\0-l\0/tmp\0"s), "ls -l /tmp");
  EXPECT_EQ(arguments("a\0\0b\0"s), "a  b");
  EXPECT_EQ(arguments("one\0"s), "one");
  EXPECT_EQ(arguments("\0"s), "");
  EXPECT_EQ(arguments(""s), "");
  EXPECT_EQ(arguments("12345678\0abc\0"s), "12345678 abc");
}

TEST(ProcessArguments, TruncatesLongArguments) {
  std::string memory;
  for (int i = 0; i < 60; ++i) memory += "ab" + std::string(1, '\0');
  std::string expected;
  for (int i = 0; i < 60; ++i) expected += "ab ";
  for (size_t max_length : {1, 5, 8, 15, 79}) EXPECT_EQ(arguments(memory, max_length), expected.substr(0, max_length));
}

}  // namespace
}  // namespace dscope
