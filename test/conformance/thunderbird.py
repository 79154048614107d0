# Thunderbird without a window, driven over Marionette: syncs, creates, edits, deletes an occurrence, meets a conflict.
import json
import os
import socket
import subprocess
import sys
import time

from json_api import JsonApi

folder, base, email, password = sys.argv[1:5]
CALENDAR = base + "/caldav/calendars/main/"
DEADLINE_S = 60
api = JsonApi(base, email, password)


def until(what, is_so):
    end = time.monotonic() + DEADLINE_S
    while True:
        found = is_so()
        if found:
            return found
        assert time.monotonic() < end, f"not in time: {what}"
        time.sleep(0.2)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Marionette:
    """The wire protocol: `length:[type, id, command, parameters]` over TCP."""

    def __init__(self, port):
        self.socket = until("Marionette listens", lambda: self.connect(port))
        self.buffer = b""
        self.last = 0
        self.receive()
        self.send("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"unhandledPromptBehavior": "ignore"}}})
        self.send("Marionette:SetContext", {"value": "chrome"})
        self.send("WebDriver:SetTimeouts", {"script": DEADLINE_S * 1000})

    @staticmethod
    def connect(port):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=DEADLINE_S + 10)
        except OSError:
            return None

    def receive(self):
        while b":" not in self.buffer:
            self.more()
        length, self.buffer = self.buffer.split(b":", 1)
        while len(self.buffer) < int(length):
            self.more()
        message, self.buffer = self.buffer[: int(length)], self.buffer[int(length) :]
        return json.loads(message)

    def more(self):
        piece = self.socket.recv(65536)
        assert piece, "Thunderbird has ended"
        self.buffer += piece

    def send(self, command, parameters=None):
        self.last += 1
        message = json.dumps([0, self.last, command, parameters or {}]).encode()
        self.socket.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self.receive()
        assert not error, f"{command}: {json.dumps(error)[:1500]}"
        return result

    def run(self, script, *arguments):
        """Runs an asynchronous function body in Thunderbird."""
        wrapped = (
            "const [args, done] = [arguments[0], arguments[arguments.length - 1]];"
            "(async () => {" + HELPERS + script + "})().then(v => done({value: v ?? null}),"
            "e => done({error: String(e?.message ?? e) + ' ' + (e?.stack ?? '')}));"
        )
        result = self.send("WebDriver:ExecuteAsyncScript", {"script": wrapped, "args": [list(arguments)], "newSandbox": False})
        result = result["value"]
        assert "error" not in result, result.get("error")
        return result["value"]


HELPERS = """
const { cal } = ChromeUtils.importESModule("resource:///modules/calendar/calUtils.sys.mjs");
const { CalEvent } = ChromeUtils.importESModule("resource:///modules/CalEvent.sys.mjs");
const calendar = cal.manager.getCalendars({}).find(c => c.type == "caldav");
const state = ((Services.wm.getMostRecentWindow("mail:3pane") ?? {}).daybook ??= { asked: [], answer: false });
const items = async () => (await calendar.getItemsAsArray(Ci.calICalendar.ITEM_FILTER_ALL_ITEMS, 0, null, null));
const find = async title => (await items()).find(item => item.title == title) ?? null;
const synced = () => new Promise((resolve, reject) => {
  const observer = { QueryInterface: ChromeUtils.generateQI(["calIObserver"]),
    onLoad() { calendar.removeObserver(observer); resolve() }, onStartBatch() {}, onEndBatch() {}, onAddItem() {},
    onModifyItem() {}, onDeleteItem() {}, onError() {}, onPropertyChanged() {}, onPropertyDeleting() {} };
  calendar.addObserver(observer); calendar.refresh() });
"""

done = []


def check(name):
    done.append(name)
    print(f"{name}: ok", flush=True)


