// Writes a 64-bit ELF file with one static probe, in the function `g` inside the function `f`. Every byte of its code
// is a nop, so that an instruction starts at each address, and the whole file is one segment that may be read, written
// and executed: nothing but the file itself can be wrong. Its addresses are file offsets.
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { code_begin = 0x1000, code_end = 0x8000, hostile_size = 0xa000 };

static uint64_t hostile_append(unsigned char* image, uint64_t* at, const void* bytes, uint64_t size) {
  uint64_t begin = *at = (*at + 7) & ~7ULL;
  memcpy(image + begin, bytes, size);
  *at += size;
  return begin;
}

// The note of probe "dsattack:::x".
static uint64_t hostile_note(unsigned char* note, uint64_t probe, uint64_t semaphore) {
  static const char names[] = "dsattack\0x\0";
  uint64_t addresses[3] = {probe, 0, semaphore};
  uint32_t header[3] = {8, sizeof addresses + sizeof names, 3};
  memcpy(note, header, sizeof header);
  memcpy(note + 12, "stapsdt", 8);
  memcpy(note + 20, addresses, sizeof addresses);
  memcpy(note + 44, names, sizeof names);
  return (44 + sizeof names + 3) & ~3ULL;
}

// Returns 0 if the file was written.
static int write_hostile_elf(const char* path, uint64_t probe, uint64_t semaphore) {
  static const char names[] = "\0.text\0.note.stapsdt\0.symtab\0.strtab\0", strings[] = "\0f\0g";
  unsigned char *image = calloc(1, hostile_size), note[128] = {0};
  memset(image + code_begin, 0x90, code_end - code_begin);
  uint64_t at = code_end, note_size = hostile_note(note, probe, semaphore);
  uint64_t note_at = hostile_append(image, &at, note, note_size);
  Elf64_Sym symbols[] = {{0},
                         {1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, code_begin, code_end - code_begin},
                         {3, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, probe, 16}};
  uint64_t symbols_at = hostile_append(image, &at, symbols, sizeof symbols);
  uint64_t strings_at = hostile_append(image, &at, strings, sizeof strings),
           names_at = hostile_append(image, &at, names, sizeof names);
  Elf64_Shdr sections[] = {
      {0},
      {1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code_begin, code_begin, code_end - code_begin, 0, 0, 16, 0},
      {7, SHT_NOTE, 0, 0, note_at, note_size, 0, 0, 4, 0},
      {21, SHT_SYMTAB, 0, 0, symbols_at, sizeof symbols, 4, 1, 8, sizeof(Elf64_Sym)},
      {29, SHT_STRTAB, 0, 0, strings_at, sizeof strings, 0, 0, 1, 0},
      {29, SHT_STRTAB, 0, 0, names_at, sizeof names, 0, 0, 1, 0},
  };
  uint64_t sections_at = hostile_append(image, &at, sections, sizeof sections);
  Elf64_Phdr segment = {PT_LOAD, PF_R | PF_W | PF_X, 0, 0, 0, hostile_size, hostile_size, 0x1000};
  memcpy(image + sizeof(Elf64_Ehdr), &segment, sizeof segment);
  Elf64_Ehdr header = {{0},         ET_DYN, EM_X86_64,     EV_CURRENT,     0, sizeof header,
                       sections_at, 0,      sizeof header, sizeof segment, 1, sizeof(Elf64_Shdr),
                       6,           5};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  memcpy(image, &header, sizeof header);
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
  ssize_t written = write(fd, image, hostile_size);
  free(image);
  return fd < 0 || close(fd) != 0 || written != hostile_size;
}
