#include "runtime/providers/record_machine.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(RecordMachine, AddressesAreThoseWithoutRandomization) {
  EXPECT_EQ(without_randomization("0000000000001000 A cpu_number\n"
                                  "ffffffff9a000000 T _text\n"
                                  "ffffffff9a000040 t run_init\n"
                                  "ffffffffc0555000 t lo_open\t[loop]\n"
                                  "ffffffffc0555010 t lo_release\t[loop]\n"),
            "0000000000001000 A cpu_number\n"
            "ffffffff81000000 T _text\n"
            "ffffffff81000040 t run_init\n"
            "ffffffffc0000000 t lo_open\t[loop]\n"
            "ffffffffc0000010 t lo_release\t[loop]\n");
}

TEST(RecordMachine, HiddenAddressesStayHidden) {
  EXPECT_EQ(without_randomization("0000000000000000 T _text\n0000000000000000 T vfs_read\n"),
            "0000000000000000 T _text\n0000000000000000 T vfs_read\n");
}

}  // namespace
}  // namespace dscope
