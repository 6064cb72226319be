# Sourced by `./dev test`: every test there is, each build in a folder of its own, failures gathered to the end.
# Two clones may do this at the same time: ports are picked by the kernel, folders are private.
started=$SECONDS failed=
export CXX_LD=mold CCACHE_NOHASHDIR=1 PYTHONDONTWRITEBYTECODE=1
symbols=external_symbolizer_path=/usr/bin/addr2line # binutils are here wherever a compiler is
export ASAN_OPTIONS=$symbols UBSAN_OPTIONS=$symbols:halt_on_error=1:print_stacktrace=1 TSAN_OPTIONS=$symbols:halt_on_error=1

step() { # NAME COMMAND...
  local begin=$SECONDS
  say "$1"
  "${@:2}" || { failed+="${failed:+, }$1"; echo "FAILED: $1"; }
  echo "   $((SECONDS - begin)) s"
}
suite() { # FOLDER CXX SUITES OPTION...: configures, builds, runs these suites ("" = all)
  local folder=$1 cxx=$2 suites=$3; shift 3
  rm -f "$folder"/meson-logs/testlog.* "$folder"/results
  CXX=$cxx configure "$folder" -Dbuildtype=plain -Db_ndebug=false "$@" && ninja -C "$folder" --quiet &&
    meson test -C "$folder" --no-rebuild --timeout-multiplier 4 --print-errorlogs --quiet $suites
}

# Clang is the second compiler, and the faster one here. -O0: optimising takes longer than the slower tests.
step "debug build" suite build/debug "ccache g++" "" -Dcpp_args=-g1
# -Dfuzz=true instruments for libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer at once: one build for both.
step "ASan and UBSan" suite build/asan "ccache clang++-19" \
  "--suite unit --suite integration" "-Dcpp_args=-g1 -fno-omit-frame-pointer" -Dfuzz=true -Db_lundef=false
step "fuzzing" tests/fuzz/run.sh build/asan 20
step "TSan" suite build/tsan "ccache clang++-19" \
  "--suite unit --suite integration" -Dcpp_args=-g1 -Db_sanitize=thread -Db_lundef=false

say "$((SECONDS - started)) s"
exec python3 tests/summary.py "$failed" build/debug build/asan build/tsan
