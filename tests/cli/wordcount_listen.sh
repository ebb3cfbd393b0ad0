#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   wordcount_listen.sh BIN_DIR    wordcount --listen, with real sockets, as one process and as a cluster; prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
trap 'kill -KILL $(jobs -p) 2>/dev/null; cd /; rm -rf "$work"' EXIT
export LC_ALL=C
wordcount=$bin/wordcount

# listen COMMAND…: begins it; `port` is where it listens
listen() {
  what=$*
  : >err
  "$@" >out 2>err &
  listener=$!
  until port=$(sed -n 's/.*listening at port //p' err | head -n 1) && [ -n "$port" ]; do
    kill -0 $listener 2>/dev/null || { failed "$what: does not listen"; return 1; }
    sleep 0.02
  done
}
# ended CODE: waits for the end; the counts are in `out`
ended() {
  wait $listener
  local code=$?
  [ $code = "$1" ] || failed "$what: ended with $code, expected $1"
}
say() { cat >"/dev/tcp/127.0.0.1/$port"; }
# say_and_wait <TEXT: until all of it has been read; --break-off TEXT: then says that, too, and resets the connection
cat >say.py <<'P'
import fcntl, socket, struct, sys, termios, time
port = int(sys.argv[1])
peer = socket.create_connection(("127.0.0.1", port))
peer.sendall(sys.stdin.buffer.read())
if len(sys.argv) == 2:
    peer.shutdown(socket.SHUT_WR)
    while peer.recv(4096):
        pass
else:
    own = "%04X" % peer.getsockname()[1]
    def unread():  # in the listener's end
        for line in open("/proc/net/tcp").readlines() + open("/proc/net/tcp6").readlines():
            words = line.split()
            if words[1].endswith(":%04X" % port) and words[2].endswith(":" + own):
                return int(words[4].split(":")[1], 16)
    while struct.unpack("i", fcntl.ioctl(peer, termios.TIOCOUTQ, b"0000"))[0] or unread():
        time.sleep(0.01)
    peer.sendall(sys.argv[3].encode())
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
peer.close()
P
say_and_wait() { python3 say.py "$port" "$@"; }
counted() { "$wordcount" -q -k 0 "$@" >expected; cmp -s out expected || failed "$what: counted something else"; }

seq 30000 | sed 's/.*/line & of a text/' >text
echo 'the last one has no end' | tr -d '\n' >half

# Peers come while others are there; the end of the last one ends the run.
listen "$wordcount" -k 0 --listen 127.0.0.1:0 && {
  exec 7<>"/dev/tcp/127.0.0.1/$port"
  say <text & say <half
  wait $!
  cat text >&7
  exec 7>&-
  ended 0
  counted text half text
  has err ' in 3 connections; '
}
# As many peers as are waited for, one after the other, including some that send nothing.
listen "$wordcount" -k 0 --listen 0 --connections 3 && {
  say <text
  say </dev/null
  kill -0 $listener || failed "$what: ended before the last connection"
  say <half
  ended 0
  counted text half
  has err ' in 2 connections; '
}
# A slow peer, which pauses in the middle of a word.
listen "$wordcount" -k 0 --listen localhost:0 && {
  exec 7<>"/dev/tcp/127.0.0.1/$port"
  for part in 'wo' 'rd wo' $'rd\nwor' 'd'; do printf %s "$part" >&7; sleep 0.05; done
  exec 7>&-
  ended 0
  [ "$(cat out)" = '      3 word' ] || failed "$what: $(cat out)"
}
# A peer that breaks off: its earlier lines count, but not the line that it had begun.
listen "$wordcount" -k 0 --json --listen 127.0.0.1:0 && {
  echo 'a whole line' | say_and_wait --break-off 'half a'
  ended 1
  grep -qE '^wordcount: lost 127\.0\.0\.1:[0-9]+: Connection reset by peer$' err || failed "$what: $(cat err)"
  python3 -c 'import json
found = json.load(open("out"))
assert (found["total"], found["files"], found["unreadable"]) == (3, 1, 1), found' || failed "$what: $(cat out)"
}
listen "$wordcount" -k 1 --listen 127.0.0.1:0 && {
  head -c 3000000 /dev/zero | tr '\0' x | say 2>/dev/null
  ended 1
  has err ': it sent a line of more than 1 MiB'
}
# Signals end the run although peers are still connected; everything that has come is counted.
for signal in TERM INT; do
  listen env --default-signal=INT "$wordcount" -k 0 --listen 127.0.0.1:0 && {
    exec 7<>"/dev/tcp/127.0.0.1/$port"
    say_and_wait <text
    kill -$signal $listener
    ended 0
    exec 7>&-
    counted text
  }
done
listen "$wordcount" -k 0 --listen 127.0.0.1:0 && { kill -TERM $listener; ended 0; [ ! -s out ] || failed "$what: counted"; }

# Invalid calls.
listen "$wordcount" --listen 127.0.0.1:0 && {
  taken=$port
  "$wordcount" --listen "127.0.0.1:$taken" >out2 2>err2 && failed 'a port in use'
  grep -qx "wordcount: can't listen at 127.0.0.1:$taken: Address already in use" err2 || failed "a port in use: $(cat err2)"
  kill -TERM $listener
  ended 0
}
refuses_call() {
  "$wordcount" "${@:2}" >out 2>err
  what="wordcount ${*:2}"
  [ $? = 0 ] || true
  grep -qF -- "$1" err && [ "$(wc -l <err)" = 1 ] && [ ! -s out ] || failed "$what: said $(cat err)"
}
refuses_call "'port' is not PORT, HOST:PORT or [IPV6]:PORT; see wordcount --help" --listen port
refuses_call "'::1:80' is not PORT" --listen ::1:80
refuses_call "'99999' is not PORT" --listen 99999
refuses_call "--connections requires --listen" --connections 2
refuses_call "excludes" --listen 80 text
refuses_call "can't listen at nowhere.invalid:4711: " -q --listen nowhere.invalid:4711
"$wordcount" --listen port >/dev/null 2>&1
[ $? = 2 ] || failed 'a wrong call is not 2'

# As a cluster: the group with the source listens.
cat >two.json <<'END'
{"groups": [{"name": "G1", "nodes": ["count", "rank"]}, {"name": "G2", "nodes": ["read", "split"]}]}
END
cat >three.json <<'END'
{"groups": [{"name": "G1", "nodes": ["read/listen"]}, {"name": "G2", "nodes": ["read/gather", "split"]},
            {"name": "G3", "nodes": ["count", "rank"]}]}
END
for cut in two.json three.json '--on 3'; do
  # shellcheck disable=SC2086
  listen "$weir" run $cut -- "$wordcount" -j2 -k 0 --listen 127.0.0.1:0 --connections 2 && {
    say <text & say <half
    wait $!
    ended 0
    counted text half
    [ "$(grep -c ' in 2 connections; ' err)" = 1 ] || failed "$what: $(cat err)"
  }
done
# SIGTERM to one group drains all groups; so does SIGTERM to the launcher.
listen "$weir" run two.json -- "$wordcount" -j2 -k 0 --listen 127.0.0.1:0 --connections 9 && {
  say_and_wait <text
  for child in $(cat /proc/$listener/task/$listener/children); do
    ! tr '\0' '\n' <"/proc/$child/environ" | grep -qx WEIR_GROUP=G2 || kill -TERM "$child"
  done
  ended 0
  counted text
}
listen "$weir" run two.json -- "$wordcount" -j2 -k 0 --listen 127.0.0.1:0 --connections 9 && {
  say_and_wait <text
  kill -TERM $listener
  ended 143
  counted text
}

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
