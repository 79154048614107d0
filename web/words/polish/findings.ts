// Findings of the health page in Polish.

import type { FindingValues } from '../../../src/contract/health.ts'
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/findings.ts'

const plural = createPlural('pl')

const EXPIRY = 'Odnów go. Daybook sam wczytuje odnowione pliki; serwer proxy może wymagać przeładowania.'
const AS_SERVICE =
  'Sprawdź właściciela i uprawnienia folderu i plików (chown, chmod): użytkownik usługi musi móc je czytać i zapisywać.'
const MAIL = 'Sprawdź smtp_url i smtp_tls. E-maile czekają w bazie danych i zostaną wysłane, gdy to zadziała.'
const ROOM = 'Usuń pliki lub powiększ dysk.'

const restore = ({ command, engine }: FindingValues): string =>
  engine === 'postgres'
    ? `Zatrzymaj usługę, podaj pustą bazę danych w database_url i przywróć kopię zapasową: ${command} restore PLIK.`
    : `Zatrzymaj usługę, przenieś daybook.db* do innego folderu i przywróć kopię zapasową: ${command} restore PLIK.`

const placeOf = (place: unknown): string => (place === 'backup_dir' ? 'z backup_dir' : 'z folderem danych')
const fileOf = (name: unknown): string => (name === 'data_dir' ? 'Folder danych' : `${name}`)
const mib = (value: unknown): string => `${Number(value).toLocaleString('pl')} MiB`
const lastOf = (last: unknown): string => (last ? `ostatnia jest z ${last}` : 'nie ma jeszcze żadnej')
const days = (count: unknown): string => `${count} ${plural(Number(count), { one: 'dzień', other: 'dni' })}`
const certificateOf = (isServed: unknown): string =>
  isServed ? 'Certyfikat public_url' : 'Certyfikat z tls_certificate'

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'nic tam nie odpowiada',
  ENOTFOUND: 'nie ma hosta o tej nazwie',
  EAI_AGAIN: 'nazwy hosta nie można teraz odszukać',
  ABORT_ERR: 'brak odpowiedzi na czas',
  ETIMEDOUT: 'brak odpowiedzi na czas',
  ECONNRESET: 'połączenie zamknięto bez odpowiedzi',
  EPROTO: 'nie ma tam TLS',
}

const MAIL_PROBLEMS: Record<string, string> = {
  EAUTH: 'serwer poczty odrzucił nazwę użytkownika lub hasło',
  EDNS: 'nie ma hosta o tej nazwie',
  ENOTFOUND: 'nie ma hosta o tej nazwie',
  ECONNECTION: 'nie udało się nawiązać połączenia',
  ECONNREFUSED: 'nic tam nie odpowiada',
  ESOCKET: 'nic tam nie odpowiada',
  EUNTRUSTED: 'nic tam nie odpowiada albo certyfikat nie jest zaufany',
  ETIMEDOUT: 'brak odpowiedzi na czas',
  ETLS: 'serwer nie oferuje szyfrowania (smtp_tls off wysyła bez niego)',
}

function mailProblem({ where, reason, cause }: FindingValues): string {
  const place = where || 'folder e-maili'
  const known = MAIL_PROBLEMS[`${reason}`]
  if (known) return `${place}: ${known}`
  if (reason === 'refused') return `${place}: poczta na ten adres nie jest przyjmowana (${cause})`
  return `${place}: e-mail nie został przyjęty (${cause})`
}

const DATABASE: Record<string, string> = {
  disk_full: 'Dysk jest pełny albo baza danych osiągnęła limit rozmiaru',
  read_only: 'Baza danych jest tylko do odczytu',
  io_error: 'Dysk lub system plików zgłasza błąd',
  permission_denied: 'Baza danych odmawia dostępu temu użytkownikowi',
  data_missing: 'Brakuje pliku bazy danych',
  database_unreachable: 'Baza danych jest nieosiągalna',
  write_failed: 'Próbny zapis do bazy danych się nie powiódł',
  locked: 'Inny proces trzyma blokadę zapisu bazy danych',
  busy: 'Baza danych jest zajęta',
}

