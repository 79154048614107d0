#!/bin/sh
# `npm run test:release`: installs the archive into an empty prefix, sets up and fills a calendar, backs it up, restores
# it into SQLite and PostgreSQL, upgrades an older database, and tries files that cannot be restored.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
service=
postgres=
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
trap 'status=$?; [ -z "$service" ] || kill -KILL "$service" 2>/dev/null || true
  [ -z "$postgres" ] || { kill -TERM "$postgres" 2>/dev/null && wait "$postgres"; } || true
  rm -rf "$place"; exit $status' EXIT
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
mkdir "$place/home" "$place/prefix" "$place/first" "$place/second" "$place/third" "$place/old" "$place/old/data"
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
  exec env -i PATH="$path" HOME="$place/home" DAYBOOK_HOST=127.0.0.1 DAYBOOK_PORT=0 \
    ${DAYBOOK_DATABASE_URL:+"DAYBOOK_DATABASE_URL=$DAYBOOK_DATABASE_URL"} daybook "$@"
}
daybook() { (become_daybook "$@"); }

# The database that the service started by `start` uses; empty for SQLite in its folder.
database=

# Sets `base` to the address of the API of the service in the folder.
start() { # FOLDER [REMARK]
  : >"$place/log"
  began=$(date +%s%N)
  DAYBOOK_DATABASE_URL=$database become_daybook "$1" start >"$place/log" 2>&1 &
  service=$!
  tries=0
  until grep -q 'Stop with' "$place/log"; do
    kill -0 "$service" 2>/dev/null || fail 'the service did not start'
    tries=$((tries + 1))
    [ $tries -lt 6000 ] || fail 'the service is not ready after a minute'
    sleep 0.01
  done
  echo "ready after $((($(date +%s%N) - began) / 1000000)) ms${2:+ ($2)}"
  base=$(sed -n 's/^  API  *\(http.*\)$/\1/p' "$place/log")
}

api() { # METHOD PATH [BODY]
  curl -sS --fail-with-body -X "$1" -u "${person:-you@example.org:seven quiet herons 12}" -H 'content-type: application/json' \
    ${3:+-d "$3"} "$base$2" || fail "$1 $2 was refused"
}

echo '── first start'
start "$place/first"
stop
echo '── second start'
sleep 1
aim=$(sed -n 's/^const MOST_BUNDLE_START_MS = //p' "$root/bench/aims.ts")
start "$place/first" "the aim on a quiet machine is $aim ms"

echo '── set up in the browser, an event, the demo'
code=$(sed -n 's/.*#code=\([^ ]*\).*/\1/p' "$place/log")
curl -sS --fail-with-body -o "$place/set-up" -H 'content-type: application/json' "$base/setup" \
  -d "{\"code\":\"$code\",\"email\":\"you@example.org\",\"password\":\"seven quiet herons 12\"}" || fail 'set-up was refused'
api POST /events '{"title":"Walk in the park","start":"2030-05-01T10:00:00","end":"2030-05-01T11:00:00","visibility":"public"}' >"$place/event"
id=$(sed -n 's/.*"id": *"\([^"]*\)".*/\1/p' "$place/event" | head -n 1)
curl -sS --fail -o /dev/null -H 'accept-encoding: br' "${base%/api-root*}/" || fail 'no page'
daybook "$place/first" demo --force | head -n 1

questions() { # what has to be the same after a restore
  api GET "/events/$id" | sed 's/"\(version\|etag\)":[^,}]*//g'
  api GET '/events?view=month' | sed 's/"\(version\|etag\)":[^,}]*//g; s/"meta".*//'
  curl -sS --fail "$base/public/calendar.ics" | grep -v '^\(SEQUENCE\|DTSTAMP\)'
}

echo '── back up, restore into SQLite, start there'
questions >"$place/before"
grep -q 'Walk in the park' "$place/before" || fail 'the event is missing'
daybook "$place/first" backup "$place/calendar.backup"
stop
daybook "$place/second" restore "$place/calendar.backup"
start "$place/second"
questions | cmp "$place/before" - || fail 'the restored calendar answers differently'
stop

echo '── restore into PostgreSQL, start there, back up, restore into SQLite'
"$root/node_modules/.bin/node" "$root/test/release/start-postgres.ts" >"$place/postgres" &
postgres=$!
until [ -s "$place/postgres" ]; do
  kill -0 "$postgres" 2>/dev/null || fail 'PostgreSQL did not start'
  sleep 0.2
done
database=$(cat "$place/postgres")
daybook "$place/third" restore "$place/calendar.backup" --into "$database"
start "$place/third"
questions | cmp "$place/before" - || fail 'the calendar answers differently in PostgreSQL'
DAYBOOK_DATABASE_URL=$database daybook "$place/third" backup "$place/back.backup"
stop
refused() { # REASON COMMAND…
  reason=$1
  shift
  if daybook "$@" >/dev/null 2>"$place/refusal"; then fail "not refused: $*"; fi
  grep -q "$reason" "$place/refusal" || fail "another reason: $(cat "$place/refusal")"
}
refused 'is not empty' "$place/third" restore "$place/calendar.backup" --into "$database"
database=
rm -r "$place/second/data"
daybook "$place/second" restore "$place/back.backup" --keep-credentials
start "$place/second"
questions | cmp "$place/before" - || fail 'the calendar answers differently after it came back'
daybook "$place/second" doctor --full >"$place/doctor" || [ $? = 3 ] || fail "$(cat "$place/doctor")"
stop

! grep -q "npx\|npm start" "$place/doctor" || fail "advice of a clone: $(cat "$place/doctor")"
echo '── files that cannot be restored or written'
refused 'is not empty' "$place/second" restore "$place/calendar.backup"
refused 'is not a backup of Daybook' "$place/old" restore "$place/event"
head -c 200000 "$place/calendar.backup" >"$place/half"
refused 'is damaged' "$place/old" restore "$place/half"
refused 'cannot be written: .*(ENOTDIR)' "$place/second" backup "$place/event/x.backup"
refused 'cannot be written: .*(ENOENT)' "$place/second" backup "$place/nowhere/x.backup"
[ -z "$(ls "$place/old/data")" ] || fail 'a refused restore has left files'

echo '── upgrade a database of an older version'
"$root/node_modules/.bin/node" -e 'process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(process.argv[1])))' \
  "$root/test/storage/upgrades/fixtures/schema-005.db.br" >"$place/old/data/daybook.db"
start "$place/old"
person='writer@example.org:correct horse battery' api GET '/events?expand=false&q=kathmandu' | grep -q '"title":"Kathmandu"' ||
  fail 'the event of the older version is missing'
stop
[ -f "$place/old/data/daybook-at-005-occurrence-transparency.backup" ] || fail 'no backup before the migration'
mkdir "$place/again"
daybook "$place/again" restore "$place/old/data/daybook-at-005-occurrence-transparency.backup" >/dev/null
echo '── the archive installs, starts, backs up, restores and upgrades'
