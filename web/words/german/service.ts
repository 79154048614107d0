// What the service writes, in German: settings of the machine, findings.
import type * as english from '../english/service.ts'
import { findings } from './findings.ts'

const meanings: typeof english.service.meanings = {
  host: 'Wo der Dienst Verbindungen annimmt. `localhost` ist nur dieser Rechner; `0.0.0.0` ist jede Adresse.',
  port: 'Der Port dafür.',
  public_url:
    'Die Adresse, die Personen verwenden, etwa `https://kalender.example.org`. Leer bedeutet `http://localhost:<port>`.',
  url_slug: 'Ein erster Teil aller Pfade, etwa `stadt` in `/stadt/api-root/calendar/v1`.',
  data_dir: 'Der Ordner der SQLite-Datei, und der Mails, solange kein Mailserver gesetzt ist.',
  database_url: 'Eine Adresse von PostgreSQL (`postgres://…`). Leer bedeutet SQLite in `data_dir`.',
  database_pool_size:
    'Zahl der Verbindungen eines Knotens zu PostgreSQL, neben vier für aufwendige Abfragen, Feeds und Exporte: die Hälfte davon, höchstens vier, für Änderungen, die übrigen zum Lesen. Von jeder Art gibt es mindestens eine.',
  durable_commits:
    '`off` erlaubt ein PostgreSQL, dessen `fsync` oder `synchronous_commit` aus ist; bestätigte Veranstaltungen können dann verloren gehen.',
  memory_limit:
    'Speicher in MiB, den der Dienst belegen darf, ab 128. Die Größen seiner Caches und des Heaps folgen daraus.',
  api_origins:
    'Andere Websites, deren Seiten die API mit einem Token verwenden dürfen: https-Adressen wie `https://plugin.example.org` oder http-Adressen dieses Rechners, durch Kommas getrennt; höchstens 50.',
  trash_days: 'Wie viele Tage gelöschte Veranstaltungen wiederhergestellt werden können. `0` behält keine.',
  history_days: 'Wie viele Tage frühere Versionen von Veranstaltungen behalten werden. `0` behält keine.',
  bulk_change_limit:
    'Wie viele Veranstaltungen ein Gerät, ein Programm oder eine Anmeldung in zehn Minuten löschen oder ändern darf, bevor es gebremst wird und die Administratoren eine Mail erhalten. `0`: nie.',
  caldav_blind_writes:
    'Ob ein PUT über CalDAV eine bestehende Veranstaltung ohne `If-Match` überschreiben darf: `served`, wenn das Programm die aktuelle Version erhalten hat, `on` immer, `off` nie.',
  trust_proxy: 'Proxys, deren Forwarding-Kopfzeilen vertraut wird: Adressen oder Netze, durch Kommas getrennt.',
  proxy_header:
    'Welche Kopfzeilen diese Proxys setzen: `x-forwarded` (X-Forwarded-For, -Proto) oder `forwarded` (RFC 7239).',
  allow_loopback_http:
    '`on` beantwortet http auf dem Rechner selbst, obwohl `public_url` https ist. Nicht hinter einem Proxy auf demselben Rechner.',
  tls_certificate: 'Eine PEM-Datei mit der Zertifikatskette, um HTTPS direkt anzubieten.',
  tls_key: 'Die PEM-Datei mit dem Schlüssel dazu.',
  hsts_subdomains: '`off` lässt `includeSubDomains` in HSTS weg.',
  backup_dir:
    'Der Ordner für geplante Sicherungen, am besten auf einem anderen Datenträger. Leer: Es werden keine gemacht.',
  require_verified_email:
    'Ob ein genehmigtes Konto eine bestätigte Adresse braucht, `on` oder `off`. Leer bedeutet `on` mit Mailserver, `off` ohne.',
  basic_passwords: '`off` lehnt Passwörter von Konten bei HTTP Basic ab, sodass Programme App-Passwörter brauchen.',
  proof_of_work:
    '`on`: Eine Registrierung oder ein neues Passwort kostet den Browser eine Sekunde Rechenzeit; `auto` nur, solange viele Anfragen die Limits füllen; `off` nie.',
  revoke_exposed_credentials:
    '`on` beendet Sitzungen, Tokens, App-Passwörter und Feed-Links, die über unverschlüsseltes http gesendet wurden. Prüfen Sie vorher `trust_proxy`.',
  rate_limits: '`off` schaltet die Limits für Anfragen ab, nur für Lasttests; beim Start erscheint eine Warnung.',
  log_level:
    'Was in die Standardfehlerausgabe geschrieben wird: `error`, `warn`, `info` (mit einer Zeile je Anfrage) oder `silent`.',
  metrics_token:
    'Liefert `GET /metrics` an Programme, die dieses Token als `Authorization: Bearer` senden: mindestens 16 Zeichen ohne Leerzeichen. Leer: nein.',
  metrics_port: 'Liefert `GET /metrics` ohne Token an diesem Port von 127.0.0.1. Leer: nein.',
}

const reasons: typeof english.service.reasons = {
  environment: (name) => `Der Betreiber hat dies in der Umgebung gesetzt (${name}).`,
  others: {
    start: 'Adressen, Verbindungen und Speicher: Sie werden beim Start des Dienstes eingerichtet.',
    database: 'Datenbank: Sie muss offen sein, bevor die hier geänderten Einstellungen gelesen werden können.',
    files: 'Dateien und Ordner des Rechners.',
    protection: 'Schutz von Konten und Veranstaltungen, auch vor einer gestohlenen Sitzung eines Administrators.',
    monitoring: 'Überwachung des Rechners.',
    file: 'Der Betreiber hat dies in daybook.json gesetzt.',
    smtp_url: 'Dies gehört zur smtp_url des Betreibers.',
  },
}

export const service: typeof english.service = { findings, meanings, reasons }
