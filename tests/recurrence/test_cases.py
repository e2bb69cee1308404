"""The cases of cases.txt: ours must be as written, and so must dateutil's and libical's where no `but` says otherwise."""
import datetime
import pathlib
import re
import unittest

import judges


def read_cases():
    cases = []
    for line in (pathlib.Path(__file__).parent / "cases.txt").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "case":
            cases.append({"case": rest, "but": {}})
        elif word == "but":
            who, _, why = rest.partition(" ")
            cases[-1]["but"][who] = why
        elif word in ("rule", "start", "is"):
            cases[-1][word] = rest
        elif word not in ("", "#"):
            raise ValueError(line)
    for case in cases:
        case["start"] = datetime.datetime.fromisoformat(case["start"])
        times = [datetime.datetime.fromisoformat(text) if "T" in text
                 else datetime.datetime.combine(datetime.date.fromisoformat(text), case["start"].time())
                 for text in case["is"].split()]
        case["is"] = times
    return cases


class Cases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = read_cases()
        cls.lines = [judges.line_of(case["rule"], case["start"]) for case in cls.cases]

    def compare(self, who, answers, cases=None):
        for case, answer in zip(cases or self.cases, answers, strict=True):
            with self.subTest(case["case"], rule=case["rule"]):
                if who in case["but"]:
                    self.assertNotEqual(answer, case["is"], f"{who} agrees by now: remove the `but`")
                else:
                    self.assertEqual(answer, case["is"])

    def test_ours(self):
        self.assertGreater(len(self.cases), 70)
        self.compare("ours", [[local for local, _ in answer] if what == "ok" else answer
                              for what, answer in judges.ours(self.lines)])

    def test_every_zone_has_the_same_wall_times(self):
        lines = [judges.line_of(case["rule"], case["start"], "America/New_York") for case in self.cases]
        self.compare("ours", [[local for local, _ in answer] if what == "ok" else answer
                              for what, answer in judges.ours(lines)])

    def test_dateutil(self):
        def ask(case):
            try:
                with judges.at_most(2):
                    return judges.dateutil(case["rule"], case["start"])
            except judges.TooSlow:
                return "too slow"
        self.compare("dateutil", [ask(case) for case in self.cases])

    def test_libical(self):
        asked = [case for case in self.cases if not case["but"].get("libical", "").startswith("is too slow")]
        # Until the last one instead of COUNT: where it finds nothing it would go on to the year 2582.
        lines = [judges.line_of(re.sub(r"COUNT=\d+", case["is"][-1].strftime("UNTIL=%Y%m%dT%H%M%S"), case["rule"]),
                                case["start"]) for case in asked]
        self.compare("libical", judges.libical(lines), asked)


if __name__ == "__main__":
    unittest.main()
