// Findings of the health page in German.
import type { FindingValues } from '../../../src/contract/health.ts'
import type * as english from '../english/findings.ts'

const EXPIRY =
  'Erneuern Sie es. Daybook liest erneuerte Dateien von selbst; ein Proxy muss eventuell neu geladen werden.'
const AS_SERVICE =
  'Prüfen Sie Eigentümer und Rechte von Ordner und Dateien (chown, chmod): Der Benutzer des Dienstes muss sie lesen und schreiben dürfen.'
const MAIL = 'Prüfen Sie smtp_url und smtp_tls. Mails warten in der Datenbank und werden gesendet, sobald es geht.'
const ROOM = 'Löschen Sie Dateien oder vergrößern Sie den Datenträger.'

const restore = ({ command, engine }: FindingValues): string =>
  engine === 'postgres'
    ? `Beenden Sie den Dienst, geben Sie in database_url eine leere Datenbank an und spielen Sie eine Sicherung ein: ${command} restore DATEI.`
    : `Beenden Sie den Dienst, verschieben Sie daybook.db* in einen anderen Ordner und spielen Sie eine Sicherung ein: ${command} restore DATEI.`

const placeOf = (place: unknown): string => (place === 'backup_dir' ? 'von backup_dir' : 'des Datenordners')
const fileOf = (name: unknown): string => (name === 'data_dir' ? 'Der Datenordner' : `${name}`)
const mib = (value: unknown): string => `${Number(value).toLocaleString('de')} MiB`
const lastOf = (last: unknown): string => (last ? `die letzte ist von ${last}` : 'es gibt noch keine')
const certificateOf = (isServed: unknown): string =>
  isServed ? 'Das Zertifikat von public_url' : 'Das Zertifikat in tls_certificate'

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'dort antwortet nichts',
  ENOTFOUND: 'es gibt keinen Host dieses Namens',
  EAI_AGAIN: 'der Hostname lässt sich gerade nicht auflösen',
  ABORT_ERR: 'keine Antwort innerhalb der Frist',
  ETIMEDOUT: 'keine Antwort innerhalb der Frist',
  ECONNRESET: 'die Verbindung wurde ohne Antwort geschlossen',
  EPROTO: 'dort wird kein TLS gesprochen',
}

const MAIL_PROBLEMS: Record<string, string> = {
  EAUTH: 'der Mailserver hat Benutzername oder Passwort abgelehnt',
  EDNS: 'es gibt keinen Host dieses Namens',
  ENOTFOUND: 'es gibt keinen Host dieses Namens',
  ECONNECTION: 'es kam keine Verbindung zustande',
  ECONNREFUSED: 'dort antwortet nichts',
  ESOCKET: 'dort antwortet nichts',
  EUNTRUSTED: 'dort antwortet nichts, oder das Zertifikat ist nicht vertrauenswürdig',
  ETIMEDOUT: 'keine Antwort innerhalb der Frist',
  ETLS: 'der Server bietet keine Verschlüsselung an (smtp_tls off sendet ohne)',
}

function mailProblem({ where, reason, cause }: FindingValues): string {
  const place = where || 'Ordner für Mails'
  const known = MAIL_PROBLEMS[`${reason}`]
  if (known) return `${place}: ${known}`
  if (reason === 'refused') return `${place} nimmt keine Mails für diese Adresse an (${cause})`
  return `${place} hat die Mail nicht angenommen (${cause})`
}

const DATABASE: Record<string, string> = {
  disk_full: 'Der Datenträger ist voll, oder die Datenbank hat ihre Größengrenze erreicht',
  read_only: 'Die Datenbank ist schreibgeschützt',
  io_error: 'Der Datenträger oder das Dateisystem meldet einen Fehler',
  permission_denied: 'Die Datenbank verweigert diesem Benutzer den Zugriff',
  data_missing: 'Eine Datei der Datenbank fehlt',
  database_unreachable: 'Die Datenbank ist nicht erreichbar',
  write_failed: 'Ein Schreibversuch in die Datenbank ist fehlgeschlagen',
  locked: 'Ein anderer Prozess hält die Schreibsperre der Datenbank',
  busy: 'Die Datenbank ist ausgelastet',
}

