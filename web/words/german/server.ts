// Words of the administration of the server and its data in German.
import type * as english from '../english/server.ts'
import { service } from './service.ts'

export const admin: typeof english.admin = {
  service,
  healthPage: {
    lead: 'Prüfungen des Servers, wie sie „daybook doctor“ auf dem Rechner selbst macht. Das Ansehen ändert nichts.',
    again: 'Erneut prüfen',
    checking: 'Wird geprüft …',
    checked: 'Geprüft',
    summary: (problems, warnings) => {
      const parts = [
        problems > 0 && (problems === 1 ? '1 Problem' : `${problems} Probleme`),
        warnings > 0 && (warnings === 1 ? '1 Warnung' : `${warnings} Warnungen`),
      ].filter(Boolean)
      return parts.length > 0 ? `${parts.join(' und ')}. Was zu tun ist, steht unten.` : 'Alles ist in Ordnung.'
    },
    levels: { ok: 'In Ordnung', warning: 'Warnung', problem: 'Problem' },
    areas: {
      configuration: 'Einstellungen',
      files: 'Dateien',
      disk: 'Datenträger',
      database: 'Datenbank',
      index: 'Index',
      time: 'Zeit',
      mail: 'E-Mail',
      service: 'Dienst',
      public_url: 'Öffentliche Adresse',
      certificate: 'Zertifikat',
      proxy: 'Proxy',
      backup: 'Sicherung',
    },
  },
  diagnosticsPage: {
    lead: 'Die letzten Anfragen, die neuesten zuerst. Die Inhalte der Anfragen werden nicht gespeichert, nur Feldnamen, Typen und Größen.',
    live: 'Wird alle paar Sekunden aktualisiert.',
    pause: 'Anhalten',
    goOn: 'Fortsetzen',
    paused: 'Angehalten.',
    latest: (count) => (count === 1 ? '1 neue Anfrage.' : `${count} neue Anfragen.`),
    answers: 'Antworten',
    anyAnswer: 'Alle Antworten',
    refused: 'Abgelehnt (4xx)',
    failed: 'Fehlgeschlagen (5xx)',
    fine: 'Erfolgreich (unter 400)',
    who: 'Angemeldet mit',
    anyWho: 'Beliebig',
    auths: {
      anonymous: 'nicht angemeldet',
      session: 'einem Browser',
      basic: 'einem Passwort',
      token: 'einem Token',
    },
    search: 'Adresse oder Fehler enthält',
    ownOut: 'Dateien der Seiten und Anfragen dieser Seite ausblenden',
    table: 'Anfragen',
    time: 'Zeit',
    request: 'Anfrage',
    answer: 'Antwort',
    duration: 'Dauer',
    net: 'Netz',
    unknownRoute: 'unbekannte Adresse',
    details: 'Einzelheiten dieser Anfrage',
    milliseconds: (ms) => `${Math.round(ms)} ms`,
    empty: 'Keine Anfrage passt. Ändern Sie die Filter, oder warten Sie auf die nächste.',
    rebuilding: (done, total) =>
      `Der Index der Termine wird neu aufgebaut: ${done} von ${total} Veranstaltungen. Sie können den Kalender weiter nutzen.`,
    unreadable: (count) =>
      count === 1
        ? 'Eine gespeicherte Veranstaltung kann nicht gelesen werden. Sie steht im Log; `daybook reindex` nennt sie erneut.'
        : `${count} gespeicherte Veranstaltungen können nicht gelesen werden. Sie stehen im Log; \`daybook reindex\` nennt sie erneut.`,
    clockInDoubt:
      'Die Uhr des Servers weicht um Tage von der Zeit ab, zu der der Kalender zuletzt verwendet wurde. Abgelaufene Daten werden nicht entfernt, bis die Uhr richtig gestellt oder mit `daybook reindex --accept-clock` bestätigt ist.',
    backupFailing: 'Die letzte geplante Sicherung ist fehlgeschlagen. Der Grund steht im Log des Dienstes.',
    skipped: (count) =>
      `${count === 1 ? '1 Anfrage wurde' : `${count} Anfragen wurden`} nicht aufgezeichnet, weil der Server ausgelastet war.`,
    inClear:
      'In den letzten sieben Tagen wurde ein Passwort oder ein persönlicher Feed-Link über unverschlüsseltes http gesendet. Suchen Sie im Protokoll nach „Zugangsdaten über unverschlüsseltes http gesendet“.',
    loopbackHttp:
      'Die Einstellung allow_loopback_http ist an: Unverschlüsseltes http wird auf dem Server selbst angenommen, obwohl die öffentliche Adresse https ist.',
    id: 'Kennung der Anfrage',
    node: 'Knoten',
    user: 'Person',
    query: 'Parameter',
    headers: 'Header der Anfrage',
    body: 'Gesendete Felder',
    answerHeaders: 'Header der Antwort',
    bytes: 'Bytes empfangen, gesendet',
    error: 'Fehler',
    limit: 'Abgelehnt durch die Grenze',
  },
  rewindPage: {
    head: 'Den Kalender zurücksetzen',
    lead: 'Veranstaltungen, die seit einem Zeitpunkt angelegt wurden, kommen in den Papierkorb; seitdem geänderte erhalten ihren damaligen Text; seitdem gelöschte kommen zurück, für alle. Sie sehen zuerst eine Vorschau und können es rückgängig machen.',
    to: 'Wie er war am',
    toHint: (zone) => `In der Zeitzone ${zone}.`,
    by: 'Nur Änderungen von',
    byHint:
      'Die E-Mail-Adresse eines Kontos. Veranstaltungen, die ein anderes Konto später geändert hat, bleiben, wie sie sind.',
    badMoments: {
      invalid_format: 'Geben Sie ein Datum und eine Uhrzeit ein.',
      not_allowed: 'Dieser Zeitpunkt liegt in der Zukunft.',
    },
    preview: 'Vorschau anzeigen',
    looking: 'Die Veranstaltungen werden verglichen …',
    working: 'Der Kalender wird zurückgesetzt … Lassen Sie diese Seite geöffnet.',
    wouldHead: 'Was geschehen würde',
    didHead: 'Was geschehen ist',
    counts: ({ deleted, changed, restored, skipped, dry_run: isDryRun }) =>
      `${deleted} in den Papierkorb, ${changed} zurückgeändert, ${restored} wiederhergestellt${
        skipped > 0 ? `, ${skipped} ${isDryRun ? 'würden' : 'wurden'} unverändert gelassen` : ''
      }.`,
    published: (count, isDryRun) => {
      const events = count === 1 ? 'Eine private Veranstaltung' : `${count} private Veranstaltungen`
      if (isDryRun) return `${events} ${count === 1 ? 'wäre' : 'wären'} wieder öffentlich.`
      return `${events} ${count === 1 ? 'ist' : 'sind'} wieder öffentlich.`
    },
    publicAgain: '– wieder öffentlich',
    notKept:
      'Frühere Fassungen und gelöschte Veranstaltungen werden nicht lange genug aufbewahrt, um den Kalender zurückzusetzen: Der Server setzt history_days oder trash_days auf 0.',
    nothing: 'Der Kalender ist so, wie er zu diesem Zeitpunkt war; es gibt nichts zurückzusetzen.',
    now: (count) => (count === 1 ? 'Eine Veranstaltung zurücksetzen …' : `${count} Veranstaltungen zurücksetzen …`),
    sure: (count) =>
      count === 1
        ? 'Eine Veranstaltung wird für alle wieder zu dem, was sie war. Sie können das danach rückgängig machen.'
        : `${count} Veranstaltungen werden für alle wieder zu dem, was sie waren. Sie können das danach rückgängig machen.`,
    yes: (count) => (count === 1 ? 'Ja, zurücksetzen' : `Ja, ${count} Veranstaltungen zurücksetzen`),
    undo: 'Vorschau, wie dies rückgängig gemacht wird',
    events: 'Veranstaltungen',
    event: 'Veranstaltung',
    result: 'Ergebnis',
    results: {
      deleted: { would: 'in den Papierkorb', did: 'im Papierkorb' },
      changed: { would: 'zurückgeändert', did: 'zurückgeändert' },
      restored: { would: 'wiederhergestellt', did: 'wiederhergestellt' },
      skipped: { would: 'unverändert gelassen', did: 'unverändert gelassen' },
    },
    reasons: {
      changed_later: 'ein anderes Konto hat sie später geändert',
      changed_meanwhile: 'sie wurde während des Zurücksetzens geändert',
      not_kept: 'ihr damaliger Text wird nicht aufbewahrt',
      uid_conflict: 'sie wurde inzwischen neu angelegt',
      not_stored: 'sie konnte nicht gespeichert werden',
    },
    truncated: 'Nur die ersten 1.000 Veranstaltungen sind aufgeführt. Die Zahlen oben umfassen alle.',
    refusals: {
      user_not_found: 'Zu dieser E-Mail-Adresse gibt es kein Konto.',
      rewind_too_early:
        'Was der Kalender zu diesem Zeitpunkt war, wird nicht mehr aufbewahrt. Wählen Sie einen späteren.',
    },
  },
  transferPage: {
    importHead: 'Kalenderdatei importieren',
    importLead:
      'Importiert eine .ics-Datei aus einem anderen Programm, höchstens 10 MiB. Veranstaltungen werden an ihrer UID erkannt: Vorhandene werden aktualisiert, neue hinzugefügt, und keine werden gelöscht. Es werden keine E-Mails gesendet. Sie sehen zuerst eine Vorschau.',
    file: 'Kalenderdatei (.ics)',
    tooLarge: (size, command) =>
      `Diese Datei ist ${size} groß; die Grenze ist hier 10 MiB. Auf dem Server können Sie eine Datei jeder Größe importieren: ${command} import calendar.ics`,
    rehearse: 'Vorschau des Imports',
    uploading: 'Die Datei wird hochgeladen …',
    looking: 'Die Datei wird gelesen …',
    importing:
      'Die Veranstaltungen werden importiert … Eine große Datei braucht ein bis zwei Minuten; lassen Sie diese Seite geöffnet.',
    wouldHead: 'Was geschehen würde',
    didHead: 'Was geschehen ist',
    importNow: (count) => (count === 1 ? '1 Veranstaltung importieren' : `${count} Veranstaltungen importieren`),
    nothing: 'In dieser Datei ist nichts Neues; es gibt also nichts zu importieren.',
    done: 'Der Import ist abgeschlossen.',
    unreadable: (line) =>
      `Das ist keine Kalenderdatei, oder sie ist unvollständig (Zeile ${line}). Es wurde nichts importiert.`,
    notCalendar: 'Das ist keine Kalenderdatei in UTF-8. Es wurde nichts importiert.',
    results: {
      created: { would: 'neu', did: 'neu' },
      updated: { would: 'würden geändert', did: 'geändert' },
      unchanged: { would: 'unverändert', did: 'unverändert' },
      skipped: { would: 'würden übersprungen', did: 'übersprungen' },
    },
    show: 'Anzeigen',
    all: 'Alle Einträge',
    entries: 'Einträge der Datei',
    line: 'Zeile',
    event: 'Veranstaltung',
    result: 'Ergebnis',
    continues: 'Sie wurde früher gelöscht; die gelöschte Fassung ist noch im Papierkorb.',
    more: (count) => `… und ${count} weitere. Die Zahlen oben umfassen alle Einträge.`,
    exportHead: 'Alles exportieren',
    exportLead:
      'Alle Veranstaltungen mit allen Einzelheiten, auch private, in einer Datei. Bewahren Sie sie dort auf, wo nur Sie sie lesen können.',
    export: 'calendar.ics herunterladen',
  },
  settingsPage: {
    lead: 'Änderungen gelten sofort, auf jedem Knoten innerhalb von zehn Sekunden. Sie stehen im Protokoll.',
    calendar: 'Kalender',
    accounts: 'Konten',
    backups: 'Sicherungen',
    save: 'Speichern',
    saved: 'Die Einstellungen wurden gespeichert.',
    nothing: 'Es gibt nichts zu speichern.',
    reset: 'Zurücksetzen',
    resetOf: (label) => `Zurücksetzen: ${label}`,
    defaultIs: (value) => (value ? `Vorgabe: ${value}` : 'Hier geändert'),
    overruled: (value) => `Hier auf „${value}“ gesetzt, was nicht gilt.`,
    empty: 'nicht gesetzt',
    fields: {
      site_name: { label: 'Name des Kalenders', hint: 'Oben auf jeder Seite, in Mails und Feeds.' },
      timezone: {
        label: 'Zeitzone',
        hint: 'Für Tage und Zeiten ohne eigene Zeitzone. Ganztägige Veranstaltungen bleiben an ihren Tagen, andere zu ihren Zeiten.',
      },
      week_start: {
        label: 'Die Woche beginnt am',
        hint: 'Je nach Sprache sehen amerikanische Leser Wochen ab Sonntag und deutsche ab Montag.',
      },
      language: {
        label: 'Sprache',
        hint: 'Für Mails und für Leser, deren Browser keine der angebotenen Sprachen nennt.',
      },
      default_visibility: {
        label: 'Neue Veranstaltungen sind',
        hint: 'Sofern beim Anlegen nichts anderes gewählt wird.',
      },
      embed_sites: {
        label: 'Websites, die den Kalender in einem Rahmen zeigen dürfen',
        hint: 'Adressen wie https://www.example.org, durch Kommas getrennt; * heißt jede Website.',
      },
      registration: { label: 'Anfragen für Konten', hint: 'Wartende Anfragen können in jedem Fall angenommen werden.' },
      notify_admins: { label: 'Wenn ein Konto angefragt wird', hint: '' },
      mail_from: { label: 'Absender der Mails', hint: 'Der Mailserver muss diese Adresse als Absender annehmen.' },
      backup_every: {
        label: 'Wie oft eine Sicherung gemacht wird',
        hint: 'Stunden oder Tage, etwa 6h oder 1d.',
      },
      backup_keep: {
        label: 'Welche Sicherungen bleiben',
        hint: 'Die jeweils letzte von so vielen Tagen, Wochen und Monaten, mindestens 7d 4w 12m.',
      },
    },
    problems: {
      site_name: { invalid_format: 'Der Name muss eine Zeile mit 1 bis 100 Zeichen sein.' },
      embed_sites: {
        invalid_format: 'Jede Website braucht eine Adresse wie https://www.example.org, ohne Pfad.',
      },
      backup_every: { invalid_format: 'Das müssen Stunden oder Tage sein, etwa 6h oder 1d.' },
      backup_keep: {
        invalid_format: 'Das müssen Tage, Wochen und Monate sein, etwa 7d 4w 12m.',
        not_allowed: 'Das muss mindestens 7d 4w 12m sein. Weniger kann der Betreiber auf dem Server festlegen.',
      },
    },
    refusals: {
      version_mismatch:
        'Jemand anderes hat inzwischen Einstellungen geändert. Felder, die Sie nicht geändert haben, zeigen das jetzt; prüfen Sie sie und speichern Sie erneut.',
      email_not_verified:
        'Mit einem Mailserver brauchen Konten eine bestätigte Adresse, und Ihre ist nicht bestätigt. Bitten Sie einen anderen Administrator, sie auf der Seite „Personen“ als bestätigt zu kennzeichnen.',
    },
    weekStartAuto: 'je nach Sprache der Leser',
    visibilities: { private: 'privat', public: 'öffentlich' },
    registrations: { open: 'offen', closed: 'geschlossen' },
    notifications: { on: 'Administratoren eine Mail senden', off: 'keine Mail senden' },
    noBackupFolder:
      'Es werden keine Sicherungen gemacht, weil kein Ordner dafür festgelegt ist: Der Betreiber setzt backup_dir auf dem Server.',
    mailServer: {
      title: 'Mail',
      lead: 'Ohne Mailserver sind Mails Dateien auf dem Server. Mit einem brauchen Konten eine bestätigte Adresse, sofern der Betreiber nichts anderes festgelegt hat.',
      server: 'Mailserver',
      serverHint: 'Sein Name, etwa mail.example.org.',
      port: 'Port',
      encryption: 'Verschlüsselung',
      encryptions: {
        starttls: 'STARTTLS (üblich, Port 587)',
        tls: 'TLS von Anfang an (Port 465)',
        none: 'keine, nur auf demselben Rechner oder im selben Netz',
      },
      user: 'Benutzername',
      password: 'Passwort',
      stored: 'leer behält es',
      passwordEnds:
        'Das gespeicherte Passwort gehört zum bisherigen Server und Benutzernamen und endet mit dieser Änderung. Geben Sie es erneut ein.',
      remove: 'Mailserver entfernen',
      ownPasswordHint:
        'Um diese Einstellungen zu ändern, weil Mails Links enthalten, mit denen Passwörter zurückgesetzt werden.',
      problems: {
        invalid_format: 'Das ist nicht der Name eines Servers, oder der Port ist keine Zahl.',
        not_allowed: 'Ein Passwort braucht einen Benutzernamen.',
      },
      test: 'Mir eine Test-E-Mail senden',
      testing: 'Wird gesendet …',
      saveFirst: 'Speichern Sie zuerst Ihre Änderungen.',
      tested: (to) => `Die Test-E-Mail an ${to} wurde angenommen. Sehen Sie nach, ob sie ankommt.`,
      testedFile: 'Es gibt keinen Mailserver; die Test-E-Mail wurde in eine Datei auf dem Server geschrieben.',
      testFailed: (why) => `Die Test-E-Mail wurde nicht gesendet: ${why}.`,
    },
    machine: 'Auf dem Server',
    machineLead:
      'Diese Einstellungen ändert der Betreiber in daybook.json oder der Umgebung; sie gelten ab dem nächsten Start.',
    origins: {
      environment: 'aus der Umgebung',
      file: 'aus daybook.json',
      database: 'hier geändert',
      default: 'Vorgabe',
    },
  },
}
