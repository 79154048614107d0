# python-caldav, given an address and a password: finds the calendar, writes, edits, meets a conflict, deletes.
import sys
from datetime import datetime, timezone

import caldav
from caldav.lib import error
from json_api import JsonApi

base, email, password = sys.argv[1:4]
client = caldav.DAVClient(url=base + "/", username=email, password=password)
principal = client.principal()
calendars = principal.calendars()
assert len(calendars) == 1, f"{len(calendars)} calendars were found"
calendar = calendars[0]
assert calendar.get_supported_components() == ["VEVENT"]


def text(uid, rule=""):
    return (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Python//EN\r\nBEGIN:VEVENT\r\n"
        f"UID:{uid}\r\nDTSTAMP:20260701T000000Z\r\nDTSTART;TZID=Europe/London:20260803T190000\r\n"
        f"DTEND;TZID=Europe/London:20260803T210000\r\n{rule}SUMMARY:Python {uid}\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n"
    )


single = calendar.save_event(text("single@example.org"))
series = calendar.save_event(text("series@example.org", "RRULE:FREQ=WEEKLY;COUNT=5\r\n"))
assert len(calendar.events()) >= 2
week = {"start": datetime(2026, 8, 10, tzinfo=timezone.utc), "end": datetime(2026, 8, 17, tzinfo=timezone.utc)}
found = calendar.date_search(**week, expand=False)
assert [event.vobject_instance.vevent.uid.value for event in found] == ["series@example.org"]
month = {"start": datetime(2026, 8, 1, tzinfo=timezone.utc), "end": datetime(2026, 9, 1, tzinfo=timezone.utc)}
expanded = calendar.date_search(**month, expand=True)
starts = sorted(
    str(part.dtstart.value) for event in expanded for part in event.vobject_instance.vevent_list
)
assert len(starts) == 6 and len({start[:10] for start in starts}) == 5, starts
assert calendar.event_by_uid("single@example.org").data == single.data


def rename(event, title):
    event.vobject_instance.vevent.summary.value = title
    event.save()


# It sends PUT without If-Match.
rename(single, "Edited once")
rename(calendar.event_by_uid("single@example.org"), "Edited twice")
stale = calendar.event_by_uid("single@example.org")
api = JsonApi(base, email, password)
api.rename(api.find(uid="single@example.org"), "Edited elsewhere")
try:
    rename(stale, "Edited unseen")
    raise AssertionError("a change that the program has not seen was overwritten")
except error.PutError as refused:
    assert "412" in str(refused), refused
stale.load()
assert stale.vobject_instance.vevent.summary.value == "Edited elsewhere"
rename(stale, "Edited after reading again")
single = calendar.event_by_uid("single@example.org")
assert single.vobject_instance.vevent.summary.value == "Edited after reading again"

token = calendar.objects_by_sync_token(load_objects=False)
single.delete()
changes = calendar.objects_by_sync_token(sync_token=token.sync_token, load_objects=False)
assert len(list(changes)) == 1, "one deletion is one change"
busy = calendar.freebusy_request(week["start"], week["end"])
assert "FREEBUSY" in busy.data
series.delete()
print("found the calendar, wrote, edited, met a conflict, searched, expanded, synced, asked for free times, deleted")
