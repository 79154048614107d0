#!/bin/sh
# litmus begins with MKCOL of its own collection, which is not supported: only its tests before that run.
set -eu
folder=$1 calendar=$2 email=$3 password=$4
mkdir -p "$folder"
cd "$folder"
TESTS='basic http props' litmus -k "$calendar" "$email" "$password" >said 2>&1 || true
cat said
passed=$(grep -c 'pass$' said || true)
refused=$(grep -c 'begin.*FAIL' said || true)
others=$(grep 'FAIL' said | grep -vc 'begin' || true)
[ "$others" = 0 ] || { echo "$others tests failed besides making a collection"; exit 1; }
echo "$passed passed; $refused of 3 suites end where they make a collection, which is not offered"
