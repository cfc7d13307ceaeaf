# The files that `cmake --install` installs, by GNUInstallDirs. tests/install compares them with a list.
#
# Programs: dscope, which users start, and the programs that it executes: the compiler, the live view, the language server, and the program for
# captures. dscope-run runs compiled programs only.
foreach(program dscope dscope_run)
  if(TARGET ${program})
    get_target_property(type ${program} TYPE)
    if(type STREQUAL "EXECUTABLE")
      install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
  endif()
endforeach()
if(TARGET dscope_compiler)
  install(TARGETS dscope_compiler dscope_live_view dscope_language_program dscope_replayer
    RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/dscope)
  if(DSCOPE_IMPORT)
    install(TARGETS dscope_importer RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/dscope)
  endif()
  if(DSCOPE_WEB)
    install(TARGETS dscope_web_server RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/dscope)
  endif()
endif()

# D libraries, and the header for programs with static probes: cc -I share/dscope/include.
file(GLOB DSCOPE_D_LIBRARIES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/frontend/library/*.d)
install(FILES ${DSCOPE_D_LIBRARIES} DESTINATION ${CMAKE_INSTALL_DATADIR}/dscope/library)
install(FILES ${PROJECT_SOURCE_DIR}/include/sys/sdt.h DESTINATION ${CMAKE_INSTALL_DATADIR}/dscope/include/sys)

# Manual pages, and the formats of the output for programs.
file(GLOB DSCOPE_PAGES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/man/*.8 ${PROJECT_SOURCE_DIR}/man/tools/*.8)
install(FILES ${DSCOPE_PAGES} DESTINATION ${CMAKE_INSTALL_MANDIR}/man8)
file(GLOB DSCOPE_OVERVIEWS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/man/*.7)
install(FILES ${DSCOPE_OVERVIEWS} DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
install(FILES ${PROJECT_SOURCE_DIR}/docs/json-output.md ${PROJECT_SOURCE_DIR}/docs/json-output.schema.json
  ${PROJECT_SOURCE_DIR}/docs/dry-run.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/dscope)

# Completions of the shells. Distributions have different directories for zsh.
set(DSCOPE_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "directory for completions of zsh")
install(FILES ${PROJECT_SOURCE_DIR}/packaging/completions/dscope.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dscope)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/completions/_dscope DESTINATION ${DSCOPE_ZSH_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/packaging/completions/dscope.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Exporters, and what runs and reads them.
if(DSCOPE_WEB)
  file(GLOB DSCOPE_EXPORTERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/packaging/exporters/*.d)
  install(PROGRAMS ${DSCOPE_EXPORTERS} DESTINATION ${CMAKE_INSTALL_DATADIR}/dscope/exporters)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/kubernetes/dscope.yaml ${PROJECT_SOURCE_DIR}/packaging/prometheus/prometheus.yml
    ${PROJECT_SOURCE_DIR}/packaging/prometheus/dscope.rules.yml DESTINATION ${CMAKE_INSTALL_DATADIR}/dscope/fleet)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/grafana/dscope.json DESTINATION ${CMAKE_INSTALL_DATADIR}/dscope/fleet RENAME grafana.json)
  set(DSCOPE_SYSTEMD_DIR lib/systemd/system CACHE STRING "directory of systemd units, below the prefix")
  set(BINDIR ${CMAKE_INSTALL_FULL_BINDIR})
  set(DATADIR ${CMAKE_INSTALL_FULL_DATADIR})
  configure_file(${PROJECT_SOURCE_DIR}/packaging/systemd/dscope@.service ${PROJECT_BINARY_DIR}/systemd/dscope@.service @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/systemd/dscope@.service ${PROJECT_SOURCE_DIR}/packaging/systemd/dscope@.socket
    DESTINATION ${DSCOPE_SYSTEMD_DIR})
endif()
# tools/NAME.d is the command dscope-NAME (docs/decisions/0037). An installed script names the program that it was
# installed with, so that it runs without a PATH, as under sudo. A relocatable installation finds dscope in the PATH.
option(DSCOPE_RELOCATABLE "the installation may be moved: scripts find dscope in the PATH" OFF)
file(GLOB DSCOPE_TOOLS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/*.d)
install(PROGRAMS ${DSCOPE_TOOLS} DESTINATION ${CMAKE_INSTALL_DATADIR}/dscope/tools)
configure_file(${CMAKE_CURRENT_LIST_DIR}/install_tools.cmake.in ${PROJECT_BINARY_DIR}/install_tools.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/install_tools.cmake)
