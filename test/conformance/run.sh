#!/bin/sh
# Runs other CalDAV clients against a server started here: one line each. Missing programs are reported and skipped.
# cdav-library is run if CDAV_LIBRARY names the file dist/dist.js of the npm package @nextcloud/cdav-library.
# On Debian: apt-get install litmus vdirsyncer python3-caldav cadaver khal syncevolution thunderbird \
#   evolution-data-server gir1.2-ecal-2.0 python3-gi dbus
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
port=${PORT:-8399}
email=conformance@example.org
password=an-ordinary-long-password
base=http://127.0.0.1:$port
calendar=$base/caldav/calendars/main/
failed=0

export DAYBOOK_DATA_DIR="$work/data" DAYBOOK_PORT="$port" DAYBOOK_PUBLIC_URL="$base" DAYBOOK_RATE_LIMITS=off
export DAYBOOK_LOG_LEVEL=error PYTHONDONTWRITEBYTECODE=1
node "$root/bin/daybook.mjs" start >"$work/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$work"' EXIT INT TERM

waited=0
until curl -fs "$base/healthz" >/dev/null 2>&1; do
  waited=$((waited + 1))
  [ "$waited" -gt 120 ] && echo "the server did not start" && cat "$work/server.log" && exit 1
  sleep 0.5
done
printf '%s\n' "$password" | node "$root/bin/daybook.mjs" admin create --email "$email" --password-stdin >/dev/null

# Runs one program: its name, the check whether it is installed, and its command. Its last line is shown.
check() {
  name=$1
  program=$2
  shift 2
  if ! sh -c "$program" >/dev/null 2>&1; then
    printf '%-16s not installed\n' "$name"
    return
  fi
  if "$@" >"$work/$name.log" 2>&1; then
    printf '%-16s ok      %s\n' "$name" "$(tail -n 1 "$work/$name.log")"
  else
    failed=1
    printf '%-16s FAILED  %s\n' "$name" "$(tail -n 1 "$work/$name.log")"
    sed 's/^/    /' "$work/$name.log" | tail -n 40
  fi
}

with_vdirsyncer() { sh "$here/vdirsyncer.sh" "$work/vdirsyncer" "$base" "$email" "$password"; }
with_python() { /usr/bin/python3 "$here/python-caldav.py" "$base" "$email" "$password"; }
with_cadaver() { sh "$here/cadaver.sh" "$work/cadaver" "$calendar" "$email" "$password"; }
with_evolution() { sh "$here/evolution.sh" "$work/evolution" "$base" "$email" "$password"; }
with_syncevolution() { sh "$here/syncevolution.sh" "$work/syncevolution" "$base" "$email" "$password"; }
with_khal() { sh "$here/khal.sh" "$work/khal" "$base" "$email" "$password"; }
with_cdav() { npm --prefix "$root" exec -- node "$here/cdav-library.ts" "$CDAV_LIBRARY" "$base" "$email" "$password"; }
with_thunderbird() { sh "$here/thunderbird.sh" "$work/thunderbird" "$base" "$email" "$password"; }
with_litmus() { sh "$here/litmus.sh" "$work/litmus" "$calendar" "$email" "$password"; }

check vdirsyncer 'command -v vdirsyncer' with_vdirsyncer
check python3-caldav '/usr/bin/python3 -c "import caldav"' with_python
check evolution '/usr/bin/python3 -c "import gi; gi.require_version(\"ECal\", \"2.0\")" && command -v dbus-run-session' with_evolution
check syncevolution 'command -v syncevolution' with_syncevolution
check khal 'command -v khal && command -v vdirsyncer' with_khal
check thunderbird 'command -v thunderbird' with_thunderbird
check cdav-library '[ -f "${CDAV_LIBRARY:-}" ]' with_cdav
check cadaver 'command -v cadaver' with_cadaver
check litmus 'command -v litmus' with_litmus
exit "$failed"
