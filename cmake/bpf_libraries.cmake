# The libraries that read ELF files and load BPF: DSCOPE_LIBBPF, DSCOPE_LIBELF with the libraries that it needs itself,
# DSCOPE_LIBLZMA, DSCOPE_LIBZ and DSCOPE_LIBBCC. They are linked statically: the shared libbpf costs 0.7 ms per start.
include(CheckCSourceCompiles)
find_package(PkgConfig REQUIRED)

# Sets RESULT to the archives of a static link of a pkg-config module, or to its shared library if the archives do not
# link. Debian 13 is such a case: its libelf.a calls functions of elfutils' libeu.a, which no package contains. Whether
# a program that calls SYMBOL links decides.
function(dscope_static_closure result module symbol)
  pkg_check_modules(${module} QUIET REQUIRED ${module})
  set(archives)
  foreach(name ${${module}_STATIC_LIBRARIES})
    if(NOT name MATCHES "^(pthread|m|dl|rt|c)$")  # of the C library, which is shared
      find_library(DSCOPE_ARCHIVE_${name} NAMES lib${name}.a ${name} HINTS ${${module}_STATIC_LIBRARY_DIRS} REQUIRED)
      mark_as_advanced(DSCOPE_ARCHIVE_${name})
      list(APPEND archives ${DSCOPE_ARCHIVE_${name}})
    endif()
  endforeach()

  set(CMAKE_REQUIRED_QUIET ON)
  set(CMAKE_REQUIRED_LIBRARIES ${archives} -pthread)
  set(CMAKE_REQUIRED_FLAGS "-fno-builtin -w")
  check_c_source_compiles("char ${symbol}(); int main(void) { return ${symbol}(); }" DSCOPE_LINKS_${module}_STATICALLY)
  if(NOT DSCOPE_LINKS_${module}_STATICALLY)
    find_library(DSCOPE_SHARED_${module} NAMES ${${module}_LIBRARIES} HINTS ${${module}_LIBRARY_DIRS} REQUIRED)
    mark_as_advanced(DSCOPE_SHARED_${module})
    message(STATUS "${module} is linked dynamically: its archive does not link")
    set(archives ${DSCOPE_SHARED_${module}})
  endif()
  set(${result} ${archives} PARENT_SCOPE)
endfunction()

dscope_static_closure(DSCOPE_LIBELF libelf elf_begin)
find_library(DSCOPE_LIBBPF NAMES libbpf.a bpf REQUIRED)
# libbcc without LLVM. Only dscope_symbols uses it (docs/decisions/0025-libbcc-reads-perf-maps.md).
find_library(DSCOPE_LIBBCC NAMES libbcc_bpf.a REQUIRED)
find_library(DSCOPE_LIBLZMA NAMES liblzma.a lzma REQUIRED)
find_library(DSCOPE_LIBZ NAMES libz.a z REQUIRED)
set(DSCOPE_BPF_LIBRARIES ${DSCOPE_LIBBPF} ${DSCOPE_LIBELF} ${DSCOPE_LIBZ})
