#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_leftovers.sh BIN_DIR    looks whether anything outlives a run of `weir run`, however that ends; prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
. "$here/../support/group_processes.sh"

# All started processes sleep for a time that no other process uses.
seconds=$((100000 + RANDOM % 100000 * 10))
sleepers() {
  local folder words
  for folder in /proc/[0-9]*; do
    mapfile -d '' -t words 2>/dev/null <"$folder/cmdline" && [ "${words[0]-} ${words[1]-}" = "sleep $seconds" ] && echo "${folder#/proc/}"
  done
}
nothing_is_left() {
  nothing_left
  for _ in $(seq ${LOOKS:-600}); do
    [ -n "$(sleepers)" ] || return 0
    sleep 0.1
  done
  failed "$what: is left: $(sleepers | tr '\n' ' ')"
  kill -9 $(sleepers)
}
# Before the program a sleeper in the background, one without an environment, one that has neither that nor a parent
# nor our session, and one in a session of its own; behind it one in front.
cat >wrapped <<END
#!/bin/sh
sleep $seconds &
[ -e marked ] || env -i PATH=/bin:/usr/bin sleep $seconds >/dev/null 2>&1 &
[ -e detached ] && env -i PATH=/bin:/usr/bin setsid -f sleep $seconds </dev/null >/dev/null 2>&1
setsid sh -c 'sleep $seconds & sleep $seconds' </dev/null >/dev/null 2>&1 &
"\$@"
code=\$?
[ -e ends ] && exit \$code
sleep $seconds
END
chmod +x wrapped
echo the words of a text >text
# The cgroup of a run, where one may be made: a folder that is gone with the run.
cgroup_of() { sed -n 's/^0::.*\/\(weir-[^/]*\)$/\1/p' "/proc/$1/cgroup"; }
"$weir" run --on 1 -- sh -c 'cat /proc/self/cgroup' >cgroup 2>/dev/null
grep -q '^0::.*/weir-' cgroup && caged=yes || { caged=; echo 'no cgroup can be made here; not tested'; }
cgroup_is_gone() { [ -z "$1" ] || [ -z "$(find /sys/fs/cgroup -type d -name "$1" 2>/dev/null)" ] || failed "$what: the cgroup $1 is left"; }
for way in here there; do
  echo '{"plan": true, "groups": [{"name": "G1"}, {"name": "G2"}]}' >two.json
  via=()
  : >detached
  if [ $way = there ]; then
    # For the launcher, these hosts are only another folder.
    printf '#!/bin/sh\nshift\nexec "$@"\n' >there.sh
    chmod +x there.sh
    echo '{"plan": true, "groups": [{"name": "G1", "endpoint": "a"}, {"name": "G2", "endpoint": "b"}]}' >two.json
    rm detached  # on another host that is not found
    via=(--via "$work/there.sh {host}" --address 127.0.0.1)
  fi
  # The normal case.
  what="$way: all ends well"
  : >ends
  timeout 300 "$weir" run "${via[@]}" two.json -- ./wrapped "${words[@]}" -q text >out 2>err || failed "$what: ended with $?"
  rm ends
  nothing_is_left
  what="$way: --timeout"
  timeout 300 "$weir" run --timeout 1 "${via[@]}" two.json -- ./wrapped "${words[@]}" -q text >out 2>err
  [ $? = 124 ] || failed "$what: ended otherwise"
  nothing_is_left
  for victim in wrapped words weir; do
    what="$way: kill -9 of $victim"
    mkfifo pipe 2>/dev/null
    exec 9<>pipe
    # When the launcher is killed, processes that have lost their environment are known by the cgroup alone.
    rm -f marked
    expected=8
    [ ! -e detached ] || expected=10
    [ $way$victim != hereweir ] || [ -n "$caged" ] || { : >marked; rm detached; expected=6; }
    "$weir" run "${via[@]}" two.json -- ./wrapped "${words[@]}" -q <pipe >out 2>err 9>&- &
    launcher=$!
    until [ "$(processes | wc -l)" = 2 ] && [ "$(sleepers | wc -l)" -ge $expected ]; do sleep 0.02; done
    cgroup=$(cgroup_of "$(processes | head -n 1)")
    case $victim in
      wrapped) kill -9 "$(ps -o ppid= -p "$(processes | head -n 1)" | tr -d ' ')" ;;
      words) kill -9 "$(processes | head -n 1)" ;;
      weir) kill -9 $launcher ;;
    esac
    wait $launcher 2>/dev/null
    [ $? -gt 0 ] || failed "$what: ended with 0"
    exec 9>&-  # before, the program could still end well
    nothing_is_left
    cgroup_is_gone "$cgroup"
  done
done

# The launcher is killed, and the files of the cgroup can't be written: the guard kills its processes one by one.
if [ -n "$caged" ] && mounted=$(findmnt -n -o TARGET -t cgroup2 | head -n 1) && [ -n "$mounted" ] && unshare --mount mount -o remount,bind,ro "$mounted" 2>/dev/null; then
  what='here: kill -9 of weir, with a cgroup that is read-only'
  cat >detaches <<END
#!/bin/sh
env -i PATH=/bin:/usr/bin setsid -f sleep $seconds </dev/null >/dev/null 2>&1
sed -n 's/^0::.*\/\(weir-[^/]*\)$/\1/p' /proc/self/cgroup >its_name
# The mount itself is busy, because the launcher has a file open there for writing.
mount --bind '$mounted' '$mounted' && mount -o remount,bind,ro '$mounted' && : >is_read_only
exec sleep $seconds
END
  chmod +x detaches
  unshare --mount "$weir" run --on 1 -- ./detaches >out 2>err &
  launcher=$!
  until [ -e is_read_only ] && [ "$(sleepers | wc -l)" = 2 ]; do
    kill -0 $launcher 2>/dev/null || { failed "$what: ended too early"; break; }
    sleep 0.02
  done
  kill -9 $launcher
  wait $launcher 2>/dev/null
  nothing_is_left
  # Nor could it be removed.
  find /sys/fs/cgroup -type d -name "$(cat its_name)" -exec rmdir {} + 2>/dev/null
fi

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
