// The functions of a Go program, from the table that its runtime uses for stack traces (.gopclntab). No tool strips it.
// Layouts of Go 1.2, 1.16, 1.18 and 1.20 and later.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/elf/file_budget.h"

namespace dscope {

struct GoFunction {
  uint64_t start = 0, size = 0;  // virtual address, bytes
  std::string_view name;         // package.function; in the bytes of the table
  bool is_assembler = false;     // written in assembler; known of Go 1.18 and later
};

struct GoTable {
  bool is_go = false;                 // the file has a table, even if it is damaged or of an unknown layout
  std::vector<GoFunction> functions;  // by address
  bool passes_registers = false;      // arguments are in registers: Go 1.18 and later, for certain
  std::string version = {};           // of the compiler: "go1.19.8"; empty if the file does not state it
};

// Reads the table of a program whose code lies at the addresses from `begin` up to `end`. Empty if it is damaged in any
// place, because a probe inside an instruction would change the program: addresses ascend and lie in the code, and each
// function repeats its own. If the header leaves the start of the code to the linker, it is `begin`.
GoTable parse_go_table(std::span<const uint8_t> bytes, uint64_t begin, uint64_t end, FileBudget& budget);

// The version of the compiler in the section .go.buildinfo, as Go 1.18 and later write it; empty if there is none.
std::string parse_go_version(std::span<const uint8_t> bytes);

// The functions of an ELF file; none if it is no Go program. The names live as long as `elf`.
GoTable read_go_functions(Elf* elf, FileBudget& budget);

// Whether the ELF file is a Go program.
bool is_go_program(int fd);

}  // namespace dscope
