# The library cairn_embedded_pages: the web app of ui/, built and put into the binary as a table of files
# (src/pages/page_file.h). CAIRN_PAGES is ON, OFF, or a folder of pages that are built already.
# Without Node.js 18 or ui/package.json the table is empty, and the build goes on.
set(CAIRN_PAGES "ON" CACHE STRING "The web app in the binary: ON, OFF, or a folder with its built files")

set(pages_dir ${CMAKE_BINARY_DIR}/generated/pages)
set(embedded_source ${pages_dir}/embedded_pages.cc)
set(embed_pages ${CMAKE_COMMAND} -DOUT=${embedded_source} -P ${CMAKE_SOURCE_DIR}/cmake/embed_pages.cmake)

# Why there can be no pages; "" when they can be built.
function(cairn_pages_obstacle result)
  file(GLOB package CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ui/package.json)
  file(GLOB start CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ui/src/main.tsx)
  find_program(NODE_PROGRAM node)
  find_program(NPM_PROGRAM npm)
  set(obstacle "")
  if(NOT CAIRN_PAGES)
    set(obstacle "CAIRN_PAGES is off")
  elseif(NOT package)
    set(obstacle "there is no ui/package.json")
  elseif(NOT start)
    set(obstacle "there is no ui/src/main.tsx")
  elseif(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
    set(obstacle "node or npm is missing: tools/install build brings them")
  else()
    execute_process(COMMAND ${NODE_PROGRAM} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX REPLACE "^v" "" version "${version}")
    if(version VERSION_LESS 18)
      set(obstacle "node ${version} is too old: 18 is needed")
    endif()
  endif()
  set(${result} "${obstacle}" PARENT_SCOPE)
endfunction()

# A list of its own, because a file that goes away is a change too.
function(cairn_list_sources)
  list(JOIN ARGN "\n" listed)
  file(CONFIGURE OUTPUT ${pages_dir}/sources.txt CONTENT "${listed}\n" @ONLY)
endfunction()

# generated/pages/missing says that the app could not be built for want of Node.js or its packages: tools/build then
# configures again, and tools/build_ui removes it.
if(IS_DIRECTORY "${CAIRN_PAGES}")
  get_filename_component(folder ${CAIRN_PAGES} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  file(GLOB_RECURSE page_files CONFIGURE_DEPENDS ${folder}/*)
  cairn_list_sources(${page_files})
  add_custom_command(OUTPUT ${embedded_source} COMMAND ${embed_pages} ${folder}
                     DEPENDS ${page_files} ${pages_dir}/sources.txt ${CMAKE_SOURCE_DIR}/cmake/embed_pages.cmake
                     COMMENT "Embedding the pages of ${folder}" VERBATIM)
else()
  cairn_pages_obstacle(obstacle)
  if(obstacle)
    message(STATUS "The web app is left out: ${obstacle}")
    file(MAKE_DIRECTORY ${pages_dir})
    if(obstacle MATCHES "^node")
      file(TOUCH ${pages_dir}/missing)
    else()
      file(REMOVE ${pages_dir}/missing)
    endif()
    add_custom_command(OUTPUT ${embedded_source} COMMAND ${embed_pages}
                       DEPENDS ${CMAKE_SOURCE_DIR}/cmake/embed_pages.cmake VERBATIM)
  else()
    # What the build of the app reads; tools/build_ui knows the same list.
    file(GLOB ui_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ui/*.json ${CMAKE_SOURCE_DIR}/ui/*.ts
         ${CMAKE_SOURCE_DIR}/ui/*.html)
    file(GLOB_RECURSE ui_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ui/src/* ${CMAKE_SOURCE_DIR}/ui/public/*)
    list(FILTER ui_sources EXCLUDE REGEX "\\.test\\.tsx?$")
    cairn_list_sources(${ui_sources})
    add_custom_command(OUTPUT ${embedded_source}
                       COMMAND ${CMAKE_SOURCE_DIR}/tools/build_ui ${pages_dir}/files
                       COMMAND ${embed_pages} ${pages_dir}/files
                       DEPENDS ${ui_files} ${ui_sources} ${pages_dir}/sources.txt
                               ${CMAKE_SOURCE_DIR}/tools/build_ui ${CMAKE_SOURCE_DIR}/cmake/embed_pages.cmake
                       COMMENT "Building the web app" VERBATIM)
  endif()
endif()

add_library(cairn_embedded_pages STATIC ${embedded_source})
target_link_libraries(cairn_embedded_pages PUBLIC cairn_flags)
