# Debian systems in directories, for building and trying packages. Sourced by the other scripts of this folder; needs
# root and mmdebstrap.

say() { printf 'packaging: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

# make_chroot SUITE VARIANT DIRECTORY [PACKAGE...]: VARIANT is that of mmdebstrap: buildd, minbase, apt. Does nothing
# if DIRECTORY is complete.
make_chroot() {
  local suite=$1 variant=$2 directory=$3
  shift 3
  [ -e "$directory/.complete" ] && return
  say "making $directory from Debian's $suite"
  local sources=("deb http://deb.debian.org/debian $suite main") packages options=()
  case $suite in
    bookworm | trixie)
      sources+=("deb http://deb.debian.org/debian $suite-updates main"
        "deb http://deb.debian.org/debian-security $suite-security main") ;;
    # A copy of testing that is a few weeks old still serves.
    *) options+=(--aptopt='Acquire::Check-Valid-Until "false"') ;;
  esac
  packages=$(IFS=,; printf '%s' "ca-certificates${*:+,$*}")
  rm -rf --one-file-system "$directory"
  mkdir -p "$(dirname "$directory")"
  mmdebstrap --quiet --variant="$variant" --include="$packages" "${options[@]}" "$suite" "$directory" "${sources[@]}" ||
    die "mmdebstrap failed to make $directory"
  touch "$directory/.complete"
}

# in_chroot DIRECTORY COMMAND...: with /proc, /dev and /sys, whose mounts end with the command. CHROOT_BIND may name a
# directory that has the same path inside.
in_chroot() {
  unshare --mount --propagation private bash -c '
    set -e
    root=$0
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    if [ -n "${CHROOT_BIND:-}" ]; then mkdir -p "$root$CHROOT_BIND"; mount --bind "$CHROOT_BIND" "$root$CHROOT_BIND"; fi
    exec chroot "$root" /usr/bin/env -u TMPDIR HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$@"
}

# check_size FILE BYTES: fails if the file is larger.
check_size() {
  local bytes
  bytes=$(stat -c %s "$1")
  [ "$bytes" -le "$2" ] || die "$1 has $bytes bytes, more than $2"
  say "$(basename "$1") has $bytes bytes"
}

# version_of_tree ROOT: the VERSION of project() in CMakeLists.txt.
version_of_tree() {
  sed -n 's/^project(dscope VERSION \([0-9.]*\).*/\1/p' "$1/CMakeLists.txt"
}

# source_archive ROOT NAME FILE: writes the files of the tree below NAME/, as tar.xz. The same files give the same
# bytes: order, owners and times are fixed.
source_archive() {
  local root=$1 name=$2 file=$3 time
  time=$(source_date "$root")
  git -C "$root" ls-files -z --cached --others --exclude-standard |
    (cd "$root" && while IFS= read -r -d '' path; do [ ! -e "$path" ] || printf '%s\0' "$path"; done) |
    tar --create --directory="$root" --null --no-recursion --files-from=- --sort=name --transform="s,^,$name/," \
      --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=gnu |
    xz -9 --threads=1 >"$file"
}

# source_date ROOT: the time of the package's changelog, in seconds since 1970. Nothing that is built is younger.
source_date() {
  date --date="$(sed -n 's/^ -- .*>  //p' "$1/packaging/debian/changelog" | head -1)" +%s
}
