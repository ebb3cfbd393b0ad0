#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_output.sh BIN_DIR    where the output of `weir run` goes: to devices that are full, to readers that are gone, that are slow, or
#                             that have stopped. Each byte arrives, or the command says why not, and the groups end.
. "$(dirname -- "$0")/../support/weir_command.sh"
. "$here/../support/group_processes.sh"

cat >prints <<'END'
#!/bin/sh
[ "$WEIR_GROUP" != G1 ] || exec seq "$1"
exec sleep 3600
END
chmod +x prints
endless=1000000000000

# ---- it can't be written ----
said() {  # CODE WORDS
  [ "$code" = "$1" ] && [ "$(cat err)" = "weir run: $2" ] || failed "$what: exit code $code, and it said: $(head -c 500 err)"
  nothing_left
}
what="to a full device"
timeout 60 "$weir" run --on 2 -- ./prints $endless >/dev/full 2>err
code=$?
said 1 "can't write standard output: No space left on device; ending it"
what="to a closed output"
timeout 60 "$weir" run --on 2 -- ./prints $endless >&- 2>err
code=$?
said 1 "can't write standard output: Bad file descriptor; ending it"
what="logs on a full device"
mkdir logs
ln -s /dev/full logs/G1.out
timeout 60 "$weir" run --on 2 --logs logs -- ./prints $endless >/dev/null 2>err
code=$?
said 1 "can't write to logs/G1.out: No space left on device; ending it"
# Output that does not fill a buffer fails at the end at the latest.
what="one line to a full device"
timeout 60 "$weir" run --on 2 -- ./prints 1 >/dev/full 2>err
code=$?
said 1 "can't write standard output: No space left on device; ending it"

# ---- nobody reads it any more: silence, as of any program ----
what="to a reader that has gone"
{ timeout 60 "$weir" run --prefix --on 2 -- ./prints $endless 2>err; echo $? >code; } | head -1 >out
code=$(cat code)
[ "$code" = 141 ] && [ ! -s err ] && [ "$(cat out)" = '[G1] 1' ] || failed "$what: exit code $code, and it said: $(head -c 500 err)"
nothing_left

# ---- behind the names of their groups only on a terminal, or where that is asked for ----
cat >writes <<'END'
#!/bin/sh
[ "$WEIR_GROUP" = G1 ] && { cat bytes; echo "$WEIR_GROUP complains" >&2; }
exit 0
END
chmod +x writes
head -c 300000 /dev/urandom >bytes
what="bytes without an end of line"
"$weir" run --on 2 -- ./writes >out 2>err
cmp -s out bytes || failed "$what: they come out otherwise"
[ "$(head -1 err)" = 'G1 complains' ] || failed "$what: it said: $(cat err)"
printf 'one\ntwo' >bytes
"$weir" run --prefix --on 2 -- ./writes >out 2>err
printf '[G1] one\n[G1] two\n' | cmp -s - out || failed "--prefix: printed $(cat out)"
[ "$(head -1 err)" = '[G1] G1 complains' ] || failed "--prefix: it said: $(cat err)"
cat >on_terminal.py <<'END'
# on_terminal.py COMMAND...: what it prints on a terminal of its own, and its standard error, which is none, to ours
import os, pty, sys
read, write = pty.openpty()
if os.fork() == 0:
    os.dup2(write, 1)
    os.closerange(3, 10)
    os.execvp(sys.argv[1], sys.argv[1:])
os.close(write)
try:
    while part := os.read(read, 4096):
        sys.stdout.buffer.write(part.replace(b"\r\n", b"\n"))
except OSError:  # its end
    pass
