#!/bin/sh
# `npm run test:release`: installs the archive into an empty prefix, writes an event, backs up, restores, reads it again.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
service=
stop() {
  if [ -n "$service" ]; then
    kill -TERM "$service" 2>/dev/null || true
    wait "$service" || fail "the service ended with $?"
    service=
  fi
}
fail() {
  echo "walk: $1" >&2
  [ ! -f "$place/log" ] || cat "$place/log" >&2
  exit 1
}
trap 'status=$?; [ -z "$service" ] || kill -KILL "$service" 2>/dev/null || true; rm -rf "$place"; exit $status' EXIT
trap 'exit 130' INT TERM

echo '── build'
cd "$root"
npm run --silent release -- "$place/release" >/dev/null
cd "$place/release"
sha256sum -c SHA256SUMS
ls -l ./*.tgz

echo '── install into an empty prefix, with an empty home and cache'
# Settings of npm on this machine, such as a registry of its own, still apply.
user_config=$(npm config get userconfig 2>/dev/null)
mkdir "$place/home" "$place/prefix" "$place/first" "$place/second"
(
  export HOME="$place/home" npm_config_userconfig="$user_config" npm_config_cache="$place/cache"
  unset npm_config_local_prefix npm_config_prefix
  npm install -g --prefix "$place/prefix" --no-audit --no-fund --loglevel=error ./*.tgz
)
installed="$place/prefix/lib/node_modules/daybook"
[ ! -d "$installed/src" ] || fail 'the sources are installed'
[ "$(ls "$installed/node_modules" | wc -l)" = 1 ] || fail "packages besides Node: $(ls "$installed/node_modules")"

# An environment without the checkout, its Node and npm's variables.
path="$place/prefix/bin:$(dirname "$(command -v node)"):/usr/bin:/bin"
become_daybook() {
  cd "$1"
  shift
  exec env -i PATH="$path" HOME="$place/home" DAYBOOK_HOST=127.0.0.1 DAYBOOK_PORT=0 daybook "$@"
}
daybook() { (become_daybook "$@"); }

# Sets `base` to the address of the API of the service in the folder.
start() {
  : >"$place/log"
  began=$(date +%s%N)
  become_daybook "$1" start >"$place/log" 2>&1 &
  service=$!
  tries=0
  until grep -q 'Stop with' "$place/log"; do
    kill -0 "$service" 2>/dev/null || fail 'the service did not start'
    tries=$((tries + 1))
    [ $tries -lt 6000 ] || fail 'the service is not ready after a minute'
    sleep 0.01
  done
  echo "ready after $((($(date +%s%N) - began) / 1000000)) ms"
  base=$(sed -n 's/^  API  *\(http.*\)$/\1/p' "$place/log")
}

api() { # METHOD PATH [BODY]
  curl -sS --fail-with-body -X "$1" -u 'you@example.org:seven quiet herons 12' -H 'content-type: application/json' \
    ${3:+-d "$3"} "$base$2" || fail "$1 $2 was refused"
}

echo '── first start'
start "$place/first"
stop
echo '── second start'
sleep 1
start "$place/first"

echo '── an administrator and an event'
printf 'seven quiet herons 12\n' | daybook "$place/first" admin create --email you@example.org --password-stdin
api POST /events '{"title":"Walk in the park","start":"2030-05-01T10:00:00","end":"2030-05-01T11:00:00","visibility":"public"}' >"$place/event"
curl -sS --fail -o /dev/null -H 'accept-encoding: br' "${base%/api-root*}/" || fail 'no page'

echo '── back up, restore elsewhere, start there'
daybook "$place/first" backup "$place/calendar.backup"
stop
daybook "$place/second" restore "$place/calendar.backup"
start "$place/second"
id=$(sed -n 's/.*"id": *"\([^"]*\)".*/\1/p' "$place/event" | head -n 1)
api GET "/events/$id" | grep -q 'Walk in the park' || fail 'the event is missing'
stop
echo '── the archive installs, starts, backs up and restores'
