# The library cairn_models: C++ types and functions generated from models/*.toml by cairn_modelgen, in
# build/.../generated/models. A layer that lists `models` in its USES may include "models/<name>.h".
file(GLOB model_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/models/*.toml)
set(generated_dir ${CMAKE_BINARY_DIR}/generated)
set(generated_sources "")
foreach(model_file IN LISTS model_files)
  get_filename_component(stem ${model_file} NAME_WE)
  string(REPLACE "-" "_" name ${stem})
  set(outputs ${generated_dir}/models/${name}.h ${generated_dir}/models/${name}.cc)
  # From the source tree, so that what is generated names the model by the same path everywhere.
  add_custom_command(OUTPUT ${outputs} COMMAND modelgen models/${stem}.toml ${generated_dir}/models
                     DEPENDS modelgen ${model_file} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                     COMMENT "Generating C++ from models/${stem}.toml" VERBATIM)
  list(APPEND generated_sources ${outputs})
endforeach()

add_library(cairn_models STATIC ${generated_sources})
target_include_directories(cairn_models PUBLIC ${generated_dir})
target_link_libraries(cairn_models PUBLIC cairn_flags cairn_base cairn_item cairn_model)
target_precompile_headers(cairn_models PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h
                           ${CMAKE_SOURCE_DIR}/src/model/typed.h)
set_property(GLOBAL APPEND_STRING PROPERTY CAIRN_LAYER_RULES "models: base item model\n")
