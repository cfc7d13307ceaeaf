// Imports BTF into a TypeTable. Uses generated blobs, because this machine's kernel may lack some kinds of types.
#include "runtime/kernel/btf_types.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "runtime/dwarf/elf_image.h"
#include "tests/unit/runtime/kernel/btf_blob.h"

namespace dscope {
namespace {

// A directory like /sys/kernel/btf.
class BtfImport : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = testing::TempDir() + "/dscope_btf_" + std::to_string(::getpid());
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& module, const BtfBlob& blob) {
    std::vector<std::byte> bytes = blob.bytes();
    std::ofstream file{directory_ + "/" + module, std::ios::binary};
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  std::string directory_;
  TypeTable types_;
};

uint32_t add_int(BtfBlob& blob, std::string_view name, uint32_t size, uint32_t encoding, uint32_t bits) {
  return blob.add(BTF_KIND_INT, name, size, {encoding << 24 | bits});
}

TEST_F(BtfImport, MapsIntegersToTypesOfD) {
  BtfBlob blob;
  const std::pair<uint32_t, TypeId> rows[] = {
      {add_int(blob, "char", 1, 0, 8), types_.plain_char()},
      {add_int(blob, "long unsigned int", 8, 0, 64), types_.integer(8, false)},
      {add_int(blob, "long long int", 8, BTF_INT_SIGNED, 64), types_.long_long(true)},
      {add_int(blob, "_Bool", 1, BTF_INT_BOOL, 8), *types_.find("_Bool")},
      {add_int(blob, "short int", 2, BTF_INT_SIGNED, 16), types_.integer(2, true)}};
  for (auto [id, type] : rows) blob.add(BTF_KIND_TYPEDEF, "t" + std::to_string(id), id);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  for (auto [id, type] : rows)
    EXPECT_EQ(types_.resolve(kernel.find(types_, "", "t" + std::to_string(id)).value()), type) << id;
}

// Damaged types that refer to themselves end in an error type, not in endless recursion.
TEST_F(BtfImport, CircularTypesHaveAnEnd) {
  BtfBlob blob;
  uint32_t number = add_int(blob, "int", 4, BTF_INT_SIGNED, 32);
  uint32_t pointer = blob.add(BTF_KIND_PTR, "", number + 1);                             // to itself
  uint32_t constant = blob.add(BTF_KIND_CONST, "", pointer + 1);                         // of itself
  uint32_t prototype = blob.add(BTF_KIND_FUNC_PROTO, "", number, {0, constant + 2}, 1);  // takes a pointer to itself
  uint32_t function = blob.add(BTF_KIND_PTR, "", prototype);
  uint32_t one = blob.add(BTF_KIND_TYPEDEF, "one", function + 2), two = blob.add(BTF_KIND_TYPEDEF, "two", one);
  uint32_t array = blob.add(BTF_KIND_ARRAY, "", 0, {two + 1, number, 2});  // of itself
  for (uint32_t id : {pointer, constant, prototype, function, array})
    blob.add(BTF_KIND_TYPEDEF, "t" + std::to_string(id), id);
  blob.add(BTF_KIND_TYPEDEF, "btf_trace_event", function);
  blob.add(BTF_KIND_STRUCT, "all", 8, {0, constant, 0, 0, one, 0}, 2);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  for (const char* name : {"one", "two", "t2", "t3", "t4", "t5", "t8"})
    if (auto type = kernel.find(types_, "", name)) {
      types_.spell(types_.resolve(*type));
      types_.size_of(*type);
    }
  EXPECT_EQ(types_.resolve(kernel.find(types_, "", "one").value()), TypeTable::error_type());
  kernel.tracepoint_parameters(types_, "event");
  kernel.complete(types_, kernel.find(types_, "", "struct all").value());
}

TEST_F(BtfImport, ReadsBitFieldsWithAndWithoutKindFlag) {
  BtfBlob blob;
  uint32_t word = add_int(blob, "unsigned int", 4, 0, 32);
  uint32_t three_bits = add_int(blob, "unsigned int", 4, 0, 3);
  blob.add(BTF_KIND_STRUCT, "new_style", 4, {blob.name("a"), word, 0 | 2 << 24, blob.name("b"), word, 2 | 5 << 24}, 2,
           true);
  blob.add(BTF_KIND_STRUCT, "old_style", 8, {blob.name("a"), three_bits, 5, blob.name("b"), word, 32}, 2);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  TypeId new_style = kernel.find(types_, "", "struct new_style").value();
  EXPECT_FALSE(types_.get(new_style).is_complete);
  kernel.complete(types_, new_style);
  ASSERT_EQ(types_.get(new_style).members.size(), 2U);
  EXPECT_EQ(types_.get(new_style).members[1].bit_offset, 2U);
  EXPECT_EQ(types_.get(new_style).members[1].bit_size, 5U);
  TypeId old_style = kernel.find(types_, "", "struct old_style").value();
  kernel.complete(types_, old_style);
  EXPECT_EQ(types_.get(old_style).members[0].bit_offset, 5U);
  EXPECT_EQ(types_.get(old_style).members[0].bit_size, 3U);
  EXPECT_EQ(types_.get(old_style).members[1].bit_size, 0U);
}

TEST_F(BtfImport, DropsQualifiersAndMarksUserPointers) {
  BtfBlob blob;
  uint32_t character = add_int(blob, "char", 1, 0, 8);
  uint32_t constant = blob.add(BTF_KIND_CONST, "", character);
  uint32_t tagged = blob.add(BTF_KIND_TYPE_TAG, "user", constant);
  uint32_t user_pointer = blob.add(BTF_KIND_PTR, "", tagged);
  uint32_t kernel_pointer = blob.add(BTF_KIND_PTR, "", constant);
  blob.add(BTF_KIND_TYPEDEF, "from_user", user_pointer);
  blob.add(BTF_KIND_TYPEDEF, "from_kernel", kernel_pointer);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  EXPECT_EQ(types_.resolve(kernel.find(types_, "", "from_user").value()), types_.pointer_to(types_.plain_char(), true));
  EXPECT_EQ(types_.resolve(kernel.find(types_, "", "from_kernel").value()), types_.pointer_to(types_.plain_char()));
}

TEST_F(BtfImport, ResolvesForwardDeclarations) {
  BtfBlob blob;
  uint32_t forward = blob.add(BTF_KIND_FWD, "later", 0);
  uint32_t unknown = blob.add(BTF_KIND_FWD, "nowhere", 0, {}, 0, true);
  blob.add(BTF_KIND_TYPEDEF, "t1", forward);
  blob.add(BTF_KIND_TYPEDEF, "t2", unknown);
  blob.add(BTF_KIND_STRUCT, "later", 16);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  TypeId later = types_.resolve(kernel.find(types_, "", "t1").value());
  EXPECT_EQ(later, kernel.find(types_, "", "struct later"));
  EXPECT_EQ(types_.get(later).size, 16U);
  const Type& nowhere = types_.resolved(kernel.find(types_, "", "t2").value());
  EXPECT_EQ(nowhere.kind, TypeKind::Forward);
  EXPECT_EQ(nowhere.name, "union nowhere");
}

TEST_F(BtfImport, EnumsKeepTheirSign) {
  BtfBlob blob;
  blob.add(BTF_KIND_ENUM, "plain", 4, {blob.name("BIG"), 0xffffffff}, 1);
  blob.add(BTF_KIND_ENUM, "negative", 4, {blob.name("MINUS"), 0xffffffff}, 1, true);
  blob.add(BTF_KIND_ENUM64, "wide", 8, {blob.name("WIDE"), 1, 2}, 1);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  auto first_value = [&](std::string_view name) {
    TypeId id = kernel.find(types_, "", name).value();
    kernel.complete(types_, id);
    return types_.get(id).enumerators.at(0).value;
  };
  EXPECT_EQ(first_value("enum plain"), 0xffffffff);
  EXPECT_EQ(first_value("enum negative"), -1);
  EXPECT_EQ(first_value("enum wide"), 0x200000001);
}

TEST_F(BtfImport, ReadsFunctionsAndTracepoints) {
  BtfBlob blob;
  uint32_t number = add_int(blob, "int", 4, BTF_INT_SIGNED, 32);
  uint32_t data = blob.add(BTF_KIND_PTR, "", 0);
  uint32_t printer = blob.add(BTF_KIND_FUNC_PROTO, "", number, {blob.name("format"), data, 0, 0}, 2);
  blob.add(BTF_KIND_FUNC, "print_it", printer);
  uint32_t prototype = blob.add(BTF_KIND_FUNC_PROTO, "", 0, {blob.name("__data"), data, blob.name("count"), number}, 2);
  uint32_t pointer = blob.add(BTF_KIND_PTR, "", prototype);
  blob.add(BTF_KIND_TYPEDEF, "btf_trace_hit", pointer);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  TypeId function = kernel.find_object(types_, "vmlinux", "print_it").value();
  EXPECT_EQ(types_.spell(function), "int (void *, ...)");
  EXPECT_EQ(kernel.tracepoint_names(), std::vector<std::string>{"hit"});
  auto parameters = kernel.tracepoint_parameters(types_, "hit");
  ASSERT_TRUE(parameters);
  ASSERT_EQ(parameters->size(), 1U);
  EXPECT_EQ((*parameters)[0].name, "count");
  EXPECT_EQ((*parameters)[0].type, types_.int_type());
  EXPECT_FALSE(kernel.tracepoint_parameters(types_, "miss"));
}

// As in real kernels, whose typedefs have no names of parameters.
TEST_F(BtfImport, TakesNamesOfTracepointParametersFromTheirCaller) {
  BtfBlob blob;
  uint32_t number = add_int(blob, "int", 4, BTF_INT_SIGNED, 32);
  uint32_t data = blob.add(BTF_KIND_PTR, "", 0);
  uint32_t prototype = blob.add(BTF_KIND_FUNC_PROTO, "", 0, {0, data, 0, number, 0, data}, 3);
  uint32_t pointer = blob.add(BTF_KIND_PTR, "", prototype);
  blob.add(BTF_KIND_TYPEDEF, "btf_trace_hit", pointer);
  std::vector<uint32_t> named = {blob.name("__data"), data, blob.name("count"), number, blob.name("task"), data};
  uint32_t caller = blob.add(BTF_KIND_FUNC_PROTO, "", number, named, 3);
  blob.add(BTF_KIND_FUNC, "__traceiter_hit", caller);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  auto parameters = kernel.tracepoint_parameters(types_, "hit");
  ASSERT_TRUE(parameters && parameters->size() == 2);
  EXPECT_EQ((*parameters)[0].name, "count");
  EXPECT_EQ((*parameters)[1].name, "task");
}

TEST_F(BtfImport, KeepsQualifiersOfParameters) {
  BtfBlob blob;
  uint32_t character = add_int(blob, "char", 1, 0, 8);
  uint32_t constant = blob.add(BTF_KIND_CONST, "", character);
  uint32_t tagged = blob.add(BTF_KIND_TYPE_TAG, "user", constant);
  uint32_t pointer = blob.add(BTF_KIND_PTR, "", tagged);
  uint32_t fixed_pointer = blob.add(BTF_KIND_CONST, "", pointer);
  uint32_t list = blob.add(BTF_KIND_PTR, "", fixed_pointer);
  uint32_t structure = blob.add(BTF_KIND_STRUCT, "s", 8);
  uint32_t changing = blob.add(BTF_KIND_VOLATILE, "", blob.add(BTF_KIND_CONST, "", structure));
  uint32_t object = blob.add(BTF_KIND_PTR, "", changing);
  uint32_t nothing = blob.add(BTF_KIND_PTR, "", blob.add(BTF_KIND_CONST, "", 0));
  uint32_t prototype = blob.add(BTF_KIND_FUNC_PROTO, "", nothing, {0, list, 0, object, 0, constant}, 3);
  uint32_t callback = blob.add(BTF_KIND_PTR, "", prototype);
  uint32_t outer = blob.add(BTF_KIND_FUNC_PROTO, "", 0, {0, callback}, 1);
  uint32_t function = blob.add(BTF_KIND_FUNC, "f", prototype), other = blob.add(BTF_KIND_FUNC, "g", outer);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  KernelTypes::Prototype of_f = kernel.function_prototype(types_, "vmlinux", function);
  EXPECT_EQ(of_f.result_text, "const void *");
  ASSERT_EQ(of_f.parameters.size(), 3U);
  EXPECT_EQ(of_f.parameters[0].type_text, "const char *const *");
  EXPECT_EQ(of_f.parameters[1].type_text, "volatile const struct s *");
  EXPECT_EQ(of_f.parameters[2].type_text, "const char");
  EXPECT_EQ(types_.spell(of_f.parameters[1].type), "struct s *");
  KernelTypes::Prototype of_g = kernel.function_prototype(types_, "vmlinux", other);
  EXPECT_EQ(of_g.result_text, "void");
  EXPECT_EQ(of_g.parameters.at(0).type_text, "void *(*)(char **, struct s *, char)");
}

TEST_F(BtfImport, ModuleTypesReferToKernelTypes) {
  BtfBlob kernel_blob;
  uint32_t number = add_int(kernel_blob, "int", 4, BTF_INT_SIGNED, 32);
  kernel_blob.add(BTF_KIND_STRUCT, "shared", 4, {kernel_blob.name("x"), number, 0}, 1);
  BtfBlob module_blob{&kernel_blob};
  uint32_t forward = module_blob.add(BTF_KIND_FWD, "shared", 0);
  uint32_t pointer = module_blob.add(BTF_KIND_PTR, "", forward);
  uint32_t structure = module_blob.add(BTF_KIND_STRUCT, "own", 8, {module_blob.name("to"), pointer, 0}, 1);
  module_blob.add(BTF_KIND_VAR, "own_variable", structure, {BTF_VAR_STATIC});
  write("vmlinux", kernel_blob);
  write("driver", module_blob);
  KernelTypes kernel{directory_};
  EXPECT_FALSE(kernel.find(types_, "vmlinux", "struct own"));
  EXPECT_FALSE(kernel.find(types_, "no_such_module", "struct own"));
  EXPECT_FALSE(kernel.find(types_, "../vmlinux", "struct shared"));
  TypeId own = kernel.find(types_, "driver", "struct own").value();
  kernel.complete(types_, own);
  TypeId shared = kernel.find(types_, "vmlinux", "struct shared").value();
  EXPECT_EQ(types_.get(own).members.at(0).type, types_.pointer_to(shared));
  EXPECT_EQ(kernel.find(types_, "driver", "struct shared"), shared);
  // Without a module, names are searched in the kernel itself, then in all modules.
  EXPECT_EQ(kernel.find(types_, "", "struct own"), own);
  EXPECT_EQ(kernel.find(types_, "", "struct shared"), shared);
  EXPECT_EQ(kernel.find_object(types_, "driver", "own_variable"), own);
  EXPECT_FALSE(kernel.find_object(types_, "", "own_variable"));
}

// Until a module is loaded, its types come from its .ko file.
TEST_F(BtfImport, ReadsUnloadedModulesFromTheirFiles) {
  BtfBlob vmlinux;
  uint32_t number = add_int(vmlinux, "int", 4, BTF_INT_SIGNED, 32);
  write("vmlinux", vmlinux);
  BtfBlob module{&vmlinux};
  uint32_t structure = module.add(BTF_KIND_STRUCT, "of_module", 4, {module.name("a"), number, 0}, 1);
  uint32_t prototype = module.add(BTF_KIND_FUNC_PROTO, "", number, {0, module.add(BTF_KIND_PTR, "", structure)}, 1);
  uint32_t function = module.add(BTF_KIND_FUNC, "f", prototype);
  ASSERT_EQ(function, prototype + 1);
  std::string files = directory_ + "/files";
  std::filesystem::create_directories(files + "/kernel");
  std::ofstream(files + "/modules.dep")
      << "kernel/other.ko:\nkernel/to-come.ko: kernel/other.ko\nkernel/packed.ko.xz:\n"
         "kernel/foreign.ko:\nkernel/missing.ko:\n";
  auto write_file = [&](const std::string& name, std::vector<NamedSection> sections) {
    std::vector<char> image = make_elf_image(sections);
    std::ofstream(files + "/kernel/" + name).write(image.data(), static_cast<std::streamsize>(image.size()));
  };
  write_file("to-come.ko", {{".BTF", module.bytes()}});
  write_file("packed.ko", {{".BTF", module.bytes()}});
  write_file("foreign.ko", {{".BTF", module.bytes()}, {".BTF.base", vmlinux.bytes()}});
  ASSERT_EQ(std::system(("xz " + files + "/kernel/packed.ko").c_str()), 0);
  KernelTypes kernel{directory_, files};
  EXPECT_EQ(kernel.blob("to_come"), nullptr);
  for (const char* name : {"foreign", "missing", "absent", "other/../to_come"})
    EXPECT_EQ(kernel.expected_blob(name), nullptr) << name;
  for (const char* name : {"to_come", "packed"}) {
    const BtfIndex* blob = kernel.expected_blob(name);
    ASSERT_NE(blob, nullptr) << name;
    EXPECT_EQ(blob->find_object(BTF_KIND_FUNC, "f"), function);
    auto of_f = kernel.function_prototype(types_, name, function);
    EXPECT_EQ(of_f.parameters.at(0).type_text, "struct of_module *");
    TypeId pointee = types_.get(of_f.parameters.at(0).type).base;
    kernel.complete(types_, pointee);
    EXPECT_EQ(types_.get(pointee).members.size(), 1U);
  }
  // The loaded module may differ from its file: types found before are not reused.
  BtfBlob loaded{&vmlinux};
  loaded.add(BTF_KIND_STRUCT, "another", 8);
  write("to_come", loaded);
  kernel.loaded("to_come");
  EXPECT_FALSE(kernel.expected_blob("to_come")->find_object(BTF_KIND_FUNC, "f"));
  EXPECT_TRUE(kernel.find(types_, "to_come", "struct another"));
  EXPECT_FALSE(kernel.find(types_, "to_come", "struct of_module"));
}

TEST_F(BtfImport, EachTableHasItsOwnRows) {
  BtfBlob blob;
  blob.add(BTF_KIND_STRUCT, "thing", 16);
  write("vmlinux", blob);
  KernelTypes kernel{directory_};
  TypeId first = kernel.find(types_, "", "struct thing").value();
  EXPECT_EQ(kernel.find(types_, "", "struct thing"), first);
  for (int i = 0; i < 3; ++i) {
    TypeTable other;  // probably at the same address in each iteration
    other.add({.kind = TypeKind::Struct, .name = "struct of_d"});
    TypeId id = kernel.find(other, "", "struct thing").value();
    EXPECT_EQ(other.get(id).name, "struct thing");
  }
}

// Old kernels cannot mmap() BTF files. A pipe, which nothing can map, stands in for such a file.
TEST_F(BtfImport, ReadsUnmappableBlobs) {
  BtfBlob blob;
  blob.add(BTF_KIND_STRUCT, "thing", 16);
  std::string path = directory_ + "/vmlinux";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer{[&] { write("vmlinux", blob); }};
  KernelTypes kernel{directory_};
  EXPECT_TRUE(kernel.find(types_, "", "struct thing"));
  writer.join();
}

TEST_F(BtfImport, MissingDirectoryHasNoTypes) {
  KernelTypes kernel{directory_};
  EXPECT_FALSE(kernel.find(types_, "", "struct thing"));
  EXPECT_TRUE(kernel.tracepoint_names().empty());
}

}  // namespace
}  // namespace dscope
