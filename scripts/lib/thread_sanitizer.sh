# shellcheck shell=bash
# Kokkos once more, under the thread sanitizer of Clang, for tests/races: threads of OpenMP wait for each other inside
# of its runtime, which is not instrumented, and of Clang's runtime alone the sanitizer is told when (by libarcher, which
# comes with it). So Kokkos is compiled by that compiler, too.
# The outcome is $cache/kokkos/thread-sanitizer, two lines: the prefix, and the compiler.
# Uses from scripts/setup: cache, work, and of kokkos.sh what builds.
# shellcheck disable=SC2154,SC2034  # those are assigned there, and what is assigned here is read there

# A machine that cannot have it has the tests skipped.
settle_thread_sanitizer() {
  local compiler version tree
  if ! compiler=$(command -v clang++); then
    warn "no clang++ here, and so no Kokkos under the thread sanitizer"
    return
  fi
  version=$("$compiler" -dumpversion)
  tree=$(built_under_thread_sanitizer "$version") || tree=$(build_under_thread_sanitizer "$compiler" "$version") || {
    warn "no Kokkos under the thread sanitizer could be built"
    return
  }
  printf '%s\n%s\n' "$tree" "$compiler" >"$cache/kokkos/.thread-sanitizer.new"
  mv "$cache/kokkos/.thread-sanitizer.new" "$cache/kokkos/thread-sanitizer"
  say "Kokkos under the thread sanitizer of $compiler $version at $tree"
}

# built_under_thread_sanitizer CLANG-VERSION: by an earlier run.
built_under_thread_sanitizer() {
  local built
  for built in "$cache"/kokkos/*-thread-sanitizer-clang-"$1"; do
    if cmake_dir_of "$built" >/dev/null; then echo "$built"; return; fi
  done
  return 1
}

# build_under_thread_sanitizer COMPILER CLANG-VERSION: prints the prefix; what it says goes to the standard error. In a
# subshell, so that the folders and settings of the other Kokkos stay what they are.
build_under_thread_sanitizer() (
  exec 3>&1 1>&2
  source=$work/trilinos/kokkos
  if [[ ! -d $source ]]; then
    fetch_debian_kokkos "$source" || { say "Debian's source package trilinos cannot be had"; return 1; }
  fi
  work=$work/thread-sanitizer cuda=false
  compiling=(-DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_COMPILER=$1" "-DCMAKE_CXX_FLAGS=-O1 -g1 -fsanitize=thread")
  # A report fails the check below; what OpenMP's runtime does within itself is none.
  running=(env OMP_NUM_THREADS=2 TSAN_OPTIONS=ignore_noninstrumented_modules=1)
  # Older sanitizers do not start where the system spreads addresses widely.
  if setarch --addr-no-randomize true 2>/dev/null; then running+=(setarch --addr-no-randomize); fi
  mkdir -p "$work"
  tree=$cache/kokkos/$(version_of "$source")-thread-sanitizer-clang-$2
  build_kokkos "$source" "$tree" || return 1
  echo "$tree" >&3
)
