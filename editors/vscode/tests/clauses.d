// SYNTAX TEST "source.dtrace" "clauses"
#pragma D option bufpolicy=ring
// <----- keyword.control.directive.dtrace
//               ^^^^^^^^^ variable.parameter.option.dtrace
//                         ^^^^ constant.other.option.dtrace

syscall::open*:entry, tick-1s
//^^^^^^^^^^^^^^^^^^ entity.name.function.probe.dtrace
//                    ^^^^^^^ entity.name.function.probe.dtrace
/pid == $target && execname != "cat"/
// <- punctuation.definition.predicate.begin.dtrace
//^^ meta.predicate.dtrace support.variable.dtrace
//      ^^^^^^^ variable.other.macro.dtrace
//                              ^^^ string.quoted.double.dtrace
//                                  ^ punctuation.definition.predicate.end.dtrace
{
  self->path = copyinstr(arg1);
//^^^^ variable.language.dtrace
//      ^^^^ variable.other.dtrace
//             ^^^^^^^^^ support.function.dtrace
//                       ^^^^ support.variable.dtrace
  @opens[execname, args[0]->b_flags] = count();  // a comment
//^^^^^^ variable.other.aggregation.dtrace
//                          ^^^^^^^ variable.other.member.dtrace
//                                     ^^^^^ support.function.aggregation.dtrace
//                                               ^^^^^^^^^^^^ comment.line.double-slash.dtrace
  printf("%-10s %5d\n", self->path, (int)arg0 / 2);
//^^^^^^ support.function.action.dtrace
//        ^^^^^ constant.other.placeholder.dtrace
//                 ^^ constant.character.escape.dtrace
//                                   ^^^ storage.type.dtrace
//                                              ^ constant.numeric.dtrace
}

BEGIN { trace(1); }
// <----- entity.name.function.probe.dtrace
inline int limit = 0x10;
// <------ storage.type.dtrace
//                 ^^^^ constant.numeric.dtrace
/* a block */
// <--- comment.block.dtrace
