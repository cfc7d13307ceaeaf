# Cross-compiles dscope for arm64 (`./dev arm64`). DSCOPE_SYSROOT: a folder with Debian's arm64 packages of the
# libraries, unpacked. Programs of the build, such as clang, are those of this machine. Tests run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DSCOPE_SYSROOT)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT ${DSCOPE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH ${DSCOPE_SYSROOT} ${DSCOPE_SYSROOT}/usr/lib/llvm-19)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${DSCOPE_SYSROOT})
