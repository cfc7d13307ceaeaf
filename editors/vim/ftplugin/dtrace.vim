" Settings for D scripts: the style of `dscope --fmt`.
if exists('b:did_dscope_ftplugin')
  finish
endif
let b:did_dscope_ftplugin = 1

setlocal expandtab shiftwidth=2 softtabstop=2 textwidth=120
setlocal commentstring=/*\ %s\ */ comments=sr:/*,mb:*,ex:*/,://
let &l:equalprg = get(g:, 'dscope_program', 'dscope') . ' --fmt'
let b:undo_ftplugin = 'setlocal expandtab< shiftwidth< softtabstop< textwidth< commentstring< comments< equalprg<'

" Formats the whole text and keeps the cursor; text with a mistake is left as it is.
function! s:Format() abort
  let l:view = winsaveview()
  let l:text = system(get(g:, 'dscope_program', 'dscope') . ' --fmt', join(getline(1, '$'), "\n") . "\n")
  if v:shell_error
    echohl ErrorMsg | echomsg trim(l:text) | echohl None
    return
  endif
  let l:lines = split(l:text, "\n", 1)[:-2]
  if l:lines !=# getline(1, '$')
    call setline(1, l:lines)
    if line('$') > len(l:lines)
      silent execute (len(l:lines) + 1) . ',$delete _'
    endif
  endif
  call winrestview(l:view)
endfunction
command! -buffer DscopeFormat call s:Format()
