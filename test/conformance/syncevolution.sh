#!/bin/sh
# SyncEvolution's CalDAV backend: single commands, then its two-way sync with a folder, with a conflict and a deletion.
set -eu
folder=$1 base=$2 email=$3 password=$4
mkdir -p "$folder"
export HOME="$folder"
events=$base/api-root/calendar/v1/events
api() { curl -fsS -u "$email:$password" -H 'content-type: application/json' "$@"; }
# The configuration is given with each command; `@none calendar` names it.
sync() {
  syncevolution --daemon=no loglevel=0 username="$email" password="$password" syncURL="$base/" \
    backend=caldav database="$base/caldav/calendars/main/" "$@" 2>>"$folder/errors.log"
}
event() {
  printf 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Sync//EN\r\nBEGIN:VEVENT\r\nUID:syncevolution@example.org\r\nDTSTAMP:20260701T000000Z\r\nDTSTART:20260803T180000Z\r\nDTEND:20260803T190000Z\r\nSUMMARY:%s\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n' "$1"
}
fail() {
  cat "$folder/errors.log"
  echo "$1"
  exit 1
}

event 'Made by a sync' >"$folder/made.ics"
sync --import "$folder/made.ics" >"$folder/out.log" || fail 'the import failed'
luid=$(sed -n 's/^#0: //p' "$folder/out.log")
[ -n "$luid" ] || fail 'the import gave no name'
event 'Edited by a sync' >"$folder/edited.ics"
sync --update "$folder/edited.ics" @none calendar "$luid" >/dev/null || fail 'the update failed'
stored=$(api "$events" | sed 's/.*\({[^{}]*"uid":"syncevolution@example.org"[^{}]*\).*/\1/')
id=$(printf '%s' "$stored" | sed 's/.*"id":"\([^"]*\)".*/\1/')
api "$events/$id" | grep -q '"Edited by a sync"' || fail 'the update did not arrive'
version=$(api "$events/$id" | sed 's/.*"version":\([0-9]*\).*/\1/')
api -X PATCH -d "{\"title\":\"Edited elsewhere\",\"version\":$version}" "$events/$id" >/dev/null
sync --export - @none calendar "$luid" | grep -q 'SUMMARY:Edited elsewhere' || fail 'a change made elsewhere was not read'
sync --update "$folder/edited.ics" @none calendar "$luid" >/dev/null || fail 'the update after a change elsewhere failed'
sync --delete-items @none calendar "$luid" >/dev/null || fail 'the deletion failed'
[ "$(api -o /dev/null -w '%{http_code}' "$events/$id" 2>/dev/null || true)" = 404 ] || fail 'the event is still there'

# Two-way sync with a folder of files.
twoway() { syncevolution --daemon=no --keyring=no loglevel=0 "$@" >>"$folder/errors.log" 2>&1; }
mkdir "$folder/files"
twoway --configure --template webdav username="$email" password="$password" syncURL="$base/" \
  calendar/backend=caldav calendar/database="$base/caldav/calendars/main/" target-config@daybook calendar ||
  fail 'the server could not be configured'
twoway --configure --template SyncEvolution_Client syncURL=local://@daybook username= password= \
  calendar/sync=two-way calendar/backend=file calendar/databaseFormat=text/calendar \
  calendar/database="file://$folder/files" daybook@local calendar || fail 'the folder could not be configured'
event 'Made in a file' | sed 's/UID:syncevolution/UID:twoway/' >"$folder/files/1"
twoway --sync slow daybook@local calendar || fail 'the first sync failed'
file=$(grep -l 'UID:twoway' "$folder/files/"*)
found() { api "$events?from=2026-08-03&to=2026-08-04"; }
found | grep -q '"Made in a file"' || fail 'the event of the file did not arrive'
id=$(found | sed 's/.*"id":"\([^"]*\)","title":"Made in a file".*/\1/')
api -X PATCH -d '{"title":"Changed elsewhere","version":1}' "$events/$id" >/dev/null
sed -i 's/^SUMMARY:.*/SUMMARY:Changed in the file\r/' "$file"
twoway --sync two-way daybook@local calendar || fail 'the sync with a conflict failed'
title=$(api "$events/$id" | sed 's/.*"title":"\([^"]*\)".*/\1/')
grep -q "^SUMMARY:$title" "$file" || fail "the server has $title, the file does not"
rm "$file"
twoway --sync two-way daybook@local calendar || fail 'the sync of a deletion failed'
[ "$(api -o /dev/null -w '%{http_code}' "$events/$id" 2>/dev/null || true)" = 404 ] || fail 'the event is still there'
echo "imported, updated, read a change made elsewhere, updated again, deleted; two-way: made, conflict ($title), deleted"
