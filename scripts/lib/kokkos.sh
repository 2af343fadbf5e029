# shellcheck shell=bash
# Kokkos for emitted programs: found, built from source into the cache, or Debian's library.
# The outcome is $cache/kokkos/current (one line: the prefix) and current.json (how it came about).
# Uses from scripts/setup: root, cache, work, cuda, cuda_arch, fresh, compiling (how CMake is told to compile Kokkos and
# what tries it out) and running (what starts the latter).
# shellcheck disable=SC2154  # those are assigned there

# What the user's environment says about Kokkos; a change of it makes setup look again.
kokkos_environment() {
  printf '%s|%s|%s' "${Kokkos_ROOT:-}" "${Kokkos_DIR:-}" "${CMAKE_PREFIX_PATH:-}"
}

# probe_kokkos NAME [CMAKE-ARGUMENT...]: sets kokkos_dir, kokkos_version and kokkos_devices.
probe_kokkos() {
  local build=$work/probe-$1
  shift
  cmake -S "$root/cmake/kokkos-probe" -B "$build" -G Ninja "${compiling[@]}" "$@" \
    >"$build.log" 2>&1 || return 1
  { read -r kokkos_dir && read -r kokkos_version && read -r kokkos_devices; } <"$build/kokkos.txt"
}

# check_kokkos DIR STANDARD...: a parallel_reduce compiles under each C++ standard, and gives the right sum.
check_kokkos() {
  local dir=$1 standard build arguments=()
  shift
  has_device OPENMP && arguments=(openmp)
  for standard in "$@"; do
    build=$work/check-$standard
    quietly "$build.log" cmake -S "$root/cmake/kokkos-probe" -B "$build" -G Ninja \
      "${compiling[@]}" "-DKokkos_DIR=$dir" "-DCMAKE_CXX_STANDARD=$standard" || return 1
    quietly "$build.log" cmake --build "$build" || return 1
    # Kokkos with CUDA does not start where no GPU is.
    if has_device CUDA && ! nvidia-smi >/dev/null 2>&1; then
      say "Kokkos $kokkos_version: C++$standard compiles; not run, no GPU here"
      continue
    fi
    quietly "$build.run.log" env OMP_PROC_BIND=spread OMP_PLACES=threads \
      "${running[@]}" "$build/reduce" "${arguments[@]}" || return 1
    say "Kokkos $kokkos_version: C++$standard: $(tail -n 1 "$build.run.log")"
  done
}

has_device() { [[ ";$kokkos_devices;" == *";$1;"* ]]; }

# The C++ standards that programs over Kokkos $1 can be compiled as.
standards_of() { if ((${1%%.*} >= 5)); then echo 20; else echo 17 20; fi; }

# record_kokkos SOURCE WHY: writes down what was found by the last probe_kokkos.
record_kokkos() {
  local prefix=${kokkos_dir%/cmake/Kokkos} least
  prefix=$(sed -E 's,/(lib|lib64|share)(/[^/]*-linux-[^/]*)?$,,' <<<"$prefix")
  least=$(standards_of "$kokkos_version")
  python3 - "$cache/kokkos" "$prefix" "$kokkos_dir" "$kokkos_version" "$kokkos_devices" \
    "${least%% *}" "$1" "$2" "$(kokkos_environment)" <<'PYTHON'
import json, os, sys
folder, prefix, cmake_dir, version, devices, standard, source, why, environment = sys.argv[1:]
record = {
    "prefix": prefix,
    "cmake_dir": cmake_dir,
    "version": version,
    "devices": [d for d in devices.split(";") if d],
    "cxx_standard": int(standard),
    "source": source,
    "why": why,
    "environment": environment,
}
for name, text in (("current.json", json.dumps(record, indent=2) + "\n"), ("current", prefix + "\n")):
    aside = os.path.join(folder, "." + name + ".new")
    with open(aside, "w") as file:
        file.write(text)
    os.replace(aside, os.path.join(folder, name))
PYTHON
  say "Kokkos $kokkos_version ($kokkos_devices) at $prefix: $2"
}

