# shellcheck shell=bash
# Debian packages: installs what dpkg says is missing, and touches apt for nothing else.

# shellcheck disable=SC2034  # read by scripts/setup
base_packages=(
  g++ cmake ninja-build ccache git python3 python3-numpy pkg-config
  libboost-dev libfmt-dev libcli11-dev nlohmann-json3-dev libexpected-dev robin-map-dev libz3-dev
  libgtest-dev libbenchmark-dev
  clang clang-format libclang-rt-dev libomp-dev doxygen
  clang-16 libclang-rt-16-dev lld-16
)

# shellcheck disable=SC2034
peer_packages=(maude libopenblas0-pthread)

is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

as_root() {
  if ((EUID == 0)); then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif ! command -v sudo >/dev/null; then
    die "installing packages needs root or sudo"
  elif [[ -t 0 ]]; then
    sudo DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo -n DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

install_packages() {
  command -v dpkg-query >/dev/null || {
    warn "no dpkg here: install by your system's means: $*"
    return
  }
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "installing ${missing[*]}"
  as_root apt-get -qq update 9>&-
  as_root apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=600 install "${missing[@]}" 9>&-
}
