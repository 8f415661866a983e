# SPDX-License-Identifier: Apache-2.0
"""The tree at a revision and the tree as it is now, with what git tells of the difference."""
import os
import pathlib
import shutil
import subprocess
import tempfile

LEAST_SIMILAR = "-M30%"  # a file that was moved, reformatted and had its names changed is hardly more like its old self


class GitFailed(Exception):
    """A command of git failed; the text says which and how."""


def git(root, *arguments, environment=None, given=""):
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False, input=given.encode(),
                          env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        raise GitFailed(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def text_of(data):
    return data.decode(errors="replace")


def status_of(root, revision):
    """git's fields of what changed since then, untracked files included. The index and the objects that this takes are
    temporary."""
    index = root / text_of(git(root, "rev-parse", "--git-path", "index")).strip()
    objects = (root / text_of(git(root, "rev-parse", "--git-path", "objects")).strip()).resolve()
    with tempfile.TemporaryDirectory() as folder:
        environment = {"GIT_INDEX_FILE": f"{folder}/index", "GIT_OBJECT_DIRECTORY": f"{folder}/objects",
                       "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(objects)}
        os.mkdir(f"{folder}/objects")
        if index.exists():
            shutil.copy2(index, f"{folder}/index")  # its time tells git which files it must look into
        git(root, "add", "--all", environment=environment)
        said = git(root, "diff", "--cached", "--name-status", "-z", LEAST_SIMILAR, "-l0", revision, "--",
                   environment=environment)
    return text_of(said).split("\0")


def parsed(fields):
    """({old path: new path or None}, all paths that are new or have changed)."""
    moved, changed, fields = {}, set(), iter(fields)
    for kind in fields:
        if not kind:
            continue
        old = next(fields)
        new = next(fields) if kind[0] in "RC" else old
        if kind[0] == "D":
            moved[old] = None
            continue
        changed.add(new)
        if kind[0] == "R":
            moved[old] = new
    return moved, changed


class Trees:
    def __init__(self, root, revision):
        self.root = pathlib.Path(root).resolve()
        self.revision = text_of(git(self.root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")).strip()
        self.old_paths = set(text_of(git(self.root, "ls-tree", "-r", "-z", "--name-only", self.revision)).split("\0"))
        self.moved, self.changed = parsed(status_of(self.root, self.revision))
        self.moved_from = {new: old for old, new in self.moved.items() if new}
        self.old_texts, self.new_texts = {}, {}

    def new_path(self, path):
        """None: it is gone."""
        return self.moved.get(path, path)

    def old_path(self, path):
        """Of a file of today; None: there was none."""
        old = self.moved_from.get(path, path)
        return old if old in self.old_paths else None

    def is_changed(self, path):
        """Whether a file of the revision is another one now."""
        return path in self.moved or path in self.changed

    def old_text(self, path):
        if not self.is_changed(path):
            return self.new_text(path)
        if path not in self.old_texts:
            self.old_texts[path] = text_of(git(self.root, "show", f"{self.revision}:{path}"))
        return self.old_texts[path]

    def read(self, paths):
        """Many old texts by one command of git."""
        said = git(self.root, "cat-file", "--batch", given="".join(f"{self.revision}:{path}\n" for path in paths))
        at = 0
        for path in paths:
            line_end = said.index(b"\n", at)
            size = int(said[at:line_end].split()[2])
            self.old_texts[path] = text_of(said[line_end + 1:line_end + 1 + size])
            at = line_end + size + 2

    def new_text(self, path):
        if path not in self.new_texts:
            self.new_texts[path] = text_of((self.root / path).read_bytes())
        return self.new_texts[path]
