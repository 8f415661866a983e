# SPDX-License-Identifier: Apache-2.0
"""Puts the faults of tests/mutants, one at a time, into a copy of the tree and runs the tests meant for each.

Usage: mutants.py TREE [TEXT]: all, or those with TEXT in their name or file. ./dev mutants runs it. It exits with 1 when
less than 95 % are killed or explained, and with 2 when the list itself has a fault: a mutant that does not compile, a
text that is not there, tests that fail without any mutant.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pathlib.Path.cwd()
sys.path.insert(0, str(ROOT / "tests/architecture"))
sys.dont_write_bytecode = True
import mutants as kept_list  # noqa: E402

WANTED_PERCENT = 95
LEAST_SECONDS = 20  # for tests that may hang; more for those that take long without a mutant
SETTINGS = ("-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O0", "-DKAON_CUDA=OFF",
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON")


class ListFault(Exception):
    """The list of mutants, or the tree, must be mended first."""


def say(text):
    print(f"./dev mutants: {text}", file=sys.stderr, flush=True)


def run(command, where, seconds=None):
    """(exit code, all output); None as the code: it ran out of time."""
    process = subprocess.Popen(command, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]


class Copy:
    """The tree, as far as git knows it, in a folder of its own, and what was built of it."""

    def __init__(self, root):
        self.root = root
        self.tree = (root / "build/mutants").resolve() / "tree"
        self.build = self.tree.parent / "build"

    def update(self):
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=self.root,
                                check=True, capture_output=True, text=True).stdout.split("\0")
        names = {name for name in listed if name and os.path.lexists(self.root / name)}
        self.tree.mkdir(parents=True, exist_ok=True)
        for name in sorted(names):
            self.copy(name)
        for path in list(self.tree.rglob("*")):
            if not path.is_dir() and path.relative_to(self.tree).as_posix() not in names:
                path.unlink()

    def copy(self, name):
        source, copied = self.root / name, self.tree / name
        copied.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            if not copied.is_symlink():
                copied.symlink_to(os.readlink(source))
        elif not copied.exists() or copied.read_bytes() != source.read_bytes():
            shutil.copyfile(source, copied)  # new to the build, also where it is older than the copy was
            shutil.copymode(source, copied)

    def configure(self):
        if (self.build / "build.ninja").exists():
            return
        ucx = self.root / ".deps/ucx-wheel/libucx"
        code, output = run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", f"-DKAON_UCX_ROOT={ucx}",
                            *SETTINGS], self.root)
        if code != 0:
            raise ListFault(f"the copy cannot be configured:\n{output[-3000:]}")

    def ninja(self, targets):
        """What went wrong, or nothing."""
        jobs = os.environ.get("KAON_JOBS", str(os.cpu_count()))
        code, output = run(["ninja", "-j", jobs, *sorted(targets)], self.build)
        return "" if code == 0 else output[-3000:]

    def program(self, target):
        return self.build / "tests/bin" / target

    def link_with(self, target, source):
        """Compiles one source of an executable and links it before the others: (program, what went wrong)."""
        wanted = str(self.tree / source)
        commands = json.loads((self.build / "compile_commands.json").read_text())
        compile_it = next(shlex.split(each["command"]) for each in commands if each["file"] == wanted)
        old = compile_it[compile_it.index("-o") + 1]
        alone = self.build / "alone"
        alone.mkdir(exist_ok=True)
        compile_it[compile_it.index("-o") + 1] = str(alone / "subject.o")
        code, output = run(compile_it, self.build)
        if code != 0:
            return None, output[-3000:]
        listed = subprocess.run(["ninja", "-t", "commands", "-s", f"tests/bin/{target}"], cwd=self.build, check=True,
                                capture_output=True, text=True).stdout
        link = next(part.split() for part in listed.split(" && ") if f"-o tests/bin/{target}" in part)
        first = next(at for at, word in enumerate(link) if word.endswith(".o"))
        link = link[:first] + [str(alone / "subject.o")] + [word for word in link[first:] if word != old]
        link[link.index("-o") + 1] = str(alone / "subject")
        code, output = run(shlex.split(" ".join(link)), self.build)
        return (alone / "subject", "") if code == 0 else (None, output[-3000:])


def arguments_of(subject):
    if subject.filter:
        return ["-#", subject.filter] if subject.filter.startswith("[#") else [subject.filter]
    return ["-#", f"[#{pathlib.Path(subject.source).stem}]"] if subject.source else []


def failed_case(output):
    """The name of the first case that failed, as Catch2 prints it: a rule, the name, perhaps sections, a rule."""
    found = re.search(r"^-{20,}\n(.+?)\n-{20,}$", output, re.MULTILINE | re.DOTALL)
    return " ".join(found[1].split()) if found else "the end of the program"


class Runner:
    def __init__(self, copy):
        self.copy = copy
        self.limits = {}  # seconds, by test

    def test(self, program, subject, seconds):
        """None: passed. Else what saw the mutant."""
        code, output = run([program, "--abort", *arguments_of(subject)], self.copy.build, seconds)
        if "No test cases matched" in output or "No tests ran" in output:
            raise ListFault(f"no test matches '{subject.filter}' in {subject.target}")
        if code is None:
            return f"{subject.target}: it hangs"
        return None if code == 0 else f"{subject.target}: {failed_case(output)}"

    def build_for(self, mutant, subject):
        return self.copy.ninja({subject.target, *mutant.needs})

    def check_without(self, mutant, subject):
        """Each test passes without a mutant; how long it takes bounds how long it may take with one."""
        if subject in self.limits:
            return
        if wrong := self.build_for(mutant, subject):
            raise ListFault(f"{subject.target} does not build without a mutant:\n{wrong}")
        begin = time.monotonic()
        if seen := self.test(self.copy.program(subject.target), subject, None):
            raise ListFault(f"a test fails without a mutant: {seen}")
        self.limits[subject] = max(LEAST_SECONDS, 5 * (time.monotonic() - begin))

    def judge(self, mutant):
        """None: it survives. Else what killed it."""
        subjects = [kept_list.subject_of(test) for test in mutant.tests]
        for subject in subjects:
            self.check_without(mutant, subject)
            if subject.source and (wrong := self.build_for(mutant, subject)):
                raise ListFault(wrong)
        path = self.copy.tree / mutant.file
        text, stamp = path.read_text(), path.stat()
        path.write_text(text.replace(mutant.old, mutant.new))
        is_built = False
        try:
            for subject in subjects:
                is_built |= not subject.source
                if seen := self.run_with(mutant, subject):
                    return seen
            return None
        finally:
            path.write_text(text)
            if not is_built:  # nothing in the build folder knows the mutant
                os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    def run_with(self, mutant, subject):
        program = self.copy.program(subject.target)
        if subject.source:
            program, wrong = self.copy.link_with(subject.target, subject.source)
        else:
            wrong = self.build_for(mutant, subject)
        if wrong:
            raise ListFault(f"it does not compile:\n{wrong}")
        return self.test(program, subject, self.limits[subject])


def in_order(mutants):
    """Those that need no more than one source first; then by executable and file, so that little is built again."""
    def key(mutant):
        first = kept_list.subject_of(mutant.tests[0])
        return not first.source, first.target, first.source, mutant.file, mutant.name
    return sorted(mutants, key=key)


def judge_all(mutants, runner):
    """(mutant, what killed it or None) of each; faults of the list."""
    verdicts, faults = [], []
    for number, mutant in enumerate(in_order(mutants), 1):
        begin = time.monotonic()
        try:
            seen = runner.judge(mutant)
        except ListFault as fault:
            faults.append(f"{mutant.listed_in}: {mutant.name}: {fault}")
            say(faults[-1])
            continue
        verdicts.append((mutant, seen))
        say(f"{number}/{len(mutants)} {'killed  ' if seen else 'SURVIVED'} {mutant.name}"
            f" ({time.monotonic() - begin:.0f} s)")
    return verdicts, faults


def report(verdicts, faults):
    """Prints the table; gives the exit code."""
    survivors = [mutant for mutant, seen in verdicts if seen is None]
    explained = [mutant for mutant in survivors if mutant.survives]
    for mutant, seen in verdicts:
        if seen:
            print(f"killed     {mutant.file}: {mutant.name}\n             by {seen}")
            if mutant.survives:
                print("             which its explanation did not expect: take that out of the list")
    for mutant in survivors:
        print(f"{'explained' if mutant.survives else 'SURVIVED '}  {mutant.file}: {mutant.name}")
        if mutant.survives:
            print(f"             {mutant.survives}")
    killed = len(verdicts) - len(survivors)
    percent = 100 * (killed + len(explained)) / max(1, len(verdicts))
    print(f"{len(verdicts)} mutants: {killed} killed, {len(explained)} explained, "
          f"{len(survivors) - len(explained)} survive without a reason; {percent:.1f} %")
    for fault in faults:
        print(f"FAULT      {fault}")
    if faults:
        return 2
    return 0 if verdicts and percent >= WANTED_PERCENT else 1


def main():
    faults = list(kept_list.tree_faults(ROOT))
    if faults:
        print("\n".join(faults))
        return 2
    text = sys.argv[2] if len(sys.argv) > 2 else ""
    chosen = [mutant for mutant in kept_list.read(ROOT)[0] if text in mutant.name or text in mutant.file]
    if not chosen:
        say(f"no mutant has '{text}' in its name or file")
        return 2
    copy = Copy(ROOT)
    try:
        copy.update()
        copy.configure()
    except ListFault as fault:
        say(str(fault))
        return 2
    say(f"{len(chosen)} mutants in {copy.tree}")
    return report(*judge_all(chosen, Runner(copy)))


if __name__ == "__main__":
    sys.exit(main())
