// The numbers of number_names.def are those of the C library's headers, on every architecture that builds this test.
#include "catalog/number_names.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

// O_LARGEFILE as the kernel defines it. glibc defines it as 0 for 64-bit programs.
#undef O_LARGEFILE
#define O_LARGEFILE 0100000

// Errors inside the kernel (include/linux/errno.h), which return probes of functions show.
#define ERESTARTSYS 512
#define ERESTARTNOINTR 513
#define ERESTARTNOHAND 514
#define ERESTART_RESTARTBLOCK 516

namespace dscope {
namespace {

TEST(NumberNames, AreThoseOfTheHeaders) {
  struct Row {
    const char* name;
    int64_t number, macro;
  };
  static constexpr Row rows[] = {
#define DS_NUMBER_NAME(group, name, value) {#name, value, name},
#define DS_NUMBER_ARGUMENT(...)
#include "catalog/number_names.def"
#undef DS_NUMBER_ARGUMENT
#undef DS_NUMBER_NAME
  };
  for (const Row& row : rows) EXPECT_EQ(row.number, row.macro) << row.name;
}

TEST(NumberNames, ArgumentsHaveTheirGroups) {
  EXPECT_EQ(group_of_argument("syscall", "mmap", "entry", "prot"), NumberGroup::Protection);
  EXPECT_EQ(group_of_argument("syscall", "newfstatat", "entry", "dfd"), NumberGroup::Directory);
  EXPECT_EQ(group_of_argument("syscall", "mmap", "entry", "len"), std::nullopt);
  EXPECT_TRUE(are_flags(NumberGroup::Protection));
  EXPECT_FALSE(are_flags(NumberGroup::AddressFamily));
}

}  // namespace
}  // namespace dscope
