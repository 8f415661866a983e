# SPDX-License-Identifier: Apache-2.0
"""The last campaigns of each kind, one JSON file each, one row a line: docs/results/campaigns/KIND/DATE-COMMIT.json. Git
has the older ones."""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

KINDS = ("host", "gpu", "scaling", "ampi")
MOST_KEPT = 5  # of each kind


class Refused(Exception):
    """What was given is no campaign; the text says why."""


@dataclass(frozen=True)
class Campaign:
    date: str  # as 2026-11-21
    commit: str
    machine: str
    note: str
    rows: tuple  # objects as report.as_object() makes them; old ones have fewer keys
    file: str = ""  # its name in the store

    def only(self, benches):
        return replace(self, rows=tuple(row for row in self.rows if row["bench"] in benches))

    def as_text(self):
        head = json.dumps({"date": self.date, "commit": self.commit, "machine": self.machine, "note": self.note})
        rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in self.rows)
        return f'{head[:-1]}, "rows": [\n{rows}\n]}}\n'


def campaign_of(rows, date, commit, note):
    """Of the rows that a benchmark wrote with --json."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise Refused(f"--date {date}: write it as 2026-11-21")
    if not re.fullmatch(r"[0-9a-f]{7,40}", commit):
        raise Refused(f"--commit {commit}: give the commit's number, 7 to 40 of 0-9 and a-f")
    if not isinstance(rows, list) or not rows:
        raise Refused("the file holds no rows: give what a benchmark wrote with --json")
    if any(row.get("emulated") for row in rows):
        raise Refused("these are figures of the emulation: no results of a device")
    machines = {row.get("machine") for row in rows}
    if len(machines) != 1 or None in machines:
        raise Refused("the rows do not tell one machine that they were measured on")
    kept = tuple({key: value for key, value in row.items() if key not in ("machine", "emulated")} for row in rows)
    return Campaign(date, commit, machines.pop(), note, kept)


class Store:
    def __init__(self, folder):
        self.folder = Path(folder)

    def files(self, kind):
        """The oldest first."""
        return sorted((self.folder / kind).glob("*.json"), key=lambda file: file.stem)

    def campaigns(self, kind):
        """The oldest first."""
        found = []
        for file in self.files(kind):
            read = json.loads(file.read_text(encoding="utf-8"))
            found.append(Campaign(read["date"], read["commit"], read["machine"], read["note"], tuple(read["rows"]),
                                  file.stem))
        return found

    def add(self, kind, campaign):
        """The file. Several campaigns of a day and commit get numbers. The oldest ones beyond those to keep go."""
        folder = self.folder / kind
        folder.mkdir(parents=True, exist_ok=True)
        number = 1
        while (file := folder / f"{campaign.date}-{campaign.commit}{'' if number == 1 else f'-{number}'}.json").exists():
            number += 1
        file.write_text(campaign.as_text(), encoding="utf-8")
        older = [each for each in self.files(kind) if each != file]
        for each in older[:max(0, len(older) + 1 - MOST_KEPT)]:
            each.unlink()
        return file