END
NO_COLOR=1 timeout 60 python3 on_terminal.py "$weir" run --on 2 -- ./writes >out 2>err
printf '[G1] one\n[G1] two\n' | cmp -s - out || failed "on a terminal: printed $(cat out)"
[ "$(head -1 err)" = 'G1 complains' ] || failed "on a terminal: it said: $(cat err)"
timeout 60 python3 on_terminal.py "$weir" run --no-prefix --on 2 -- ./writes >out 2>err
printf 'one\ntwo' | cmp -s - out || failed "--no-prefix: printed $(cat out)"
timeout 60 python3 on_terminal.py "$weir" run --on 2 -- ./writes >out 2>err
printf '\033[31m[G1] \033[0mone\n\033[31m[G1] \033[0mtwo\n' | cmp -s - out || failed "in colour: printed $(cat out)"
refuses 64 'say one of them' run --prefix --no-prefix --on 2 -- ./writes
# Long lines of groups that print at the same time.
cat >long_lines <<'END'
#!/bin/sh
for i in 1 2 3 4 5; do head -c 700000 /dev/zero | tr '\0' "${WEIR_GROUP#G}"; echo; done
END
chmod +x long_lines
for option in --prefix --no-prefix; do
  "$weir" run $option --on 3 -- ./long_lines 2>err | sed 's/^\[G.\] //' | sort >out
  for group in 1 2 3; do for i in 1 2 3 4 5; do head -c 700000 /dev/zero | tr '\0' $group; echo; done; done | cmp -s - out ||
    failed "long lines with $option: $(wc out)"
done

# ---- readers that take their time ----
cat >late.py <<'END'
# late.py KIND COMMAND...: copies what it prints through a pipe that is read only when its groups have long ended, if that can be.
# KIND nonblocking: writers into the pipe are not made to wait.
import fcntl, os, subprocess, sys, time
read, write = os.pipe()
if sys.argv[1] == "nonblocking":
    fcntl.fcntl(write, fcntl.F_SETFL, os.O_NONBLOCK)
child = subprocess.Popen(sys.argv[2:], stdout=write)
os.close(write)
time.sleep(2)
while part := os.read(read, 1 << 16):
    sys.stdout.buffer.write(part)
sys.exit(child.wait())
END
# With some number of lines, the launcher's buffer is full while the rest lies in the pipe of a group that has ended.
for lines in 94000 97000 100000 103000; do
  seq 100000 $((100000 + lines)) >text_$lines
  kind=$([ $lines = 97000 ] && echo nonblocking || echo blocking)
  timeout 120 python3 late.py $kind "$weir" run --on 2 -- "$bin/filesearch" 1 text_$lines >out_$lines 2>err_$lines &
done
wait
for lines in 94000 97000 100000 103000; do
  "$bin/filesearch" 1 text_$lines | cmp -s - out_$lines ||
    failed "a late reader: $(wc -l <out_$lines) of $lines lines: $(head -c 300 err_$lines)"
done
nothing_left

# ---- a reader that has stopped: limits and signals hold, and the groups wait ----
cat >stalled.py <<'END'
# stalled.py SIGNAL COMMAND...: starts it with a pipe that nobody reads, waits until no more goes into that, and sends the signal
# (0: none). Prints how it ended.
import fcntl, os, signal, subprocess, sys, termios, time
read, write = os.pipe()
child = subprocess.Popen(sys.argv[2:], stdout=write)
def filled():
    return int.from_bytes(fcntl.ioctl(read, termios.FIONREAD, b"\0\0\0\0"), sys.byteorder)
number = int(sys.argv[1])
before = 0
while number != 0 and (before == 0 or filled() != before):
    before = filled()
    time.sleep(0.3)
if number != 0:
    child.send_signal(number)
print(child.wait(), filled() > 0)
END
for number in 2 15; do
  what="a stopped reader and signal $number"
  timeout 60 python3 stalled.py $number "$weir" run --on 2 -- ./prints $endless >out 2>err
  [ "$(cat out)" = "-$number True" ] || failed "$what: $(cat out) $(head -c 300 err)"
  nothing_left
done
what="a stopped reader and --timeout"
timeout 60 python3 stalled.py 0 "$weir" run --on 2 --timeout 1 -- ./prints $endless >out 2>err
[ "$(cat out)" = "124 True" ] || failed "$what: $(cat out) $(head -c 300 err)"
nothing_left

# Some of the rows of weir_standard_streams.sh.
python3 "$here/standard_streams.py" "$bin" 'another secret, no bytes, standard error stalled' 'SIGTERM, 67108864 bytes, standard output terminal' \
  'late, 67108864 bytes, standard output full' 'exit 3, no bytes, standard error closed' >rows || failed "$(cat rows)"

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
