// Names of ELF symbols: the choice among aliases, and the symbols that are kept.
#include "runtime/elf/elf_symbols.h"

#include <gtest/gtest.h>

#include "tests/unit/runtime/elf/elf_file.h"

namespace dscope::test {
namespace {

struct TestSymbol {
  std::string_view name;
  uint64_t offset, size;
  uint8_t bind = STB_GLOBAL, type = STT_FUNC;
};

std::unique_ptr<ElfSymbols> read_symbols(std::initializer_list<TestSymbol> symbols, bool keeps_all_names = false) {
  std::string names(1, '\0'), table(sizeof(Elf64_Sym), '\0');
  for (const TestSymbol& symbol : symbols) {
    Elf64_Sym entry{};
    entry.st_name = static_cast<Elf64_Word>(names.size());
    entry.st_info = static_cast<unsigned char>(ELF64_ST_INFO(symbol.bind, symbol.type));
    entry.st_shndx = 1;
    entry.st_value = ElfFile::segment_address + symbol.offset;
    entry.st_size = symbol.size;
    names += std::string{symbol.name} + '\0';
    table += ElfFile::text_of(entry);
  }
  ElfFile file;
  uint32_t strings = file.add(".strtab", SHT_STRTAB, names);
  file.add(".symtab", SHT_SYMTAB, table, sizeof(Elf64_Sym), strings);
  return ElfSymbols::read(file.open().get(), "", "", keeps_all_names);
}

std::string symbol_at(const ElfSymbols& symbols, uint64_t offset) {
  auto found = symbols.find(ElfFile::segment_address + offset);
  return found ? std::string{found->name} : "none";
}

// The name in a program's source is preferred to the linker's and the library's internal aliases.
TEST(ElfSymbols, PreferGlobalNamesWithoutUnderscores) {
  auto symbols = read_symbols({{"__GI_setlocale", 0x10, 8, STB_LOCAL},
                               {"setlocale", 0x10, 8},
                               {"__newlocale", 0x20, 8},
                               {"newlocale", 0x20, 8, STB_WEAK},
                               {"data_here", 0x30, 8, STB_GLOBAL, STT_OBJECT},
                               {"code_here", 0x30, 8, STB_LOCAL}});
  EXPECT_EQ(symbol_at(*symbols, 0x14), "setlocale");
  EXPECT_EQ(symbol_at(*symbols, 0x24), "newlocale");
  EXPECT_EQ(symbol_at(*symbols, 0x34), "code_here");
}

TEST(ElfSymbols, VersionsAreStrippedFromNames) {
  auto symbols = read_symbols({{"getpid@@GLIBC_2.2.5", 0x10, 8}});
  EXPECT_EQ(symbol_at(*symbols, 0x10), "getpid");
}

// Assembly functions may have no size: they extend to the next symbol.
TEST(ElfSymbols, FunctionsWithoutSizeExtendToTheNextSymbol) {
  auto symbols = read_symbols({{"first", 0x10, 0}, {"second", 0x40, 8}});
  EXPECT_EQ(symbol_at(*symbols, 0x3f), "first");
  EXPECT_EQ(symbol_at(*symbols, 0x48), "none");
}

TEST(ElfSymbols, VariablesAndTheirAliasesAreNamed) {
  auto symbols =
      read_symbols({{"environ", 0x10, 8, STB_WEAK, STT_OBJECT}, {"__environ", 0x10, 8, STB_GLOBAL, STT_OBJECT}});
  EXPECT_EQ(symbol_at(*symbols, 0x10), "environ");
  EXPECT_TRUE(symbols->find_name("environ"));
}

}  // namespace
}  // namespace dscope::test
