# shellcheck shell=bash
# Messages, shared by the scripts.

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
warn() { say "$@" >&2; }
die() { warn "$@"; exit 1; }

# quietly LOG COMMAND...: runs it with its output in LOG, and shows the end of LOG when it fails.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 && return
  local status=$?
  tail -n 40 "$log" >&2
  return "$status"
}
