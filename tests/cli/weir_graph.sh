#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_graph.sh BIN_DIR    tests the command `weir graph` as a user calls it; prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"
mkdir tmp
export TMPDIR=$work/tmp
unset WEIR_GRAPH WEIR_GRAPH_RUN

have_graphviz=0
! command -v dot >/dev/null || have_graphviz=1
draws() { [ $have_graphviz = 0 ] || dot -Tsvg "$1" >svg 2>dot_err && [ ! -s dot_err ] || { failed "$what: Graphviz refuses it"; cat dot_err; }; }
program() {
  { echo '#!/bin/sh'; cat; } >"$1"
  chmod +x "$1"
}

# Programs that do what weir::run does when it is asked for the graph.
name='/a \"q\" \\ {b|c} <d>\n&amp;'  # as JSON
json='{"nodes":[{"path":"'$name'","kind":"source","out":[{"type":"int","policy":{"distribution":"by_key","to":[{"channel":0},{"channel":1}]}}]},
  {"path":"/w[0]","kind":"node","index":0,"width":2,"in":[{"type":"int","channels":[0]}]},
  {"path":"/w[1]","kind":"node","index":1,"width":2,"in":[{"type":"int","channels":[1]}]}],
  "channels":[{"id":0,"from":"'$name'","from_port":0,"to":"/w[0]","to_port":0,"type":"int"},
  {"id":1,"from":"'$name'","from_port":0,"to":"/w[1]","to_port":0,"type":"int","capacity":8}]}'
printf '%s' "$json" >graph.json
program good <<'END'
echo chatter
cat graph.json >"$WEIR_GRAPH"
END
program arguments <<'END'
[ "$#|$1|$2|$3" = '3|--svg||a b' ] || exit 9
cat graph.json >"$WEIR_GRAPH"
END
counters='"items":5,"sent":5,"steps":1,"busy_ns":930000000,"ready_ns":0,"waiting_input_ns":70000000,"waiting_room_ns":0'
report() {  # report PATH_OF_THE_LAST_NODE
  cat <<END
{"wall_ns":1000000000,"cpu_ns":2000,"workers":2,"bottleneck":"the limit is here",
 "nodes":[{"path":"$name","kind":"source",$counters},{"path":"/w[0]","kind":"node",$counters},
          {"path":"$1","kind":"node",$counters,"bottleneck":true}],
 "channels":[{"from":"$name","to":"/w[0]","items":5,"capacity":8,"fill":0.25},
             {"from":"$name","to":"$1","items":5,"capacity":0,"fill":0}]}
END
}
report '/w[1]' >report.json
report '/x' >other.json

# ---- what it draws ----
ends 0 graph -- ./good
draws out
has out 'w[1]'
has out 'by_key'
lacks out chatter
has err chatter
cp out plain
ends 0 graph -- ./arguments --svg '' 'a b'
ends 0 graph --report report.json -- ./good
draws out
draws out
has out 'busy 93 %'
has out 'fill 25 %'
has out '>5<'
has out '>10/s<'
has out '<B>bottleneck</B>'
has out 'the limit is here'
ends 0 graph --down --report report.json -- ./good
draws out
has out rankdir=TB
program wrapper <<'END'
./good
exit 7
END
ends 0 graph -- ./wrapper

# ---- files ----
ends 0 graph -o new.dot -- ./good
cmp -s new.dot plain || failed "$what: the file differs from what standard output gets"
[ ! -s out ] || failed "$what: wrote to standard output"
chmod 640 new.dot
ln -s new.dot link.dot
ends 0 graph --output link.dot --report report.json -- ./good
[ -L link.dot ] && grep -q busy new.dot || failed "$what: did not write through the link"
[ "$(stat -c %a new.dot)" = 640 ] || failed "$what: changed the mode of the file"
echo old >kept.dot
refuses 1 'ended with exit code 3' graph -o kept.dot -- sh -c 'exit 3'
[ "$(cat kept.dot)" = old ] || failed "$what: changed the file"
refuses 1 "can't write 'missing/x.dot': No such file" graph -o missing/x.dot -- sh -c 'exec ./good >/dev/null'
refuses 1 "can't write 'tmp': Is a directory" graph -o tmp -- sh -c 'exec ./good >/dev/null'
refuses 1 "can't write '/dev/full': No space left" graph -o /dev/full -- sh -c 'exec ./good >/dev/null'
[ -c /dev/full ] || failed "$what: replaced a device"
[ -z "$(ls tmp)" ] && [ -z "$(ls -- *.dot.* 2>/dev/null)" ] || failed "it leaves temporary files: $(ls tmp ./*.dot.*)"