export const findings: typeof english.findings = {
  check_failed: ({ kind }) => [`Nie udało się tego sprawdzić (${kind})`, 'Zgłoś to wraz z tym wierszem.'],
  categories_not_managed: ({ count }) => [
    `Kategorie wydarzeń bez własnego koloru: ${count}`,
    'Przejmij je na stronie „Kategorie”: jedno kliknięcie nadaje każdej kolor i miejsce.',
  ],
  config_ok: () => ['Ustawienia są poprawne i pasują do siebie'],
  config_invalid: () => [
    'tls_certificate: plik nie zawiera certyfikatu PEM',
    'Podaj plik PEM z łańcuchem certyfikatów.',
  ],
  setting_without_effect: ({ name, needed }) => {
    const other = needed === 'an https public_url' ? 'adresu https w public_url' : `${needed}`
    return [`${name} jest ustawione, ale nie działa bez ${other}`, `Ustaw to również albo usuń ${name}.`]
  },
  https_unreachable: () => [
    'public_url to https, ale trust_proxy nie wymienia żadnego serwera proxy, a tls_certificate nie jest ustawione: każde żądanie jest odrzucane z https_required',
    'Wpisz w trust_proxy adres serwera proxy i niech ustawia X-Forwarded-Proto i X-Forwarded-For, albo ustaw tls_certificate i tls_key.',
  ],
  loopback_http_allowed: () => [
    'allow_loopback_http jest on: serwer proxy na tym komputerze, który nie ustawia nagłówków, czyni każdego odwiedzającego lokalnym',
    'Ustaw allow_loopback_http na off, chyba że programy na tym komputerze potrzebują http.',
  ],
  public_url_plain: () => [
    'public_url to nieszyfrowane http: logowanie jest odrzucane poza tym komputerem',
    'Udostępnij HTTPS, przez serwer proxy lub bezpośrednio, i wpisz adres https w public_url.',
  ],
  rate_limits_off: () => [
    'rate_limits jest off: hasła można zgadywać bez ograniczeń',
    'Ustaw rate_limits na on. Wartości off potrzebują tylko testy obciążenia.',
  ],
  commits_not_durable: () => [
    'durable_commits jest off: brak prądu może spowodować utratę potwierdzonych wydarzeń',
    'Włącz fsync i synchronous_commit w PostgreSQL i ustaw durable_commits na on.',
  ],
  mail_password_in_clear: () => [
    'smtp_tls jest off: hasło serwera poczty jest wysyłane bez szyfrowania',
    'Ustaw smtp_tls na on albo użyj serwera poczty na tym komputerze.',
  ],
  verification_without_mail: () => [
    'require_verified_email jest on, ale nie ma serwera poczty, który wyśle linki',
    'Ustaw smtp_url albo przekaż ludziom linki z plików w data/mail.',
  ],
  files_ok: () => ['Tylko właściciel może czytać dane, a usługa może je zapisywać'],
  files_not_checked: () => ['W systemie Windows uprawnienia plików nie są sprawdzane'],
  folder_open: ({ mode }) => [
    `Inni użytkownicy tego komputera mogą wejść do folderu danych (tryb ${mode})`,
    'Wykonaj chmod 700 na folderze.',
  ],
  file_open: ({ file, mode }) => {
    if (file === 'daybook.json' || file === 'tls_key')
      return [
        file === 'tls_key'
          ? `Inni użytkownicy tego komputera mogą odczytać klucz certyfikatu (tryb ${mode})`
          : `Inni użytkownicy tego komputera mogą odczytać ustawienia z hasłami i tokenami (tryb ${mode})`,
        'Wykonaj chmod 600 na pliku albo 640 z grupą usługi.',
      ]
    return [
      `Inni użytkownicy tego komputera mogą odczytać ${file} (tryb ${mode})`,
      'Wykonaj chmod 600 na pliku: zawiera prywatne wydarzenia i skróty haseł.',
    ]
  },
  file_owner: ({ name, user, owner }) => [
    `${name} należy do innego użytkownika (${user}) niż folder danych (${owner})`,
    'Wykonaj chown na pliku, aby oba należały do użytkownika usługi.',
  ],
  file_not_accessible: ({ name }) => [`${fileOf(name)}: ten użytkownik nie może tam czytać i zapisywać`, AS_SERVICE],
  disk_ok: (values) => [`Na dysku ${placeOf(values.place)} jest ${mib(values.mib)} wolnego miejsca`],
  disk_low: ({ place, mib: free, files }) =>
    files === undefined
      ? [
          `Na dysku ${placeOf(place)} jest tylko ${mib(free)} wolnego miejsca; kopia zapasowa może się nie zmieścić`,
          ROOM,
        ]
      : [
          `W systemie plików ${placeOf(place)} kończy się miejsce na pliki (jeszcze ${files})`,
          'Usuń pliki, które nie są potrzebne.',
        ],
  disk_full: (values) => [
    `Na dysku ${placeOf(values.place)} jest tylko ${mib(values.mib)} wolnego miejsca; zapis się nie udaje`,
    `${ROOM} Usługa zacznie znów zapisywać, gdy będzie miejsce.`,
  ],
  database_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'PostgreSQL odpowiada, a schemat jest z tej wersji (wiersze i odwołania nie są tu czytane)'
      : 'SQLite nie znajduje uszkodzeń (szybkie sprawdzenie), odwołania są kompletne, a schemat jest z tej wersji',
  ],
  database_unreachable: ({ reason, code }) => [
    `${DATABASE[`${reason}`] ?? DATABASE.database_unreachable}${code}`,
    'Sprawdź database_url, uprawnienia użytkownika, folder danych i dysk.',
  ],
  database_unsuitable: ({ detail }) => [
    `Baza danych jest nieodpowiednia: ${detail}`,
    'Usługa nie uruchomi się, dopóki to nie zostanie poprawione.',
  ],
  database_damaged: (values) => [`Baza danych jest uszkodzona: ${values.detail}`, restore(values)],
  references_broken: ({ tables }) => [
    `Wiersze odwołują się do innych, których nie ma, w: ${tables}`,
    'Przywróć kopię zapasową albo zgłoś to: żadna wersja Daybook nie zapisuje takich wierszy.',
  ],
  database_index_invalid: ({ indexes }) => [
    `Te indeksy są nieprawidłowe: ${indexes}`,
    'Wykonaj REINDEX INDEX dla każdego z nich.',
  ],
  schema_outdated: ({ count }) => [
    `Baza danych jest ze starszej wersji Daybook (brakujące migracje: ${count})`,
    'Zrób kopię zapasową i uruchom usługę: zaktualizuje bazę danych.',
  ],
  schema_newer: ({ migration }) => [
    `Baza danych jest z nowszej wersji Daybook (migracja ${migration})`,
    'Użyj tamtej wersji albo przywróć kopię zapasową z tej.',
  ],
  index_ok: ({ checked }) => [
    `Kolumny i terminy ${checked} ${plural(Number(checked), { one: 'wydarzenia', other: 'wydarzeń' })} zgadzają się z ich treścią`,
  ],
  index_wrong: ({ count, ids, command }) => [
    `Błędnie zindeksowane wydarzenia: ${count} (${ids})`,
    `Wykonaj ${command} reindex; naprawi je, także podczas działania usługi.`,
  ],
  index_rebuilding: () => [
    'Wydarzenia są indeksowane od nowa; do tego czasu na listach może niektórych brakować',
    'Nie zatrzymuj usługi; GET /readyz pokazuje postęp.',
  ],
  index_outdated: () => [
    'Wydarzenia zindeksowano z innymi danymi stref czasowych, inną strefą lub inną wersją',
    'Uruchom usługę ponownie: sama zindeksuje je od nowa.',
  ],
  events_unreadable: ({ count, ids }) => [
    `Nieczytelne wydarzenia: ${count} (${ids})`,
    'Przywróć je z kopii zapasowej albo usuń. Nikt ich nie widzi.',
  ],
  clock_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'Zegar zgadza się z PostgreSQL i z ostatnim użyciem kalendarza'
      : 'Zegar zgadza się z ostatnim użyciem kalendarza',
  ],
  clock_in_doubt: ({ days: count, is_ahead, command }) => [
    `Zegar ${is_ahead ? 'wyprzedza' : 'opóźnia się względem'} ${is_ahead ? 'ostatnie użycie' : 'ostatniego użycia'} kalendarza o ${days(count)}; na razie nic nie jest trwale usuwane`,
    `Nastaw zegar i uruchom usługę ponownie. Jeśli zegar jest dobry, wykonaj ${command} reindex --accept-clock.`,
  ],
  clock_drift: ({ seconds, is_ahead }) => [
    `Zegar tego komputera ${is_ahead ? 'śpieszy' : 'spóźnia'} się o ${Number(seconds).toLocaleString('pl')} s względem PostgreSQL`,
    'Niech oba zegary nastawia serwer czasu. Usługa używa czasu PostgreSQL.',
  ],
  zone_data_ok: ({ tz, icu, timezone }) => [`Dane stref czasowych ${tz}, ICU ${icu}; kalendarz jest w ${timezone}`],
  zone_data_old: ({ tz }) => [
    `Dane stref czasowych są w wersji ${tz}`,
    'Zaktualizuj Daybook; jego własny Node dostarcza te dane.',
  ],
  mail_ok: ({ server, is_encrypted, has_login }) => [
    `Serwer poczty ${server} odpowiada ${is_encrypted ? 'przez TLS' : 'bez szyfrowania'}${has_login ? ' i przyjmuje logowanie' : ''}`,
  ],
  mail_to_files: () => [
    'Nie ustawiono serwera poczty: e-maile są zapisywane w plikach',
    'Ustaw smtp_url do użytku publicznego.',
  ],
  mail_failing: (values) => [mailProblem(values), MAIL],
  mail_not_sent: (values) => [mailProblem(values), MAIL],
  service_ok: () => ['Usługa jest gotowa'],
  service_not_ready: ({ reason }) => [
    `Usługa nie jest gotowa: ${reason}`,
    'docs/monitoring.md wyjaśnia każdą przyczynę; szczegóły są w logu.',
  ],
  public_url_ok: ({ origin }) => [`${origin} udostępnia ten kalendarz`],
  public_url_not_checked: () => ['Nie udało się sprawdzić public_url'],
  public_url_unreachable: ({ origin, reason }) => [
    `${origin} jest nieosiągalny: ${UNREACHABLE[`${reason}`] ?? `brak połączenia (${reason})`}`,
    'Sprawdź public_url, DNS, zaporę i serwer proxy. Jeśli tylko ten komputer nie osiąga własnego adresu publicznego, spróbuj z innego.',
  ],
  public_url_elsewhere: ({ origin, status }) => [
    `${origin} odpowiada ${status}, ale nie jako ten kalendarz`,
    'Sprawdź public_url i url_slug oraz to, dokąd serwer proxy wysyła żądania: odpowiada inna usługa, inny kalendarz lub starsza wersja.',
  ],
  certificate_ok: ({ is_served, end }) => [`${certificateOf(is_served)} jest ważny do ${end}`],
  certificate_expiring: ({ is_served, end, days: count }) => [
    `${certificateOf(is_served)} wygasa ${end}, za ${days(count)}`,
    EXPIRY,
  ],
  certificate_expired: ({ is_served, end }) => [`${certificateOf(is_served)} wygasł ${end}`, EXPIRY],
  certificate_not_valid_yet: ({ is_served }) => [
    `${certificateOf(is_served)} nie jest jeszcze ważny`,
    'Sprawdź zegar tego komputera.',
  ],
  certificate_wrong_name: ({ is_served, hostname }) => [
    `${certificateOf(is_served)} nie jest dla ${hostname}`,
    'Uzyskaj certyfikat dla nazwy hosta z public_url.',
  ],
  certificate_untrusted: ({ reason }) => [
    `Ten komputer nie ufa certyfikatowi public_url (${reason})`,
    'Udostępnij cały łańcuch z certyfikatami pośrednimi, od urzędu znanego przeglądarkom.',
  ],
  proxy_ok: ({ is_proxied }) => [
    is_proxied ? 'Serwer proxy przekazuje schemat i adres odwiedzających' : 'Żądania docierają bez serwera proxy',
  ],
  proxy_bare: ({ sender, nginx }) => [
    'Serwer proxy przekazuje żądania bez nagłówków przekazywania: schemat i adres odwiedzających są nieznane',
    `Dla nginx: ${nginx} Wymień serwer proxy w trust_proxy: ${sender}.`,
  ],
  proxy_untrusted: ({ sender }) => [
    `Serwer proxy o adresie ${sender} ustawia nagłówki przekazywania, ale trust_proxy go nie wymienia`,
    `Dodaj ${sender} do trust_proxy.`,
  ],
  proxy_without_scheme: ({ header }) => [
    'Serwer proxy nie mówi, że odwiedzający używają https, więc ich żądania są odrzucane',
    header === 'Forwarded'
      ? 'Niech ustawia Forwarded z proto=https.'
      : 'Niech wpisuje w X-Forwarded-Proto schemat odwiedzającego.',
  ],
  proxy_without_address: ({ header }) => [
    'Serwer proxy nie przekazuje adresów: wszyscy odwiedzający mają wspólny limit',
    header === 'Forwarded' ? 'Niech ustawia Forwarded z for=.' : 'Niech uzupełnia X-Forwarded-For.',
  ],
  backup_ok: ({ last }) => [`Kopie zapasowe są tworzone zgodnie z planem; ${lastOf(last)}`],
  backup_unknown: ({ command }) => [
    'Nie zaplanowano kopii zapasowych, a o innych Daybook nie wie',
    `Ustaw backup_dir albo regularnie wykonuj ${command} backup i przechowuj pliki na innym komputerze.`,
  ],
  backup_failing: ({ last }) => [
    `Planowa kopia zapasowa się nie powiodła; ${lastOf(last)}`,
    'Przyczyna jest w logu usługi. Czy w backup_dir jest miejsce i czy usługa może tam zapisywać?',
  ],
  backup_overdue: ({ last }) => [`Planowa kopia zapasowa się spóźnia; ${lastOf(last)}`, 'Czy usługa działa?'],
  backup_missing: ({ name }) => [
    `Ostatniej planowej kopii zapasowej, ${name}, nie ma w backup_dir`,
    'Czy została usunięta lub przeniesiona, albo inny węzeł zapisał ją we własnym folderze?',
  ],
  backup_ahead: ({ names, more }) => [
    `backup_dir zawiera kopie o nazwach z przyszłości: ${names}${more ? ` i jeszcze ${more}` : ''}`,
    'Jeśli zegar jest dobry, wtedy się śpieszył. Same nie zostaną usunięte: usuń je lub zmień ich nazwy.',
  ],
}