export const findings: typeof english.findings = {
  check_failed: ({ kind }) => [`Dies konnte nicht geprüft werden (${kind})`, 'Melden Sie es mit dieser Zeile.'],
  categories_not_managed: ({ count }) => [
    `Kategorien von Veranstaltungen ohne eigene Farbe: ${count}`,
    'Übernehmen Sie sie auf der Seite „Kategorien“: Ein Klick gibt jeder eine Farbe und einen Platz.',
  ],
  config_ok: () => ['Die Einstellungen sind gültig und passen zusammen'],
  config_invalid: () => [
    'tls_certificate: Die Datei enthält kein PEM-Zertifikat',
    'Geben Sie eine PEM-Datei mit der Zertifikatskette an.',
  ],
  setting_without_effect: ({ name, needed }) => {
    const other = needed === 'an https public_url' ? 'eine https-Adresse in public_url' : `${needed}`
    return [
      `${name} ist gesetzt, wirkt aber nicht ohne ${other}`,
      `Setzen Sie auch ${other}, oder entfernen Sie ${name}.`,
    ]
  },
  https_unreachable: () => [
    'public_url ist https, aber trust_proxy nennt keinen Proxy und tls_certificate ist nicht gesetzt: Jede Anfrage wird mit https_required abgelehnt',
    'Setzen Sie trust_proxy auf die Adresse Ihres Proxys und lassen Sie ihn X-Forwarded-Proto und X-Forwarded-For setzen, oder setzen Sie tls_certificate und tls_key.',
  ],
  loopback_http_allowed: () => [
    'allow_loopback_http ist on: Ein Proxy auf diesem Rechner, der keine Kopfzeilen setzt, macht alle Besucher zu lokalen',
    'Setzen Sie allow_loopback_http auf off, wenn keine Programme auf diesem Rechner http brauchen.',
  ],
  public_url_plain: () => [
    'public_url ist unverschlüsseltes http: Anmelden wird abgelehnt, außer auf diesem Rechner',
    'Bieten Sie HTTPS an, über einen Proxy oder direkt, und setzen Sie public_url auf die https-Adresse.',
  ],
  rate_limits_off: () => [
    'rate_limits ist off: Passwörter können unbegrenzt geraten werden',
    'Setzen Sie rate_limits auf on. Nur Lasttests brauchen off.',
  ],
  commits_not_durable: () => [
    'durable_commits ist off: Bei einem Stromausfall können bestätigte Veranstaltungen verloren gehen',
    'Schalten Sie fsync und synchronous_commit in PostgreSQL ein und setzen Sie durable_commits auf on.',
  ],
  mail_password_in_clear: () => [
    'smtp_tls ist off: Das Passwort des Mailservers wird unverschlüsselt gesendet',
    'Setzen Sie smtp_tls auf on, oder verwenden Sie einen Mailserver auf diesem Rechner.',
  ],
  verification_without_mail: () => [
    'require_verified_email ist on, aber es gibt keinen Mailserver, der die Links sendet',
    'Setzen Sie smtp_url, oder geben Sie den Personen die Links aus den Dateien in data/mail.',
  ],
  files_ok: () => ['Nur der Eigentümer kann die Daten lesen, und der Dienst kann sie schreiben'],
  files_not_checked: () => ['Dateirechte werden unter Windows nicht geprüft'],
  folder_open: ({ mode }) => [
    `Andere Benutzer dieses Rechners können den Datenordner betreten (Modus ${mode})`,
    'Führen Sie chmod 700 für den Ordner aus.',
  ],
  file_open: ({ file, mode }) => {
    if (file === 'daybook.json' || file === 'tls_key')
      return [
        file === 'tls_key'
          ? `Andere Benutzer dieses Rechners können den Schlüssel des Zertifikats lesen (Modus ${mode})`
          : `Andere Benutzer dieses Rechners können die Einstellungen mit ihren Passwörtern und Tokens lesen (Modus ${mode})`,
        'Führen Sie chmod 600 für die Datei aus, oder 640 mit der Gruppe des Dienstes.',
      ]
    return [
      `Andere Benutzer dieses Rechners können ${file} lesen (Modus ${mode})`,
      'Führen Sie chmod 600 für die Datei aus: Sie enthält private Veranstaltungen und Passwort-Hashes.',
    ]
  },
  file_owner: ({ name, user, owner }) => [
    `${name} gehört einem anderen Benutzer (${user}) als der Datenordner (${owner})`,
    'Führen Sie chown für die Datei aus, damit beide dem Benutzer des Dienstes gehören.',
  ],
  file_not_accessible: ({ name }) => [
    `${fileOf(name)}: Dieser Benutzer kann dort nicht lesen und schreiben`,
    AS_SERVICE,
  ],
  disk_ok: (values) => [`Auf dem Datenträger ${placeOf(values.place)} sind ${mib(values.mib)} frei`],
  disk_low: ({ place, mib: free, files }) =>
    files === undefined
      ? [
          `Auf dem Datenträger ${placeOf(place)} sind ${mib(free)} frei; eine Sicherung passt dort vielleicht nicht`,
          ROOM,
        ]
      : [
          `Das Dateisystem ${placeOf(place)} hat nur noch Platz für ${files} Dateien`,
          'Löschen Sie Dateien, die nicht gebraucht werden.',
        ],
  disk_full: (values) => [
    `Auf dem Datenträger ${placeOf(values.place)} sind nur ${mib(values.mib)} frei; Schreiben schlägt fehl`,
    `${ROOM} Der Dienst schreibt wieder, sobald Platz ist.`,
  ],
  database_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'PostgreSQL antwortet, und das Schema ist das dieser Version (Zeilen und Verweise werden hier nicht gelesen)'
      : 'SQLite findet keinen Schaden (Schnellprüfung), Verweise sind vollständig, und das Schema ist das dieser Version',
  ],
  database_unreachable: ({ reason, code }) => [
    `${DATABASE[`${reason}`] ?? DATABASE.database_unreachable}${code}`,
    'Prüfen Sie database_url, die Rechte des Benutzers, den Datenordner und den Datenträger.',
  ],
  database_unsuitable: ({ detail }) => [
    `Die Datenbank ist nicht geeignet: ${detail}`,
    'Der Dienst startet erst, wenn das behoben ist.',
  ],
  database_damaged: (values) => [`Die Datenbank ist beschädigt: ${values.detail}`, restore(values)],
  references_broken: ({ tables }) => [
    `Zeilen verweisen auf andere, die es nicht gibt, in: ${tables}`,
    'Spielen Sie eine Sicherung ein, oder melden Sie es: Keine Version von Daybook schreibt solche Zeilen.',
  ],
  database_index_invalid: ({ indexes }) => [
    `Diese Indizes sind ungültig: ${indexes}`,
    'Führen Sie für jeden davon REINDEX INDEX aus.',
  ],
  schema_outdated: ({ count }) => [
    `Die Datenbank ist von einer älteren Version von Daybook (fehlende Migrationen: ${count})`,
    'Machen Sie eine Sicherung und starten Sie den Dienst: Er bringt die Datenbank auf den neuesten Stand.',
  ],
  schema_newer: ({ migration }) => [
    `Die Datenbank ist von einer neueren Version von Daybook (Migration ${migration})`,
    'Verwenden Sie jene Version, oder spielen Sie eine Sicherung dieser Version ein.',
  ],
  index_ok: ({ checked }) => [`Spalten und Termine von ${checked} Veranstaltungen entsprechen ihren Texten`],
  index_wrong: ({ count, ids, command }) => [
    `Falsch abgeleitete Veranstaltungen: ${count} (${ids})`,
    `Führen Sie ${command} reindex aus; das behebt es, auch während der Dienst läuft.`,
  ],
  index_rebuilding: () => [
    'Veranstaltungen werden neu abgeleitet; bis dahin können in Listen einige fehlen',
    'Lassen Sie den Dienst laufen; GET /readyz zeigt den Fortschritt.',
  ],
  index_outdated: () => [
    'Veranstaltungen wurden mit anderen Zeitzonendaten, einer anderen Zone oder einer anderen Version abgeleitet',
    'Starten Sie den Dienst neu: Er leitet sie von selbst neu ab.',
  ],
  events_unreadable: ({ count, ids }) => [
    `Nicht lesbare Veranstaltungen: ${count} (${ids})`,
    'Stellen Sie sie aus einer Sicherung wieder her, oder löschen Sie sie. Sie werden niemandem angezeigt.',
  ],
  clock_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'Die Uhr passt zu PostgreSQL und zur letzten Benutzung des Kalenders'
      : 'Die Uhr passt zur letzten Benutzung des Kalenders',
  ],
  clock_in_doubt: ({ days, is_ahead, command }) => [
    `Die Uhr geht ${days} Tage ${is_ahead ? 'vor' : 'nach'}, verglichen mit der letzten Benutzung des Kalenders; solange wird nichts endgültig gelöscht`,
    `Stellen Sie die Uhr und starten Sie den Dienst neu. Wenn die Uhr stimmt, führen Sie ${command} reindex --accept-clock aus.`,
  ],
  clock_drift: ({ seconds, is_ahead }) => [
    `Die Uhr dieses Rechners geht gegenüber PostgreSQL ${Number(seconds).toLocaleString('de')} s ${is_ahead ? 'vor' : 'nach'}`,
    'Lassen Sie beide Uhren von einem Zeitserver stellen. Der Dienst verwendet die Zeit von PostgreSQL.',
  ],
  zone_data_ok: ({ tz, icu, timezone }) => [`Zeitzonendaten ${tz}, ICU ${icu}; der Kalender ist in ${timezone}`],
  zone_data_old: ({ tz }) => [
    `Die Zeitzonendaten sind von der Version ${tz}`,
    'Aktualisieren Sie Daybook; dessen eigenes Node bringt die Zeitzonendaten mit.',
  ],
  mail_ok: ({ server, is_encrypted, has_login }) => [
    `Der Mailserver ${server} antwortet ${is_encrypted ? 'über TLS' : 'ohne Verschlüsselung'}${has_login ? ' und nimmt die Anmeldung an' : ''}`,
  ],
  mail_to_files: () => [
    'Es ist kein Mailserver gesetzt: Mails werden in Dateien geschrieben',
    'Setzen Sie smtp_url für den öffentlichen Betrieb.',
  ],
  mail_failing: (values) => [mailProblem(values), MAIL],
  mail_not_sent: (values) => [mailProblem(values), MAIL],
  service_ok: () => ['Der Dienst ist bereit'],
  service_not_ready: ({ reason }) => [
    `Der Dienst ist nicht bereit: ${reason}`,
    'docs/monitoring.md erklärt jeden Grund; das Log hat die Einzelheiten.',
  ],
  public_url_ok: ({ origin }) => [`${origin} zeigt diesen Kalender`],
  public_url_not_checked: () => ['public_url konnte nicht geprüft werden'],
  public_url_unreachable: ({ origin, reason }) => [
    `${origin} ist nicht erreichbar: ${UNREACHABLE[`${reason}`] ?? `keine Verbindung (${reason})`}`,
    'Prüfen Sie public_url, DNS, Firewall und Proxy. Wenn nur dieser Rechner seine eigene öffentliche Adresse nicht erreicht, versuchen Sie es von einem anderen.',
  ],
  public_url_elsewhere: ({ origin, status }) => [
    `${origin} antwortet mit ${status}, aber nicht als dieser Kalender`,
    'Prüfen Sie public_url und url_slug, und wohin der Proxy Anfragen sendet: Ein anderer Dienst, ein anderer Kalender oder eine ältere Version antwortet.',
  ],
  certificate_ok: ({ is_served, end }) => [`${certificateOf(is_served)} ist gültig bis ${end}`],
  certificate_expiring: ({ is_served, end, days }) => [
    `${certificateOf(is_served)} läuft am ${end} ab, in ${days} ${days === 1 ? 'Tag' : 'Tagen'}`,
    EXPIRY,
  ],
  certificate_expired: ({ is_served, end }) => [`${certificateOf(is_served)} ist am ${end} abgelaufen`, EXPIRY],
  certificate_not_valid_yet: ({ is_served }) => [
    `${certificateOf(is_served)} ist noch nicht gültig`,
    'Prüfen Sie die Uhr dieses Rechners.',
  ],
  certificate_wrong_name: ({ is_served, hostname }) => [
    `${certificateOf(is_served)} gilt nicht für ${hostname}`,
    'Besorgen Sie ein Zertifikat für den Hostnamen von public_url.',
  ],
  certificate_untrusted: ({ reason }) => [
    `Dieser Rechner vertraut dem Zertifikat von public_url nicht (${reason})`,
    'Liefern Sie die ganze Kette mit Zwischenzertifikaten aus, von einer Stelle, die Browser kennen.',
  ],
  proxy_ok: ({ is_proxied }) => [
    is_proxied ? 'Der Proxy gibt Schema und Adresse der Besucher weiter' : 'Anfragen kommen ohne Proxy an',
  ],
  proxy_bare: ({ sender, nginx }) => [
    'Der Proxy leitet Anfragen ohne Forwarding-Kopfzeilen weiter: Schema und Adresse der Besucher sind unbekannt',
    `Für nginx: ${nginx} Nennen Sie den Proxy in trust_proxy: ${sender}.`,
  ],
  proxy_untrusted: ({ sender }) => [
    `Ein Proxy mit der Adresse ${sender} setzt Forwarding-Kopfzeilen, steht aber nicht in trust_proxy`,
    `Fügen Sie ${sender} zu trust_proxy hinzu.`,
  ],
  proxy_without_scheme: ({ header }) => [
    'Der Proxy sagt nicht, dass Besucher https verwenden; ihre Anfragen werden deshalb abgelehnt',
    header === 'Forwarded'
      ? 'Lassen Sie ihn Forwarded mit proto=https setzen.'
      : 'Lassen Sie ihn X-Forwarded-Proto auf das Schema des Besuchers setzen.',
  ],
  proxy_without_address: ({ header }) => [
    'Der Proxy gibt keine Adressen weiter: Alle Besucher teilen sich ein Limit',
    header === 'Forwarded' ? 'Lassen Sie ihn Forwarded mit for= setzen.' : 'Lassen Sie ihn X-Forwarded-For ergänzen.',
  ],
  backup_ok: ({ last }) => [`Sicherungen werden nach Plan gemacht; ${lastOf(last)}`],
  backup_unknown: ({ command }) => [
    'Es sind keine Sicherungen geplant, und Daybook weiß nichts von anderen',
    `Setzen Sie backup_dir, oder führen Sie regelmäßig ${command} backup aus, und bewahren Sie die Dateien auf einem anderen Rechner auf.`,
  ],
  backup_failing: ({ last }) => [
    `Die geplante Sicherung ist fehlgeschlagen; ${lastOf(last)}`,
    'Das Log des Dienstes sagt, warum. Ist in backup_dir Platz, und darf der Dienst dort schreiben?',
  ],
  backup_overdue: ({ last }) => [`Eine geplante Sicherung ist überfällig; ${lastOf(last)}`, 'Läuft der Dienst?'],
  backup_missing: ({ name }) => [
    `Die letzte geplante Sicherung, ${name}, ist nicht in backup_dir`,
    'Wurde sie gelöscht oder verschoben, oder hat sie ein anderer Knoten in einen eigenen Ordner geschrieben?',
  ],
  backup_ahead: ({ names, more }) => [
    `backup_dir hat Sicherungen, deren Name in der Zukunft liegt: ${names}${more ? ` und ${more} weitere` : ''}`,
    'Wenn die Uhr stimmt, ging sie damals vor. Diese Sicherungen werden nie gelöscht: Löschen Sie sie oder benennen Sie sie um.',
  ],
}
