# SPDX-License-Identifier: Apache-2.0
# ./dev lint: what is asked of sources, of pages and of commits beyond that they work. The quick checks come first.

sources() { git ls-files -- "$@" | grep -E '\.(hpp|cpp)$'; }

command_lint() {
  case "${1:-}" in
    '' | --quick) ;;
    *) fail 2 "'$1' is no option of './dev lint'; there is --quick" ;;
  esac
  # shellcheck disable=SC2046
  if [ -n "${1:-}" ]; then install_packages $(packages_for_lint); else install_all; fi
  local code=0
  check_format || code=1
  check_tree || code=1
  scripts/dev/subjects || code=1
  [ -z "${1:-}" ] || return $code
  check_clang_tidy || code=1
  check_one_definition || code=1
  return $code
}

check_format() {
  sources . | xargs clang-format-16 --dry-run --Werror || {
    say "formatting differs; to mend it: git ls-files '*.hpp' '*.cpp' | xargs clang-format-16 -i"
    return 1
  }
}

# Layers, lengths, comments, and pages that name or quote what is in the tree. The tests run these, too.
check_tree() {
  local script code=0
  for script in tests/architecture/*.py; do
    case $script in
      *_self_test.py) ;;
      *) python3 -B "$script" . >"$(log_file tree)" || { cat "$(log_file tree)" >&2; code=1; } ;;
    esac
  done
  return $code
}

# Tests are held to the format only: Catch2's macros trip half of the checks.
check_clang_tidy() {
  configure clang
  sources runtime gpu machine_ucx chares testing examples bench | grep '\.cpp$' | grep -v '^examples/installed/' |
    xargs scripts/dev/tidy build/clang "$(jobs)" >"$(log_file tidy)" 2>&1 || {
    grep -E 'error:|warning:' "$(log_file tidy)" | sort -u | head -60 >&2
    say "clang-tidy is not content (all of its output: $(log_file tidy))"
    return 1
  }
}

# Two types of one name are one type to the linker, which takes whose function it likes. g++ finds them as it links all
# of the library into one program.
check_one_definition() {
  (build odr jacobi3d) || build odr jacobi3d  # g++ 12 has met an internal error here and linked the second time
}
