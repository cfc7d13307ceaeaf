BEGIN { x = 'a\
'; }
