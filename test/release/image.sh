#!/bin/sh
# Builds the container image with Podman, runs it on a read-only root file system, and stops it with SIGTERM.
# BUILD_IMAGE and BASE_IMAGE name other images than those of Containerfile; BUILD_OPTIONS and RUN_OPTIONS are for Podman.
set -eu

cd "$(dirname "$0")/../.."
image=localhost/daybook-test
volume=daybook-test-$$
container=
fail() {
  echo "image: $1" >&2
  [ -z "$container" ] || podman logs "$container" >&2 || true
  exit 1
}
trap 'status=$?
  [ -z "$container" ] || podman rm -f "$container" >/dev/null 2>&1 || true
  podman volume rm -f "$volume" >/dev/null 2>&1 || true
  exit $status' EXIT

echo '── build'
commit=$(git rev-parse HEAD)
# shellcheck disable=SC2086 # several options
podman build --format docker --layers=false -t "$image" -f Containerfile \
  ${BUILD_IMAGE:+--build-arg "BUILD_IMAGE=$BUILD_IMAGE"} ${BASE_IMAGE:+--build-arg "BASE_IMAGE=$BASE_IMAGE"} \
  --build-arg "COMMIT=$commit" --build-arg "SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)" ${BUILD_OPTIONS:-} .
podman image inspect --format '{{.Size}} bytes' "$image"

# Not -it and no --init: the service is process 1.
start() {
  container=$(podman run -d --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
    -v "$volume:/data" --network none ${RUN_OPTIONS:-} "$image")
  tries=0
  until podman logs "$container" 2>&1 | grep -q 'Stop with'; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail 'the service is not ready after a minute'
    sleep 0.2
  done
}
run() { podman exec "$container" "$@"; }

stop() {
  podman stop -t 30 "$container" >/dev/null
  code=$(podman inspect --format '{{.State.ExitCode}}' "$container")
  [ "$code" = 0 ] || fail "SIGTERM ended the service with $code"
  podman rm "$container" >/dev/null
  container=
}

echo '── first start: not root, read-only, one process'
start
[ "$(run sh -c 'ls /proc | grep -c "^[0-9]"')" -le 4 ] || fail 'more than one process'
[ "$(run id -u)" = 10001 ] || fail 'it does not run as its own user'
run sh -c 'touch /opt/x 2>/dev/null' && fail 'the root file system is writable'
run grep -q "$commit" /opt/daybook/lib/node_modules/daybook/build.json || fail 'build.json has another commit'
run node -e 'fetch("http://localhost:8080/readyz").then(({ status }) => process.exit(status === 200 ? 0 : 1))' ||
  fail 'it is not ready'
if run daybook help | grep -q '^  daybook health '; then
  run daybook health || fail 'daybook health'
fi
run sh -c 'echo seven quiet herons 12 | daybook admin create --email you@example.org --password-stdin'
stop

echo '── second start, with the same volume'
start
podman logs "$container" 2>&1 | grep -q 'There is no administrator yet' && fail 'the data is gone'
stop
echo '── the image builds, runs and stops'
