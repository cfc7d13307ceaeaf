BEGIN { trace(strjoin(strjoin("a", execname), substr("foobar", 3, 2))); trace(strlen(execname)); trace(index("foo", "o")); }
/* CHECK: @ds_strjoin( */
/* CHECK: @ds_substr( */
/* CHECK: @ds_strlen( */
/* CHECK: @ds_index( */
