# Sourced by `./dev test`: every test there is, each build in a folder of its own, failures gathered to the end.
# Two clones may do this at the same time: ports are picked by the kernel, folders are private.
started=$SECONDS
export CXX_LD=mold CCACHE_NOHASHDIR=1 PYTHONDONTWRITEBYTECODE=1 PYTHONPYCACHEPREFIX=/dev/null
failed=0
step() { # NAME COMMAND...
  say "$1"
  local begin=$SECONDS
  "${@:2}" || { failed=1; echo "FAILED: $1"; }
  echo "   $((SECONDS - begin)) s"
}
suite() { # FOLDER CXX SUITES OPTION...: configure, build, run the suites
  local folder=$1 cxx=$2 suites=$3; shift 3
  CXX=$cxx configure "$folder" "$@" && ninja -C "$folder" --quiet || return 1
  meson test -C "$folder" --no-rebuild --print-errorlogs --quiet $suites
}

SANITIZED="-Dbuildtype=plain -Db_ndebug=false -Dcpp_args=-O1,-g1,-fno-omit-frame-pointer"
step "debug build: unit, integration, command line, lint" \
  suite build/debug "ccache g++" "" -Dbuildtype=plain -Db_ndebug=false -Dcpp_args=-g1
step "AddressSanitizer and UndefinedBehaviorSanitizer" \
  suite build/asan "ccache g++" "--suite unit --suite integration" $SANITIZED -Db_sanitize=address,undefined
step "ThreadSanitizer" \
  suite build/tsan "ccache g++" "--suite unit --suite integration" $SANITIZED -Db_sanitize=thread
step "fuzzing" tests/fuzz/run.sh build/fuzz 20

say "$((SECONDS - started)) s"
python3 tests/summary.py build/debug build/asan build/tsan build/fuzz || failed=1
exit $failed
