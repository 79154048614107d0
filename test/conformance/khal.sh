#!/bin/sh
# khal on files that vdirsyncer keeps in step: a new event, an edit, a change made elsewhere, a conflict, a deletion.
set -eu
folder=$1 base=$2 email=$3 password=$4
mkdir -p "$folder/here" "$folder/status" "$folder/home"
export HOME="$folder/home" LC_ALL=C.UTF-8
events=$base/api-root/calendar/v1/events
cat >"$folder/vdirsyncer.conf" <<CONFIG
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
cat >"$folder/khal.conf" <<CONFIG
[calendars]
[[main]]
path = $folder/here/main
[sqlite]
path = $folder/khal.db
[locale]
local_timezone = Europe/London
default_timezone = Europe/London
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[default]
default_calendar = main
CONFIG

vd() { VDIRSYNCER_CONFIG="$folder/vdirsyncer.conf" vdirsyncer "$@"; }
khal_() { khal -c "$folder/khal.conf" "$@"; }
api() { curl -fsS -u "$email:$password" -H 'content-type: application/json' "$@"; }
change() {
  version=$(api "$events/$id" | sed 's/.*"version":\([0-9]*\).*/\1/')
  api -X PATCH -d "{\"title\":\"$1\",\"version\":$version}" "$events/$id" >/dev/null
}
shown() { khal_ list 2026-08-05 1d; }

yes | vd discover
khal_ new 2026-08-05 18:00 19:00 'Made in khal'
vd sync
id=$(api "$events?from=2026-08-05&to=2026-08-05" | sed 's/.*"id":"\([^"]*\)".*/\1/')
api "$events/$id" | grep -q '"Made in khal"' || { echo 'a new event did not arrive'; exit 1; }
file=$(grep -l 'SUMMARY:Made in khal' "$folder"/here/main/*.ics)
sed 's/SUMMARY:Made in khal/SUMMARY:Edited in khal/' "$file" >"$folder/edited.ics"
khal_ import --batch -a main "$folder/edited.ics"
vd sync
api "$events/$id" | grep -q '"Edited in khal"' || { echo 'an edit did not arrive'; exit 1; }
change 'Edited elsewhere'
vd sync
shown | grep -q 'Edited elsewhere' || { echo 'a change made elsewhere is not shown'; exit 1; }
sed 's/SUMMARY:Edited elsewhere/SUMMARY:Edited unseen/' "$file" >"$folder/edited.ics"
khal_ import --batch -a main "$folder/edited.ics"
change 'Edited elsewhere again'
vd sync
shown | grep -q 'Edited elsewhere again' || { echo 'the conflict did not end as configured'; exit 1; }
api "$events/$id" | grep -q '"Edited elsewhere again"' || { echo 'an unseen change was overwritten'; exit 1; }
rm "$folder"/here/main/*.ics
vd sync --force-delete
[ "$(api -o /dev/null -w '%{http_code}' "$events/$id" 2>/dev/null || true)" = 404 ] || { echo 'the event is still there'; exit 1; }
echo 'made, edited, shown after a change elsewhere, met a conflict, deleted'
