#!/bin/sh
# cadaver, a plain WebDAV client: lists, puts, gets, moves and deletes.
set -eu
folder=$1 calendar=$2 email=$3 password=$4
mkdir -p "$folder"
cd "$folder"
host=$(printf '%s' "$calendar" | sed 's#^[a-z]*://##; s#[:/].*##')
printf 'machine %s login %s password %s\n' "$host" "$email" "$password" >"$folder/.netrc"
chmod 600 "$folder/.netrc"
printf 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Files//EN\r\nBEGIN:VEVENT\r\nUID:cadaver@example.org\r\nDTSTAMP:20260701T000000Z\r\nDTSTART:20260712T180000Z\r\nDTEND:20260712T190000Z\r\nSUMMARY:Cadaver\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n' >cadaver.ics
printf 'ls\nput cadaver.ics\nls\nget cadaver.ics back.ics\nmove cadaver.ics moved.ics\nget moved.ics moved.ics\ndelete moved.ics\nget moved.ics gone.ics\nquit\n' |
  HOME="$folder" cadaver "$calendar" >said 2>&1
cat said
cmp cadaver.ics back.ics || { echo 'it did not come back as it was'; exit 1; }
cmp cadaver.ics moved.ics || { echo 'it was not moved'; exit 1; }
[ ! -s gone.ics ] || { echo 'it was not deleted'; exit 1; }
echo 'listed, put, got back byte for byte, moved and deleted'