# Succeeds, and says so, when an earlier run's choice still stands.
earlier_kokkos_stands() {
  [[ -f $cache/kokkos/current && -f $cache/kokkos/current.json ]] || return 1
  python3 - "$cache/kokkos/current.json" "$(kokkos_environment)" <<'PYTHON'
import json, os, sys
try:
    record = json.load(open(sys.argv[1]))
    usable = os.path.isfile(os.path.join(record["cmake_dir"], "KokkosConfig.cmake"))
    # A tree given by hand is a choice; the others are findings, good for the environment they were made in.
    if not usable or (record["source"] != "given" and record["environment"] != sys.argv[2]):
        sys.exit(1)
    print("setup: Kokkos {} ({}) at {}: {}".format(
        record["version"], ";".join(record["devices"]), record["prefix"], record["why"]))
except (OSError, ValueError, KeyError, TypeError):
    sys.exit(1)
PYTHON
}

settle_kokkos() {
  if ! $fresh && earlier_kokkos_stands; then return; fi
  use_installed_kokkos || use_debian_source || use_debian_library ||
    die "no Kokkos could be had; give a source tree: scripts/setup --kokkos-source DIR"
}

use_installed_kokkos() {
  local standards
  probe_kokkos installed || { say "no Kokkos is installed"; return 1; }
  if ! has_device OPENMP; then
    say "the Kokkos at $kokkos_dir has no OpenMP ($kokkos_devices)"
    return 1
  fi
  read -ra standards <<<"$(standards_of "$kokkos_version")"
  check_kokkos "$kokkos_dir" "${standards[@]}" || {
    say "the Kokkos at $kokkos_dir does not build a program"
    return 1
  }
  record_kokkos installed "the installation found has OpenMP"
}

use_debian_source() {
  local tree source=$work/trilinos/kokkos
  tree=$(built_from_debian)
  if [[ -z $tree ]]; then
    fetch_debian_kokkos "$source" || { say "Debian's source package trilinos cannot be had"; return 1; }
    tree=$cache/kokkos/$(version_of "$source")-serial-openmp
    build_kokkos "$source" "$tree" || { say "Debian's Kokkos does not build"; return 1; }
  fi
  probe_kokkos built "-DKokkos_DIR=$(cmake_dir_of "$tree")" &&
    record_kokkos debian-source "built from Debian's source package trilinos"
}

use_debian_library() {
  install_packages libtrilinos-kokkos-dev || return 1
  probe_kokkos library || { tail -n 20 "$work/probe-library.log" >&2; return 1; }
  check_kokkos "$kokkos_dir" 17 20 || return 1
  record_kokkos debian-library "neither an installation nor a source with OpenMP was to be had; one thread only"
}

