#!/bin/sh
# Thunderbird without a window, with a profile of its own: initial sync, create, edit, one occurrence, a conflict.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
mkdir -p "$folder"
exec timeout -k 5 300 /usr/bin/python3 "$here/thunderbird.py" "$@"