profile = os.path.join(folder, "profile")
os.makedirs(profile, exist_ok=True)
port = free_port()
REGISTRY = "calendar.registry.daybook-conformance."
preferences = {
    REGISTRY + "type": "caldav",
    REGISTRY + "uri": CALENDAR,
    REGISTRY + "name": "Daybook",
    REGISTRY + "username": email,
    REGISTRY + "cache.enabled": True,
    REGISTRY + "calendar-main-in-composite": True,
    "calendar.list.sortOrder": "daybook-conformance",
    "calendar.timezone.local": "Europe/Paris",
    "calendar.timezone.useSystemTimezone": False,
    "marionette.port": port,
    "app.update.auto": False,
    "app.donation.eoy.version.viewed": 999,
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
    "mail.provider.suppress_dialog_on_startup": True,
    "mail.rights.version": 1,
    "mail.shell.checkDefaultClient": False,
    "mail.spotlight.firstRunDone": True,
    "mail.winsearch.firstRunDone": True,
    "mailnews.start_page.enabled": False,
    "mailnews.start_page_override.mstone": "ignore",
    "network.manage-offline-status": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": True,
    "calendar.debug.log": True,
}
with open(os.path.join(profile, "user.js"), "w") as out:
    for name, value in preferences.items():
        out.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")

# One event before the first sync.
before = api.ask(
    "POST",
    "/events",
    {"title": "There before", "start": "2027-01-05T19:30", "end": "2027-01-05T21:00", "rrule": "FREQ=WEEKLY;COUNT=4"},
)

