# Compiler, linker, cache, warnings, sanitizers.
set(CAIRN_SANITIZE "" CACHE STRING "Comma-separated sanitizers, e.g. address,undefined")
option(CAIRN_FUZZ "Build the libFuzzer targets (needs clang)" OFF)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Hash paths relative to the source tree, so that a fresh clone elsewhere reuses what another one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(cairn_flags INTERFACE)
target_compile_options(cairn_flags INTERFACE -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor
                       -Wno-missing-field-initializers -Wno-restrict -fno-omit-frame-pointer)
target_include_directories(cairn_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
# g++ 12 sees overflows in inlined std::string moves that are not there (GCC bugs 105329, 105651).
set(false_alarms -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
target_compile_options(cairn_flags INTERFACE
                       "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:${false_alarms}>")
if(CAIRN_SANITIZE)
  string(REPLACE "," ";" sanitizers "${CAIRN_SANITIZE}")
  foreach(sanitizer IN LISTS sanitizers)
    target_compile_options(cairn_flags INTERFACE -fsanitize=${sanitizer} -fno-sanitize-recover=all)
    target_link_options(cairn_flags INTERFACE -fsanitize=${sanitizer})
  endforeach()
  # A quarter of the compile time went into asking before every member access whether its pointer is null, aligned
  # and of the right class. AddressSanitizer tells of the first by itself; x86-64 does not mind the second.
  if(CAIRN_SANITIZE MATCHES undefined)
    target_compile_options(cairn_flags INTERFACE -fno-sanitize=null,alignment,vptr)
  endif()
  # g++ 12 with a sanitizer reports uninitialised uses in inlined library code that are not there.
  target_compile_options(cairn_flags INTERFACE -Wno-maybe-uninitialized)
  if(CAIRN_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(cairn_flags INTERFACE -Wno-tsan ${false_alarms})  # -Wno-tsan: Asio's fences
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  target_compile_options(cairn_flags INTERFACE -Wno-unknown-warning-option -Wno-missing-designated-field-initializers
                         -Wno-deprecated-declarations)
endif()
if(CAIRN_FUZZ)
  target_compile_options(cairn_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
