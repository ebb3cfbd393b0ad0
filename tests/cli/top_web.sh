#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   top_web.sh BIN_DIR
#
# `weir top --web` as HTTP clients of any kind meet it. What a browser makes of it: top_browser.sh.
. "$(dirname -- "$0")/../support/weir_command.sh"
export LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=$work TMPDIR=$work
unset WEIR_TOP NO_COLOR
trap 'kill -KILL $(jobs -p) 2>/dev/null; cd /; rm -rf "$work"' EXIT

"$weir" top --help >help
grep -qF -- '--web' help || failed 'weir top --help lacks --web'

# ---- usage ----
refuses 2 '--web and --json exclude each other; choose one' top --web --json
refuses 2 '--web and --once exclude each other' top --once --web=0
refuses 2 '--web and --openmetrics exclude each other' top --openmetrics --web
refuses 2 '--web and --stacks exclude each other' top --stacks --web
for wrong in x 70000 -1 example.org:80 127.0.0.1: :80 '[127.0.0.1]:80' ::1:80 '[::1]' 1.2.3:4; do
  refuses 2 "--web: '$wrong' is no address; say --web=PORT or --web=ADDRESS:PORT" top "--web=$wrong"
done
if "$weir" top --web -- true 2>&1 | grep -qF 'is not part of this build'; then
  [ $failures = 0 ] || exit 1
  echo 'this build has no --web' && exit 77
fi
refuses 1 'no program can be watched' top --web
refuses 1 'there is no process 999999999' top --web 999999999

# ---- a program that goes on until its input, the pipe `input`, ends ----
mkfifo input
WEIR_TOP=1 "$bin/wordcount" -q -k 1 - <input >words 2>words_err &
program=$!
exec 9>input
seq 100000 >&9
while [ ! -S weir/$program.sock ]; do kill -0 $program || break; done

# page OPTION...: starts weir top with its page, sets `top` and `url`
page() {
  what="weir top $*"
  : >page_err
  # A shell starts background processes with SIGINT ignored; env restores its default.
  env --default-signal=INT "$weir" top --interval 0.1 "$@" >page_out 2>page_err 9>&- &
  top=$!
  until grep -q 'the page is http' page_err; do kill -0 $top 2>/dev/null || { failed "$what: $(cat page_err)"; return 1; }; done
  url=$(sed -n 's/^weir top: the page is //p' page_err)
}

page --web $program
[ "$(wc -l <page_err)" = 1 ] && [ ! -s page_out ] || failed "$what: prints more than its address: $(cat page_err page_out)"
[[ $url =~ ^http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]{32}$ ]] || failed "$what: its address is $url"
port=${url#*1:} port=${port%%/*}
refuses 1 "--web: port $port is in use; choose another, or none for any free one" top --web=$port $program
/usr/bin/python3 "$here/top_web.py" "$url" || failed "$what: see above"
# Ctrl-C ends it, and leaves the program alone.
kill -INT $top
{ wait $top; } 2>/dev/null
[ $? = 130 ] || failed "$what: Ctrl-C ends it with $?"
kill -0 $program || failed "$what: Ctrl-C ended the program"

# ---- other addresses ----
page --web=localhost:0 $program
[[ $url == http://127.0.0.1:* ]] || failed "$what: its address is $url"
kill -INT $top
wait $top
page --web=0.0.0.0:0 $program
has page_err 'warning: the page is not encrypted'
[ "$(wc -l <page_err)" = 2 ] || failed "$what: says more or less than two lines"
[[ $url == "http://$(hostname):"* ]] || failed "$what: its address is $url"
code=$(/usr/bin/python3 - "$url" <<'P'
import http.client, sys, urllib.parse
url = urllib.parse.urlsplit(sys.argv[1])
at = http.client.HTTPConnection("127.0.0.1", url.port)
at.request("GET", f"/?{url.query}", headers={"Host": url.netloc})
print(at.getresponse().status)
P
)
[ "$code" = 200 ] || failed "$what: by its own name it answers $code"
kill -INT $top
wait $top
if [ -e /proc/net/if_inet6 ] && grep -q ' lo$' /proc/net/if_inet6; then
  page '--web=[::1]:0' $program
  [[ $url == 'http://[::1]:'* ]] || failed "$what: its address is $url"
  kill -INT $top
  wait $top
fi

# ---- the end of the program is the end of the page, after whoever looks at it has seen it ----
page --web $program
/usr/bin/python3 "$here/top_web.py" "$url" --until-the-end >seen 9>&- &
seer=$!
until grep -q looking seen; do kill -0 $seer || break; done
exec 9>&-
wait $program || failed "wordcount, being watched, ended with $?: $(cat words_err)"
[ "$(sed 's/^ *//' words)" = '1 1' ] || failed "being watched changes the result: $(cat words)"
wait $seer || failed "$what: the end of the program is not seen: $(cat seen)"
wait $top || failed "$what: ended with $? after the end of the program"

# ---- a program that it starts has the terminal's streams, and its exit code ----
echo 'b a b' | "$weir" top --web -- "$bin/wordcount" -q - >out 2>err || failed "weir top --web -- wordcount ended with $?"
has out '2 b'
[ "$(grep -c 'the page is http' err)" = 1 ] || failed 'weir top --web -- wordcount does not print its address'
"$weir" top --web -- sh -c 'exit 7' 2>err
[ $? = 7 ] || failed 'weir top --web -- sh: the exit code is not that of the program'
# A signal goes on to the program, and both end by it.
page --web -- sleep 1000
child=$(cat /proc/$top/task/$top/children)
kill -TERM $top
{ wait $top; } 2>/dev/null
[ $? = 143 ] || failed "$what: SIGTERM ends it with $?"
! kill -0 $child 2>/dev/null || failed "$what: the program goes on after SIGTERM"
what='weir top --web -- nothing'
"$weir" top --web -- ./nothing >out 2>err
[ $? = 1 ] || failed "$what: ended with another code than 1"
[ "$(wc -l <err)" = 1 ] || failed "$what: says more or less than one line"
[ -z "$(ls weir)" ] || failed "left behind: $(ls weir)"

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