# ---- programs that do not give their graph ----
refuses 1 "can't start ./missing: No such file" graph -- ./missing
refuses 1 './good_too' graph -- good_too
refuses 1 'true ended without calling weir::run' graph -- true
refuses 1 'true ended before its 2nd weir::run' graph --run 2 -- true
refuses 1 'true ended before its 11th weir::run' graph --run 11 -- true
refuses 1 'sh ended with exit code 3 before its 1st weir::run' graph -- sh -c 'exit 3'
refuses 1 'signal 9 (Killed)' graph -- sh -c 'kill -9 $$'
refuses 1 'ended with exit code 1' graph -- sh -c 'printf "{\"nodes\":" >"$WEIR_GRAPH"; exit 1'
refuses 1 'not a graph of this version' graph -- sh -c 'echo "{\"nodes\":[{}]}" >"$WEIR_GRAPH"'
refuses 1 'not a graph of this version' graph -- sh -c 'echo 7 >"$WEIR_GRAPH"'
ends 0 graph -- sh -c 'read -r line; [ -z "$line" ] || exit 5; exec ./good'

# ---- reports ----
refuses 1 "can't read 'missing.json': No such file" graph --report missing.json -- ./good
echo nonsense >bad.json
refuses 1 'bad.json is not a report' graph --report bad.json -- ./good
refuses 1 'graph.json is not a report' graph --report graph.json -- ./good
echo '{"wall_ns":"x","nodes":3}' >bad.json
refuses 1 'bad.json is not a report' graph --report bad.json -- sh -c 'exec ./good >/dev/null'
refuses 1 'other.json is the report of another graph: it lacks the node /w[1]' graph --report other.json -- sh -c 'exec ./good >/dev/null'

{
  echo '{"pid":7,"runs":[{"run":1},'
  sed 's/^{"wall_ns"/{"run":2,"ended":false,"wall_ns"/' report.json
  echo ']}'
} >live.json
ends 0 graph --report live.json --run 2 -- ./good
has out 'so far: '
has out '<B>bottleneck</B>'
refuses 1 'live.json has no run 3' graph --report live.json --run 3 -- ./good
refuses 1 'live.json is not a report' graph --report live.json -- ./good

# ---- measured ----
program measured <<'END'
[ -z "${WEIR_GRAPH:-}" ] || exit 9
printf '{"graph":%s,"report":%s}' "$(cat graph.json)" "$(cat report.json)" >"$WEIR_PROFILE"
END
WEIR_GRAPH=theirs ends 0 graph --measure -- ./measured
draws out
has out 'busy 93 %'
has out '>10/s<'
refuses 1 'true ended with exit code 0, and its first weir::run did not succeed' graph --measure -- true
refuses 1 'signal 9 (Killed)' graph --measure -- sh -c 'kill -9 $$'
refuses 1 "can't start ./missing: No such file" graph --measure -- ./missing
refuses 1 'not a graph of this version' graph --measure -- sh -c 'echo "{\"graph\":7,\"report\":{}}" >"$WEIR_PROFILE"'
refuses 2 'leave out --report' graph --measure --report report.json -- ./good
refuses 2 'leave out --run' graph --measure --run 2 -- ./good

# ---- output that can't be written ----
what="weir graph with a full standard output"
"$weir" graph -- ./good >/dev/full 2>err
[ $? = 1 ] || failed "$what: did not end with 1"
has err 'standard output: No space left'
what="weir graph with a closed pipe"
# The reader is gone once the program, which comes first, has run.
mkfifo pipe gone
{ exec 3<pipe; exec 3<&-; echo >gone; } &
"$weir" graph -- sh -c 'read -r _ <gone; exec ./good' >pipe 2>err
[ $? = 141 ] && ! grep -q '^weir' err || failed "$what: did not end in silence, by SIGPIPE"
wait
what="weir graph with a closed standard output"
"$weir" graph -- ./good >&- 2>err
[ $? = 1 ] || failed "$what: did not end with 1"
what="weir --help with a full standard output"
"$weir" --help >/dev/full 2>err
[ $? = 1 ] || failed "$what: did not end with 1"

