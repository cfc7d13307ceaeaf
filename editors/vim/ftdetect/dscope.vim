" D of dscope and dtrace, not the programming language D, which also has the suffix .d: the first line runs dscope, or
" one of the first lines is a pragma of D or begins a clause.
function! s:DetectD() abort
  for l:line in getline(1, 30)
    if l:line =~# '^#!.*\<\(dscope\|dtrace\)\>' || l:line =~# '^#\s*pragma\s\+D\>'
          \ || l:line =~# '^[-A-Za-z0-9_$*?.]*:[^ :]*:[^ :]*:[^ ]*\s*\%([,/{]\|$\)'
          \ || l:line =~# '^\%(BEGIN\|END\|tick-\d\+\w*\|profile-\d\+\w*\)\s*\%([,/{]\|$\)'
      set filetype=dtrace
      return
    endif
  endfor
endfunction

augroup dscope_detect
  autocmd!
  autocmd BufNewFile,BufRead *.d call s:DetectD()
augroup END
