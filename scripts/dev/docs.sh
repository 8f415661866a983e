# SPDX-License-Identifier: Apache-2.0
# ./dev docs: the pages of docs/ as HTML, by MkDocs, and the reference of the public headers, by Doxygen where it is.

kDocsVenv=build/docs-venv

command_docs() {
  [ $# -eq 0 ] || fail 2 "'./dev docs' takes nothing"
  install_mkdocs
  python3 -B tests/architecture/pages.py . >"$(log_file pages)" || fail_with_log pages "pages are not as they should be"
  $kDocsVenv/bin/mkdocs --quiet build --strict --clean >"$(log_file mkdocs)" 2>&1 ||
    fail_with_log mkdocs "the pages could not be built"
  if build_reference; then
    say "pages: build/site/index.html; reference: build/site/reference/index.html"
  else
    say "pages: build/site/index.html; with Doxygen (Debian's package doxygen) there would be a reference, too"
  fi
}

# An environment of its own, made anew when what it is to hold has changed.
install_mkdocs() {
  cmp -s docs/requirements.txt $kDocsVenv/requirements.txt && return
  python3 -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
  say "fetching MkDocs into $kDocsVenv"
  rm -rf $kDocsVenv
  {
    python3 -m venv $kDocsVenv &&
      $kDocsVenv/bin/pip install --quiet --disable-pip-version-check -r docs/requirements.txt
  } >"$(log_file mkdocs)" 2>&1 || fail_with_log mkdocs "MkDocs could not be fetched; is the Python package index reachable?"
  cp docs/requirements.txt $kDocsVenv/
}

# Fails where there is no Doxygen. Any warning of it ends the command.
build_reference() {
  command -v doxygen >/dev/null || return 1
  doxygen docs/Doxyfile >"$(log_file doxygen)" 2>&1 || fail_with_log doxygen "the reference could not be built"
}
