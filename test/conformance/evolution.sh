#!/bin/sh
# Evolution's calendar library in a D-Bus session of its own, without a keyring, which would ask for a password.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
shift
mkdir -p "$folder/home" "$folder/run" "$folder/services"
chmod 700 "$folder/run"
cp /usr/share/dbus-1/services/org.gnome.evolution.dataserver.* "$folder/services"
cat >"$folder/session.conf" <<CONFIG
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=$folder/run</listen>
  <servicedir>$folder/services</servicedir>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
CONFIG
export HOME="$folder/home" XDG_RUNTIME_DIR="$folder/run" GSETTINGS_BACKEND=memory
exec dbus-run-session --config-file="$folder/session.conf" -- timeout 180 /usr/bin/python3 "$here/evolution.py" "$@"
