# Completion of dscope for fish. `dscope --complete` knows what may follow; this function asks it.

function __dscope_complete
    set -l completer dscope
    set -q DSCOPE_COMPLETER; and set completer $DSCOPE_COMPLETER
    set -l word (commandline --current-token)
    # An open quote belongs to the shell.
    set -l bare (string replace --regex '^[\'"]' '' -- $word)
    set -l answer ($completer --complete (commandline --tokenize --cut-at-cursor --current-process) "$bare" 2>/dev/null)
    set -l first $answer[1]
    for line in $answer[2..-1]
        echo $line
    end
    switch "$first"
        case 'files*' 'scripts*'
            __fish_complete_path $bare
        case 'directories*'
            __fish_complete_directories $bare
        case 'commands*'
            __fish_complete_command
    end
end

for tool in dscope (complete --do-complete dscope- | string replace --regex '\t.*' '')
    complete --command $tool --no-files --arguments '(__dscope_complete)'
end
