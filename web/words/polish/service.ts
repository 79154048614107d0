// What the service writes, in Polish: settings of the machine, findings.
import type * as english from '../english/service.ts'
import { findings } from './findings.ts'

const meanings: typeof english.service.meanings = {
  host: 'Gdzie usługa nasłuchuje. `localhost` to tylko ten komputer; `0.0.0.0` to każdy adres.',
  port: 'Port, na którym nasłuchuje.',
  public_url:
    'Adres, którego używają ludzie, na przykład `https://kalendarz.example.org`. Puste: `http://localhost:<port>`.',
  url_slug: 'Pierwszy człon wszystkich ścieżek, na przykład `miasto` w `/miasto/api-root/calendar/v1`.',
  data_dir: 'Folder pliku SQLite oraz e-maili, dopóki nie ustawiono serwera poczty.',
  database_url: 'Adres PostgreSQL (`postgres://…`). Puste: SQLite w `data_dir`.',
  database_pool_size:
    'Liczba połączeń węzła z PostgreSQL, oprócz czterech dla kosztownych odczytów, kanałów i eksportów: połowa, najwyżej cztery, do zapisu, pozostałe do odczytu. Otwierane jest co najmniej jedno każdego rodzaju.',
  durable_commits:
    '`off` dopuszcza PostgreSQL z wyłączonym `fsync` lub `synchronous_commit`, który może utracić potwierdzone wydarzenia.',
  memory_limit: 'Pamięć w MiB, którą może zająć usługa, od 128. Wynikają z niej rozmiary pamięci podręcznych i sterty.',
  api_origins:
    'Inne witryny, których strony mogą wywoływać API z tokenem: adresy https, takie jak `https://plugin.example.org`, lub adresy http tego komputera, rozdzielone przecinkami; najwyżej 50.',
  trash_days: 'Przez ile dni można przywrócić usunięte wydarzenia. `0` nie zachowuje żadnych.',
  history_days: 'Przez ile dni zachowywane są wcześniejsze wersje wydarzeń. `0` nie zachowuje żadnych.',
  bulk_change_limit:
    'Ile wydarzeń jedno urządzenie, program lub sesja może usunąć lub zmienić w ciągu dziesięciu minut, zanim zostanie spowolnione, a administratorzy dostaną e-mail. `0`: nigdy.',
  caldav_blind_writes:
    'Czy PUT przez CalDAV może zastąpić istniejące wydarzenie bez `If-Match`: `served`, jeśli program otrzymał bieżącą wersję, `on` zawsze, `off` nigdy.',
  trust_proxy: 'Serwery proxy, których nagłówkom się ufa: adresy lub sieci, rozdzielone przecinkami.',
  proxy_header:
    'Które nagłówki ustawiają te serwery proxy: `x-forwarded` (X-Forwarded-For, -Proto) lub `forwarded` (RFC 7239).',
  allow_loopback_http:
    '`on` odpowiada przez http na samym komputerze, choć `public_url` to https. Nie za serwerem proxy na tym samym komputerze.',
  tls_certificate: 'Plik PEM z łańcuchem certyfikatów, aby udostępniać HTTPS bezpośrednio.',
  tls_key: 'Plik PEM z jego kluczem.',
  hsts_subdomains: '`off` pomija `includeSubDomains` w HSTS.',
  backup_dir: 'Folder planowych kopii zapasowych, najlepiej na innym dysku. Puste: kopie nie są tworzone.',
  require_verified_email:
    'Czy zatwierdzone konto wymaga potwierdzonego adresu, `on` lub `off`. Puste: `on` z serwerem poczty, `off` bez niego.',
  basic_passwords: '`off` odrzuca hasła kont w HTTP Basic, więc programy potrzebują haseł aplikacji.',
  proof_of_work:
    '`on`: rejestracja lub nowe hasło kosztuje przeglądarkę sekundę obliczeń; `auto` tylko wtedy, gdy wiele próśb wypełnia limity; `off` nigdy.',
  revoke_exposed_credentials:
    '`on` unieważnia sesje, tokeny, hasła aplikacji i linki do kanałów wysłane przez nieszyfrowane http. Najpierw sprawdź `trust_proxy`.',
  rate_limits: '`off` wyłącza limity żądań, tylko do testów obciążenia; przy starcie pojawia się ostrzeżenie.',
  log_level:
    'Co jest zapisywane na standardowe wyjście błędów: `error`, `warn`, `info` (z wierszem dla każdego żądania) lub `silent`.',
  metrics_token:
    'Udostępnia `GET /metrics` programom, które wysyłają ten token jako `Authorization: Bearer`: co najmniej 16 znaków bez spacji. Puste: nie.',
  metrics_port: 'Udostępnia `GET /metrics` bez tokenu na tym porcie 127.0.0.1. Puste: nie.',
}

const reasons: typeof english.service.reasons = {
  environment: (name) => `Operator ustawił to w środowisku (${name}).`,
  others: {
    start: 'Adresy, połączenia i pamięć: ustalane przy starcie usługi.',
    database: 'Baza danych: musi być otwarta, zanim będzie można odczytać zmienione tutaj ustawienia.',
    files: 'Pliki i foldery komputera.',
    protection: 'Ochrona kont i wydarzeń, także przed skradzioną sesją administratora.',
    monitoring: 'Monitorowanie komputera.',
    file: 'Operator ustawił to w daybook.json.',
    smtp_url: 'Należy to do smtp_url operatora.',
  },
}

export const service: typeof english.service = { findings, meanings, reasons }
