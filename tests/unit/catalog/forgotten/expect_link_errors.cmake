# Links OBJECTS and expects that the linker misses the functions of the rows named Forgotten. It misses the functions of
# other rows, too: their files are not linked here.
execute_process(COMMAND ${COMPILER} -no-pie ${OBJECTS} -o ${PROGRAM} RESULT_VARIABLE status ERROR_VARIABLE errors)
if(status EQUAL 0)
  message(FATAL_ERROR "linked, although functions are missing")
endif()
foreach(function "emit_Forgotten(dscope::SubroutineCall" "Actions::emit_Forgotten(dscope::ActionCall"
    "FieldPlanner::special_fields_Forgotten(dscope::ClauseInstance"
    "run_Forgotten(dscope::RecordedAction" "rendering_Forgotten'")
  string(FIND "${errors}" "undefined reference to `dscope::${function}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "the linker does not name ${function}")
  endif()
endforeach()