# ---- signals: one sent to weir alone ends the program too, and leaves no file ----
what="weir graph, ended by a signal"
mkfifo ready
"$weir" graph -- sh -c 'echo $$ >ready; exec sleep 1000' >out 2>err &
weir_pid=$!
read -r program_pid <ready
kill -TERM $weir_pid
wait $weir_pid
[ $? = 143 ] || failed "$what: did not end by it"
! kill -0 "$program_pid" 2>/dev/null || failed "$what: left the program behind"
[ -z "$(ls tmp)" ] || failed "$what: left a temporary file"

# ---- pictures ----
mkdir no_graphviz
refused_svg() { PATH=$work/no_graphviz "$weir" graph --svg -- "$work/silent" >out 2>err; }
program silent <<END
exec /bin/cat "$work/graph.json" >"\$WEIR_GRAPH"
END
what="weir graph --svg without Graphviz"
refused_svg
[ $? = 1 ] || failed "$what: did not end with 1"
has err 'dot of Graphviz, which is not installed'
if [ $have_graphviz = 1 ]; then
  ends 0 graph --svg --report report.json -o picture.svg -- ./silent
  [ ! -s err ] || failed "$what: Graphviz complains"
  has picture.svg '</svg>'
  has picture.svg 'busy 93 %'
  has picture.svg '{b|c} &lt;d&gt;'
fi
program no_graphviz/dot <<'END'
exit 4
END
what="weir graph --svg with a dot that fails"
refused_svg
[ $? = 1 ] || failed "$what: did not end with 1"
has err 'dot failed with exit code 4'

# ---- usage ----
refuses 2 'no command is given' </dev/null
refuses 2 'nonsense' nonsense
refuses 2 'no program is given' graph
refuses 2 'no program is given' graph --
refuses 2 'after --; see weir graph --help' graph ./good
refuses 2 'after --; see weir graph --help' graph ''
refuses 2 '--nonsense' graph --nonsense -- ./good
refuses 2 '--run' graph --run 0 -- ./good
refuses 2 '--run' graph --run x -- ./good
refuses 2 '--report' graph --report
ends 0 --version
has out 'weir '
ends 0 --help
has out graph
ends 0 graph --help
has out 'weir graph [options] -- program [arguments]'
has out 'usual effects'

# ---- the examples, where they are built ----
if [ -d "$bin/examples" ]; then
  ends 0 graph -- "$bin/examples/01_pipeline"
  draws out
  for name in numbers square sum; do has out "\"/$name\""; done
  lacks out squares
  echo 'a b a' >text
  ends 0 graph -- "$bin/examples/03_word_count" text
  draws out
  for name in 'split[3]' 'count[0]' by_key 'std::string'; do has out "$name"; done
  refuses 1 'exit code 2 before its 1st weir::run' graph -- sh -c 'exec "$0" 2>/dev/null' "$bin/examples/03_word_count"
  ends 0 graph --run 3 -- "$bin/examples/04_policies"
  has out broadcast
  ends 1 graph --run 2 -- "$bin/examples/01_pipeline"
  has err 'before its 2nd weir::run'
fi
if [ -x "$bin/docs/snippets/bottleneck" ]; then
  "$bin/docs/snippets/bottleneck" real.json
  ends 0 graph --report real.json -- "$bin/docs/snippets/bottleneck"
  draws out
  has out 'busy '
fi
# No arrow, of a loop or other, leads over a node or a text.
drawn=()
for name in examples/05_master_worker docs/snippets/loops_{nested,right_to_left,sent_back}; do
  [ -x "$bin/$name" ] || continue
  ends 0 graph --measure -- "$bin/$name"
  draws out
  for direction in '' --down; do
    ends 0 graph $direction -o "${name##*/}$direction.dot" -- "$bin/$name"
    drawn+=("${name##*/}$direction.dot")
  done
done
if [ ${#drawn[@]} != 0 ] && [ $have_graphviz = 1 ] && command -v python3 >/dev/null; then
  what="weir graph of loops"
  python3 "$here/../support/crossings.py" "${drawn[@]}" >out 2>err || failed "$what: $(cat out)"
fi

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
