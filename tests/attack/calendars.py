"""Calendars to import."""


def calendar(count, name, description="", rrule="", overrides=0):
    """So many events; with `overrides`, one series with so many changed occurrences."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//attack//EN"]
    for number in range(count):
        lines += ["BEGIN:VEVENT", f"UID:{name}-{number}", "DTSTAMP:20260101T000000Z", "SUMMARY:x",
                  f"DTSTART:2026{number % 12 + 1:02}{number % 28 + 1:02}T090000Z", "DURATION:PT1H",
                  *([f"RRULE:{rrule}"] if rrule else []), *([f"DESCRIPTION:{description}"] if description else []),
                  "END:VEVENT"]
        for override in range(overrides):
            day = f"{2026 + override // 336}{override // 28 % 12 + 1:02}{override % 28 + 1:02}"
            lines += ["BEGIN:VEVENT", f"UID:{name}-{number}", f"RECURRENCE-ID:{day}T090000Z", "DTSTAMP:20260101T000000Z",
                      f"SUMMARY:o{override}", f"DTSTART:{day}T100000Z", "DURATION:PT1H", "END:VEVENT"]
    return ("\r\n".join([*lines, "END:VCALENDAR"]) + "\r\n").encode()
