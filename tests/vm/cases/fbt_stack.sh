# The stack starts at the function, and after its return at its caller; for both kinds of hooks.
for provider in fbt rawfbt; do
  for name in entry return; do
    echo $provider $name
    dscope -qn "$provider::vfs_read:$name "'/pid == $target/ { stack(); printf("%a\n%d\n", caller, stackdepth); exit(0); }' \
      -c 'dd if=/dev/zero of=/dev/null bs=7 count=3 status=none' | sed 's/+0x[0-9a-f]*//; s/^ *//' | grep .
  done
done
