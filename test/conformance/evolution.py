# Evolution's calendar library, as Evolution and GNOME Calendar use it: creates, edits, meets a conflict, deletes.
import sys
import time

import gi

gi.require_version("EDataServer", "1.2")
gi.require_version("ECal", "2.0")
gi.require_version("ICalGLib", "3.0")
from gi.repository import ECal, EDataServer, GLib, ICalGLib  # noqa: E402

from json_api import JsonApi  # noqa: E402

base, email, password = sys.argv[1:4]
host, port = base.split("//")[1].split(":")
UID = "evolution@example.org"
DO_NOT_WAIT = 0xFFFFFFFF
DEADLINE_S = 60


def until(what, is_so):
    """Waits for a fact; signals of the library arrive meanwhile."""
    end = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < end, f"not in time: {what}"
        GLib.MainContext.default().iteration(False)
        time.sleep(0.05)


api = JsonApi(base, email, password)


def find_stored():
    return api.find(uid=UID)


registry = EDataServer.SourceRegistry.new_sync(None)
source = EDataServer.Source.new_with_uid("daybook", None)
source.set_parent("caldav-stub")
source.set_display_name("Daybook")
source.get_extension(EDataServer.SOURCE_EXTENSION_CALENDAR).set_backend_name("caldav")
sign_in = source.get_extension(EDataServer.SOURCE_EXTENSION_AUTHENTICATION)
sign_in.set_host(host)
sign_in.set_port(int(port))
sign_in.set_user(email)
sign_in.set_method("plain/password")
source.get_extension(EDataServer.SOURCE_EXTENSION_WEBDAV_BACKEND).set_resource_path("/caldav/calendars/main/")
source.get_extension(EDataServer.SOURCE_EXTENSION_SECURITY).set_method("none")
registry.commit_source_sync(source, None)
source = registry.ref_source("daybook")
client = ECal.Client.connect_sync(source, ECal.ClientSourceType.EVENTS, DO_NOT_WAIT, None)
credentials = EDataServer.NamedParameters()
credentials.set("username", email)
credentials.set("password", password)
source.invoke_authenticate_sync(credentials, None)
connected = EDataServer.SourceConnectionStatus.CONNECTED
until("the library is connected", lambda: source.get_connection_status() == connected and not client.is_readonly())

event = ICalGLib.Component.new_from_string(
    f"BEGIN:VEVENT\r\nUID:{UID}\r\nDTSTAMP:20260701T000000Z\r\nDTSTART:20260803T180000Z\r\n"
    "DTEND:20260803T190000Z\r\nSUMMARY:Made in Evolution\r\nEND:VEVENT\r\n"
)
client.create_object_sync(event, ECal.OperationFlags.NONE, None)
until("the event has arrived", lambda: find_stored() is not None)


def read():
    return client.get_object_sync(UID, None, None)[1]


def rename(component, title):
    component.set_summary(title)
    client.modify_object_sync(component, ECal.ObjModType.ALL, ECal.OperationFlags.NONE, None)


rename(read(), "Edited in Evolution")
assert find_stored()["title"] == "Edited in Evolution"
rename(read(), "Edited again")
assert find_stored()["title"] == "Edited again"

stale = read()
api.rename(find_stored(), "Edited elsewhere")
try:
    rename(stale, "Edited unseen")
except GLib.Error:
    pass
assert find_stored()["title"] == "Edited elsewhere", "a change that the program has not seen was overwritten"
client.refresh_sync(None)
until("the change is read", lambda: read().get_summary() == "Edited elsewhere")
rename(read(), "Edited after reading again")
assert find_stored()["title"] == "Edited after reading again"

client.remove_object_sync(UID, None, ECal.ObjModType.ALL, ECal.OperationFlags.NONE, None)
until("the deletion has arrived", lambda: find_stored() is None)
print("made, edited, met a conflict, edited after reading again, deleted")
