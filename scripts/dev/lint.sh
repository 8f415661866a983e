# SPDX-License-Identifier: Apache-2.0
# ./dev lint: clang-format and clang-tidy over the sources that git knows.

sources() { git ls-files -- "$@" | grep -E '\.(hpp|cpp)$'; }

command_lint() {
  install_all
  configure clang
  local code=0
  sources . | xargs clang-format-16 --dry-run --Werror || {
    say "formatting differs; to mend it: git ls-files '*.hpp' '*.cpp' | xargs clang-format-16 -i"
    code=1
  }
  # Tests are held to the format only: Catch2's macros trip half of the checks.
  sources runtime gpu machine_ucx chares examples bench | grep '\.cpp$' | grep -v '^examples/installed/' |
    xargs -P "$(jobs)" -n 4 clang-tidy-16 -p build/clang --quiet >"$(log_file tidy)" 2>&1 || {
    grep -E 'error:|warning:' "$(log_file tidy)" | sort -u | head -60 >&2
    say "clang-tidy is not content (all of its output: $(log_file tidy))"
    code=1
  }
  return $code
}
