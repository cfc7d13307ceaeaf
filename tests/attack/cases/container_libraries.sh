# In the file system of a container, the configuration of the dynamic linker is a FIFO, a device, a link to the host, or
# endless. Root looks for a library there: the search ends, and finds it where the container has it.
readonly in_container='
  mount --bind "$1/etc" /etc 2>/dev/null || { echo "container has no mounts"; exec sleep 1; }
  echo "container is ready"
  exec sleep 1000'
echo 'int function_of_container(int a) { return a + 1; }' > library.c
mkdir -p user/lib user/etc
"$CC" -shared -fPIC -o user/lib/libdscopeattack.so library.c
chown -R "$attacker_uid" user
for kind in fifo device host endless folder regular; do
  rm -rf user/etc/*
  case $kind in
    fifo) mkfifo user/etc/ld.so.conf ;;
    device) ln -s /dev/ptmx user/etc/ld.so.conf ;;
    host) ln -s /proc/1/root/etc/ld.so.conf user/etc/ld.so.conf; ln -s /proc/1/root/proc user/etc/ld.so.conf.d ;;
    endless) truncate -s 10G user/etc/ld.so.conf ;;
    folder) mkdir user/etc/ld.so.conf; mkdir user/etc/ld.so.conf.d; mkfifo user/etc/ld.so.conf.d/a.conf ;;
    regular) echo "$work/user/lib" > user/etc/ld.so.conf ;;
  esac
  chown -hR "$attacker_uid" user/etc
  start_attacker container.out container unshare --user --map-root-user --mount sh -c "$in_container" sh "$work/user"
  ! grep -q "no mounts" container.out || skip "users may not make namespaces"
  bounded 4000 20 "$DSCOPE" -ln 'uprobe:libdscopeattack.so:function_of_container:entry' > list.out 2>&1 || true
  if [ $kind = regular ]; then grep -q function_of_container list.out || fail "$kind: $(cat list.out)"; fi
  kill -9 "$attacker"
  rm -f container.out
done