use_given_kokkos() {
  local source=$1 tree digest
  digest=$(cd "$source" && find CMakeLists.txt cmake core containers algorithms simd -type f -print0 2>/dev/null |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
  tree=$cache/kokkos/$(version_of "$source")-$(options_name)-${digest:0:8}
  if [[ ! -e $tree ]]; then
    build_kokkos "$source" "$tree" || die "Kokkos at '$source' does not build"
  fi
  probe_kokkos given "-DKokkos_DIR=$(cmake_dir_of "$tree")" || die "the Kokkos built from '$source' is not usable"
  record_kokkos given "built from the source tree given"
}

options_name() {
  if $cuda; then echo "serial-openmp-cuda-${cuda_arch,,}"; else echo serial-openmp; fi
}

version_of() {
  sed -nE 's/^ *set\(Kokkos_VERSION_(MAJOR|MINOR|PATCH) +"?([0-9]+)"?\).*/\2/Ip' "$1/CMakeLists.txt" | paste -sd.
}

# What an earlier run has built; trees built from a source given carry a digest after their options.
built_from_debian() {
  local built
  for built in "$cache"/kokkos/*-serial-openmp; do
    if cmake_dir_of "$built" >/dev/null; then echo "$built"; return; fi
  done
}

cmake_dir_of() {
  local config
  for config in "$1"/lib*/cmake/Kokkos "$1"/lib/*/cmake/Kokkos; do
    if [[ -d $config ]]; then echo "$config"; return; fi
  done
  return 1
}

# fetch_debian_kokkos DESTINATION: Kokkos' folder of the source package trilinos. The machine's own apt
# configuration is read, with source entries in place of binary ones, and left as it is.
fetch_debian_kokkos() {
  local apt=$work/apt archive file folder=''
  command -v apt-get >/dev/null || return 1
  mkdir -p "$apt/sources.d" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/download" "${1%/*}"
  : >"$apt/sources.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -f $file ]] || continue
    sed -nE 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$file" >>"$apt/sources.list"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -f $file ]] || continue
    sed -E 's/^Types:.*/Types: deb-src/I' "$file" >"$apt/sources.d/${file##*/}"
  done
  local settings=(
    -o "Dir::Etc::sourcelist=$apt/sources.list" -o "Dir::Etc::sourceparts=$apt/sources.d"
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o "APT::Sandbox::User=$(id -un)"
    -o Acquire::Retries=2 -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30
  )
  say "fetching Debian's source package trilinos (166 MB)"
  # A third party's entry without sources must not stop Debian's.
  quietly "$apt/update.log" apt-get "${settings[@]}" -qq update || true
  (cd "$apt/download" &&
    quietly "$apt/source.log" apt-get "${settings[@]}" -qq source --download-only --tar-only trilinos) ||
    return 1
  for archive in "$apt"/download/trilinos_*.orig.tar.*; do
    tar -xf "$archive" -C "${1%/*}" --wildcards '*/packages/kokkos/*' || return 1
    rm -f "$archive"
  done
  for folder in "${1%/*}"/*/packages/kokkos; do
    [[ -f $folder/CMakeLists.txt ]] || return 1
    mv "$folder" "$1"
  done
}

# build_kokkos SOURCE PREFIX: built and checked aside; PREFIX appears only when it is complete.
build_kokkos() {
  local source=$1 prefix=$2 build=$work/kokkos-build stage=$work/kokkos-stage version standards started=$SECONDS
  version=$(version_of "$source")
  [[ -n $version ]] || { warn "no version in $source/CMakeLists.txt"; return 1; }
  read -ra standards <<<"$(standards_of "$version")"
  local settings=(
    -G Ninja "-DCMAKE_INSTALL_PREFIX=$prefix" -DCMAKE_INSTALL_LIBDIR=lib
    -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_CXX_EXTENSIONS=OFF
    "-DCMAKE_CXX_STANDARD=${standards[0]}" "-DCMAKE_CXX_COMPILER=${CXX:-g++}" "${compiling[@]}"
    -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_TESTS=OFF -DKokkos_ENABLE_EXAMPLES=OFF
  )
  if $cuda; then
    settings+=(-DKokkos_ENABLE_CUDA=ON -DKokkos_ENABLE_CUDA_LAMBDA=ON "-DKokkos_ARCH_${cuda_arch^^}=ON")
  fi
  if $cuda && nvcc --version 2>/dev/null | grep -qE 'release (1[3-9]|[2-9][0-9])\.' &&
    [[ $(printf '%s\n' 4.7.01 "$version" | sort -V | head -n 1) != 4.7.01 ]]; then
    warn "this CUDA needs Kokkos 4.7.1 or later; $version will hardly build"
  fi
  say "building Kokkos $version ($(options_name))"
  quietly "$work/configure.log" cmake -S "$source" -B "$build" "${settings[@]}" || return 1
  quietly "$work/build.log" cmake --build "$build" --parallel "$(nproc)" || return 1
  quietly "$work/install.log" env "DESTDIR=$stage" cmake --install "$build" || return 1
  probe_kokkos staged "-DKokkos_DIR=$(cmake_dir_of "$stage$prefix")" || {
    tail -n 20 "$work/probe-staged.log" >&2
    return 1
  }
  check_kokkos "$kokkos_dir" "${standards[@]}" || return 1
  mv -T "$stage$prefix" "$prefix" || return 1
  say "built in $((SECONDS - started)) s"
}
