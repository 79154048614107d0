#!/bin/sh
# vdirsyncer in both directions: creations, changes and deletions arrive on the other side.
set -eu
folder=$1 base=$2 email=$3 password=$4
mkdir -p "$folder/here" "$folder/status"
cat >"$folder/config" <<CONFIG
[general]
status_path = "$folder/status/"

[pair both]
a = "here"
b = "there"
collections = ["main"]
conflict_resolution = "b wins"

[storage here]
type = "filesystem"
path = "$folder/here"
fileext = ".ics"

[storage there]
type = "caldav"
url = "$base/"
username = "$email"
password = "$password"
CONFIG

vd() { VDIRSYNCER_CONFIG="$folder/config" vdirsyncer "$@"; }
api() { curl -fsS -u "$email:$password" "$@"; }
events=$base/api-root/calendar/v1/events

yes | vd discover
for i in 1 2 3; do
  printf 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Files//EN\r\nBEGIN:VEVENT\r\nUID:file-%s@example.org\r\nDTSTAMP:20260701T000000Z\r\nDTSTART:2026071%sT180000Z\r\nDTEND:2026071%sT190000Z\r\nSUMMARY:From a file %s\r\nX-KEPT:yes\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n' \
    "$i" "$i" "$i" "$i" >"$folder/here/main/file-$i.ics"
done
vd sync
[ "$(api "$events" | grep -o '"From a file [0-9]"' | sort -u | wc -l)" = 3 ] || { echo 'files did not arrive'; exit 1; }

made=$(api -H 'content-type: application/json' -d '{"title":"By hand","start":"2026-07-20T18:00","end":"2026-07-20T19:00"}' "$events")
id=$(printf '%s' "$made" | sed 's/.*"id":"\([^"]*\)".*/\1/')
vd sync
grep -lq 'SUMMARY:By hand' "$folder"/here/main/*.ics || { echo 'an event did not arrive as a file'; exit 1; }

file=$(grep -l 'SUMMARY:By hand' "$folder"/here/main/*.ics)
sed -i 's/SUMMARY:By hand/SUMMARY:By file/' "$file"
vd sync
api "$events/$id" | grep -q '"By file"' || { echo 'a changed file did not arrive'; exit 1; }

rm "$folder/here/main/file-2.ics"
api -X DELETE "$events/$id"
vd sync
[ "$(ls "$folder/here/main" | wc -l)" = 2 ] || { echo 'a deletion did not arrive as one'; exit 1; }
[ "$(api "$events" | grep -o '"From a file [0-9]"' | sort -u | wc -l)" = 2 ] || { echo 'a deleted file is still an event'; exit 1; }
grep -q '^X-KEPT:yes' "$folder/here/main/file-1.ics" || { echo 'a line was lost'; exit 1; }
echo 'made, changed and deleted on both sides'