log = open(os.path.join(folder, "thunderbird.log"), "w")
environment = {**os.environ, "HOME": folder, "MOZ_HEADLESS": "1", "MOZ_CRASHREPORTER_DISABLE": "1"}
program = subprocess.Popen(
    ["thunderbird", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
    stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment,
)
try:
    thunderbird = Marionette(port)
    run = thunderbird.run
    until("the main window", lambda: run("return !!Services.wm.getMostRecentWindow('mail:3pane') && !!calendar"))
    run(
        """
const login = Cc["@mozilla.org/login-manager/loginInfo;1"].createInstance(Ci.nsILoginInfo);
login.init(args[0], null, "calendar", args[1], args[2], "", "");
await Services.logins.addLoginAsync(login);
// Its window for conflicts cannot be answered here: what it asks is recorded, and answered as told.
cal.provider.promptOverwrite = mode => { state.asked.push(mode); return state.answer && state.asked.length < 3 };
""",
        base, email, password,
    )
    run("calendar.refresh(); await new Promise(r => Services.tm.dispatchToMainThread(r))")
    until("the first sync", lambda: run("calendar.refresh(); await new Promise(r => setTimeout(r, 1000)); return !!(await find('There before'))"))
    assert run("return calendar.readOnly") is False, "the calendar is read-only"
    check("first sync")

    run(
        """
const event = new CalEvent();
event.title = "Made in Thunderbird";
event.startDate = cal.createDateTime("20270301T100000"); event.startDate.timezone = cal.timezoneService.getTimezone("Europe/Paris");
event.endDate = cal.createDateTime("20270301T110000"); event.endDate.timezone = cal.timezoneService.getTimezone("Europe/Paris");
event.recurrenceInfo = new (ChromeUtils.importESModule("resource:///modules/CalRecurrenceInfo.sys.mjs").CalRecurrenceInfo)(event);
event.recurrenceInfo.appendRecurrenceItem(cal.createRecurrenceRule("RRULE:FREQ=DAILY;COUNT=5"));
await calendar.addItem(event);
"""
    )
    made = until("the new event has arrived", lambda: api.find(title="Made in Thunderbird"))
    assert made["timezone"] == "Europe/Paris" and made["rrule"] == "FREQ=DAILY;COUNT=5", json.dumps(made)
    check("create")

    def rename(before, after):
        run(
            """
const old = await find(args[0]); if (!old) throw new Error("not there: " + args[0]);
const item = old.clone(); item.title = args[1]; await calendar.modifyItem(item, old).catch(e => { if (!state.asked.length) throw e });
""",
            before, after,
        )

    rename("Made in Thunderbird", "Edited in Thunderbird")
    until("the edit has arrived", lambda: api.find(title="Edited in Thunderbird"))
    rename("Edited in Thunderbird", "Edited again")
    until("the second edit has arrived", lambda: api.find(title="Edited again"))
    check("edit")

    run(
        """
const old = await find("Edited again"); const item = old.clone();
const [, second] = item.recurrenceInfo.getOccurrences(cal.createDateTime("20270101T000000Z"), cal.createDateTime("20280101T000000Z"), 0);
item.recurrenceInfo.removeOccurrenceAt(second.recurrenceId); await calendar.modifyItem(item, old);
"""
    )
    stored = api.find(title="Edited again")
    until("the deleted occurrence", lambda: len(api.ask("GET", f"/events/{stored['id']}/occurrences?from=2027-01-01&to=2027-12-31")) == 4)
    check("delete one occurrence")

    run(
        """
const old = await find("Edited again"); const item = old.clone();
const third = item.recurrenceInfo.getOccurrences(cal.createDateTime("20270101T000000Z"), cal.createDateTime("20280101T000000Z"), 0)[2].clone();
third.title = "One of them"; await calendar.modifyItem(third, third.parentItem === item ? item.recurrenceInfo.getOccurrenceFor(third.recurrenceId) : third);
"""
    )
    until(
        "the edited occurrence",
        lambda: any(one["title"] == "One of them" for one in api.ask("GET", f"/events/{stored['id']}/occurrences?from=2027-01-01&to=2027-12-31")),
    )
    check("edit one occurrence")

    stored = api.find(title="Edited again")
    api.rename(stored, "Edited elsewhere")
    rename("Edited again", "Edited unseen")
    until("the conflict is noticed", lambda: run("return state.asked.length") > 0)
    assert api.find(title="Edited elsewhere"), "a change that Thunderbird has not seen was overwritten"
    check("conflict refused")

    until("the change elsewhere is read", lambda: run("calendar.refresh(); await new Promise(r => setTimeout(r, 1000)); return !!(await find('Edited elsewhere'))"))
    run("state.asked.length = 0")
    rename("Edited elsewhere", "Edited after reading again")
    until("the edit after the conflict", lambda: api.find(title="Edited after reading again"))
    assert run("return state.asked.length") == 0, "it asked again after the sync"
    check("edit after sync")

    # "Overwrite" in its window sends the change without If-Match, which is refused until it has synchronised.
    stored = api.find(title="Edited after reading again")
    api.rename(stored, "Edited elsewhere again")
    run("state.answer = true")
    rename("Edited after reading again", "Overwritten")
    until("it has asked again", lambda: run("return state.asked.length") > 1)
    assert api.find(title="Edited elsewhere again"), "a change that Thunderbird has not seen was overwritten"
    run("state.asked.length = 0; state.answer = false")
    check("overwrite refused")

    run(
        """
for (const title of ["There before", "Edited elsewhere again"]) {
  calendar.refresh();
  const end = Date.now() + 30000;
  while (!(await find(title))) { if (Date.now() > end) throw new Error("not there: " + title); await new Promise(r => setTimeout(r, 300)) }
  await calendar.deleteItem(await find(title));
}
"""
    )
    left = lambda: {item["id"] for item in api.ask("GET", "/events")} & {before["id"], stored["id"]}  # noqa: E731
    until("the deletions have arrived", lambda: not left())
    check("delete")
    print(", ".join(done))
finally:
    try:
        thunderbird.send("Marionette:Quit", {"flags": ["eForceQuit"]})
    except Exception:  # noqa: BLE001
        pass
    try:
        program.wait(15)
    except subprocess.TimeoutExpired:
        program.terminate()
        program.wait(15)
