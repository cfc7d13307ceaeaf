// Reads types of the running kernel.
#include <gtest/gtest.h>

#include "runtime/providers/live_host.h"

#include "contract/types/member.h"

namespace dscope {
namespace {

class LiveTypes : public testing::Test {
 protected:
  void SetUp() override {
    task_ = host_->find_type(types_, "", "struct task_struct").value_or(TypeTable::error_type());
    if (task_ == TypeTable::error_type()) GTEST_SKIP() << "this kernel's BTF cannot be read";
  }
  std::optional<ResolvedMember> member(TypeId type, std::string_view name) {
    return find_member(*host_, types_, type, name);
  }

  std::unique_ptr<Host> host_ = make_live_host();
  TypeTable types_;
  TypeId task_;
};

TEST_F(LiveTypes, StructsAreCompletedOnDemand) {
  EXPECT_FALSE(types_.get(task_).is_complete);
  EXPECT_GT(types_.get(task_).size, 1000U);
  size_t rows = types_.size();
  EXPECT_EQ(host_->find_type(types_, "vmlinux", "struct task_struct"), task_);
  EXPECT_EQ(host_->find_type(types_, "genunix", "struct task_struct"), task_);
  EXPECT_EQ(types_.size(), rows);
  host_->complete_type(types_, task_);
  EXPECT_TRUE(types_.get(task_).is_complete);
  EXPECT_GT(types_.get(task_).members.size(), 100U);
}

TEST_F(LiveTypes, ReadsMembersOfTasks) {
  auto comm = member(task_, "comm");
  ASSERT_TRUE(comm);
  EXPECT_EQ(types_.spell(comm->type), "char [16]");
  EXPECT_TRUE(types_.is_string_compatible(comm->type));
  auto parent = member(task_, "real_parent");
  ASSERT_TRUE(parent);
  EXPECT_EQ(parent->type, types_.pointer_to(task_));
  EXPECT_EQ(types_.resolve(member(task_, "tgid")->type), types_.int_type());
  EXPECT_EQ(types_.spell(member(task_, "tgid")->type), "pid_t");
  auto iowait = member(task_, "in_iowait");
  ASSERT_TRUE(iowait);
  EXPECT_EQ(iowait->bit_size, 1U);
}

TEST_F(LiveTypes, FindsMembersInUnnamedStructs) {
  auto dentry = host_->find_type(types_, "", "struct dentry");
  ASSERT_TRUE(dentry);
  auto name = member(*dentry, "d_name");
  ASSERT_TRUE(name);
  auto hash_len = member(name->type, "len");
  ASSERT_TRUE(hash_len);
  EXPECT_TRUE(hash_len->within_union);
  auto file = host_->find_type(types_, "", "struct file");
  EXPECT_TRUE(member(*file, "f_path"));
}

TEST_F(LiveTypes, ReadsEnumsAndTypedefs) {
  auto pid_type = host_->find_type(types_, "", "enum pid_type");
  ASSERT_TRUE(pid_type);
  EXPECT_TRUE(types_.get(*pid_type).enumerators.empty());
  host_->complete_type(types_, *pid_type);
  const auto& enumerators = types_.get(*pid_type).enumerators;
  ASSERT_GE(enumerators.size(), 4U);
  EXPECT_EQ(enumerators[1].name, "PIDTYPE_TGID");
  EXPECT_EQ(enumerators[1].value, 1);
  EXPECT_EQ(types_.resolve(host_->find_type(types_, "", "u32").value()), types_.integer(4, false));
  EXPECT_FALSE(host_->find_type(types_, "", "struct no_such_thing"));
  EXPECT_FALSE(host_->find_type(types_, "no_such_module", "struct task_struct"));
}

TEST_F(LiveTypes, FindsSymbols) {
  auto read = host_->find_symbol(types_, "", "vfs_read");
  if (!read) GTEST_SKIP() << "kallsyms has no vfs_read";
  ASSERT_TRUE(read->type);
  EXPECT_EQ(types_.get(*read->type).kind, TypeKind::Function);
  EXPECT_EQ(types_.get(*read->type).parameters.size(), 4U);
  EXPECT_FALSE(host_->find_symbol(types_, "", "no_such_symbol_at_all"));
}

}  // namespace
}  // namespace dscope
