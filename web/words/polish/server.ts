// Words of the administration of the server and its data in Polish.
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/server.ts'
import { service } from './service.ts'

const plural = createPlural('pl')

const EVENTS = { one: 'wydarzenie', few: 'wydarzenia', other: 'wydarzeń' }

export const admin: typeof english.admin = {
  service,
  healthPage: {
    lead: 'Testy serwera, takie same jak „daybook doctor” na samej maszynie. Oglądanie niczego nie zmienia.',
    again: 'Sprawdź ponownie',
    checking: 'Sprawdzanie…',
    checked: 'Sprawdzono',
    summary: (problems, warnings) => {
      const parts = [
        problems > 0 && `${problems} ${plural(problems, { one: 'problem', few: 'problemy', other: 'problemów' })}`,
        warnings > 0 &&
          `${warnings} ${plural(warnings, { one: 'ostrzeżenie', few: 'ostrzeżenia', other: 'ostrzeżeń' })}`,
      ].filter(Boolean)
      return parts.length > 0 ? `${parts.join(' i ')}. Co zrobić, jest opisane poniżej.` : 'Wszystko w porządku.'
    },
    levels: { ok: 'OK', warning: 'Ostrzeżenie', problem: 'Problem' },
    areas: {
      configuration: 'Ustawienia',
      files: 'Pliki',
      disk: 'Dysk',
      database: 'Baza danych',
      index: 'Indeks',
      time: 'Czas',
      mail: 'Poczta',
      service: 'Usługa',
      public_url: 'Adres publiczny',
      certificate: 'Certyfikat',
      proxy: 'Proxy',
      backup: 'Kopia zapasowa',
    },
  },
  diagnosticsPage: {
    lead: 'Ostatnie żądania, od najnowszych. Treść żądań nie jest zapisywana, tylko nazwy pól, typy i rozmiary.',
    live: 'Odświeża się co kilka sekund.',
    pause: 'Wstrzymaj',
    goOn: 'Wznów',
    paused: 'Wstrzymano.',
    latest: (count) =>
      `${count} ${plural(count, { one: 'nowe żądanie', few: 'nowe żądania', other: 'nowych żądań' })}.`,
    answers: 'Odpowiedzi',
    anyAnswer: 'Wszystkie odpowiedzi',
    refused: 'Odrzucone (4xx)',
    failed: 'Nieudane (5xx)',
    fine: 'Udane (poniżej 400)',
    who: 'Logowanie',
    anyWho: 'Dowolne',
    auths: { anonymous: 'bez logowania', session: 'w przeglądarce', basic: 'hasłem', token: 'tokenem' },
    search: 'Adres lub błąd zawiera',
    ownOut: 'Ukryj pliki stron i żądania tej strony',
    table: 'Żądania',
    time: 'Czas',
    request: 'Żądanie',
    answer: 'Odpowiedź',
    duration: 'Czas trwania',
    net: 'Sieć',
    unknownRoute: 'nieznany adres',
    details: 'Szczegóły tego żądania',
    milliseconds: (ms) => `${Math.round(ms)} ms`,
    empty: 'Brak pasujących żądań. Zmień filtry albo poczekaj na następne.',
    rebuilding: (done, total) =>
      `Indeks terminów jest odbudowywany: ${done} z ${total} wydarzeń. Z kalendarza można dalej korzystać.`,
    unreadable: (count) =>
      count === 1
        ? 'Nie można odczytać jednego zapisanego wydarzenia. Jego nazwa jest w logu; `daybook reindex` poda ją ponownie.'
        : `Nie można odczytać ${count} zapisanych wydarzeń. Ich nazwy są w logu; \`daybook reindex\` poda je ponownie.`,
    clockInDoubt:
      'Zegar serwera różni się o całe dni od czasu ostatniego użycia kalendarza. Wygasłe dane nie są usuwane, dopóki zegar nie zostanie poprawiony albo potwierdzony poleceniem `daybook reindex --accept-clock`.',
    backupFailing: 'Ostatnia planowa kopia zapasowa nie powiodła się. Powód jest w logu usługi.',
    skipped: (count) =>
      `Nie zapisano ${count} ${plural(count, { one: 'żądania', other: 'żądań' })}, ponieważ serwer był zajęty.`,
    inClear:
      'W ciągu ostatnich siedmiu dni wysłano hasło lub osobisty link do kanału przez nieszyfrowane http. Poszukaj „Dane logowania wysłano przez nieszyfrowane http” w dzienniku audytu.',
    loopbackHttp:
      'Ustawienie allow_loopback_http jest włączone: na samym serwerze dozwolone jest nieszyfrowane http, chociaż adres publiczny to https.',
    id: 'Identyfikator żądania',
    node: 'Węzeł',
    user: 'Osoba',
    query: 'Parametry',
    headers: 'Nagłówki żądania',
    body: 'Wysłane pola',
    answerHeaders: 'Nagłówki odpowiedzi',
    bytes: 'Bajty odebrane, wysłane',
    error: 'Błąd',
    limit: 'Odrzucone przez limit',
  },
  rewindPage: {
    head: 'Cofanie kalendarza',
    lead: 'Wydarzenia utworzone po wybranej chwili trafią do kosza, zmienione odzyskają ówczesną treść, a usunięte wrócą, dla wszystkich. Najpierw widać podgląd, a całość można cofnąć.',
    to: 'Stan z dnia',
    toHint: (zone) => `W strefie czasowej ${zone}.`,
    by: 'Tylko zmiany wprowadzone przez',
    byHint: 'Adres e-mail konta. Wydarzenia zmienione później z innego konta pozostaną bez zmian.',
    badMoments: {
      invalid_format: 'Wpisz datę i godzinę.',
      not_allowed: 'Ta chwila jest w przyszłości.',
    },
    preview: 'Pokaż podgląd',
    looking: 'Porównywanie wydarzeń…',
    working: 'Cofanie kalendarza… Nie zamykaj tej strony.',
    wouldHead: 'Co by się stało',
    didHead: 'Co się stało',
    counts: ({ deleted, changed, restored, skipped, dry_run: isDryRun }) =>
      `Do kosza: ${deleted}, dawna treść: ${changed}, przywrócone: ${restored}${
        skipped > 0 ? `, ${isDryRun ? 'pozostałyby bez zmian' : 'pozostawione bez zmian'}: ${skipped}` : ''
      }.`,
    published: (count, isDryRun) => {
      const [one, few, other] = isDryRun ? ['byłoby', 'byłyby', 'byłoby'] : ['jest', 'są', 'jest']
      return plural(count, {
        one: `Jedno prywatne wydarzenie ${one} znów publiczne.`,
        few: `${count} prywatne wydarzenia ${few} znów publiczne.`,
        other: `${count} prywatnych wydarzeń ${other} znów publicznych.`,
      })
    },
    publicAgain: '– znów publiczne',
    notKept:
      'Wcześniejsze wersje i usunięte wydarzenia są przechowywane zbyt krótko, aby cofnąć kalendarz: serwer ustawia history_days lub trash_days na 0.',
    nothing: 'Kalendarz jest taki jak w tamtej chwili, więc nie ma czego cofać.',
    now: (count) => (count === 1 ? 'Cofnij jedno wydarzenie…' : `Cofnij ${count} ${plural(count, EVENTS)}…`),
    sure: (count) =>
      count === 1
        ? 'Jedno wydarzenie będzie dla wszystkich takie jak dawniej. Potem można to cofnąć.'
        : `${count} ${plural(count, { few: 'wydarzenia będą', other: 'wydarzeń będzie' })} dla wszystkich jak dawniej. Potem można to cofnąć.`,
    yes: (count) => (count === 1 ? 'Tak, cofnij' : `Tak, cofnij ${count} ${plural(count, EVENTS)}`),
    undo: 'Podgląd odwrócenia tego cofnięcia',
    events: 'Wydarzenia',
    event: 'Wydarzenie',
    result: 'Wynik',
    results: {
      deleted: { would: 'do kosza', did: 'w koszu' },
      changed: { would: 'dawna treść', did: 'dawna treść' },
      restored: { would: 'do przywrócenia', did: 'przywrócone' },
      skipped: { would: 'bez zmian', did: 'bez zmian' },
    },
    reasons: {
      changed_later: 'później zmieniono je z innego konta',
      changed_meanwhile: 'zmieniono je w trakcie cofania',
      not_kept: 'jego ówczesna treść nie jest przechowywana',
      uid_conflict: 'w międzyczasie utworzono je ponownie',
      not_stored: 'nie udało się go zapisać',
    },
    truncated: 'Wymieniono tylko pierwszych 1000 wydarzeń. Liczby powyżej obejmują wszystkie.',
    refusals: {
      user_not_found: 'Nie ma konta z tym adresem e-mail.',
      rewind_too_early: 'Stan kalendarza z tej chwili nie jest już przechowywany. Wybierz późniejszą.',
    },
  },
  transferPage: {
    importHead: 'Import pliku kalendarza',
    importLead:
      'Importuje plik .ics z innego programu, do 10 MiB. Wydarzenia są rozpoznawane po UID: istniejące są aktualizowane, nowe dodawane, a żadne nie są usuwane. E-maile nie są wysyłane. Najpierw widać podgląd.',
    file: 'Plik kalendarza (.ics)',
    tooLarge: (size, command) =>
      `Ten plik ma ${size}; limit wynosi tu 10 MiB. Na serwerze można zaimportować plik dowolnej wielkości: ${command} import calendar.ics`,
    rehearse: 'Podgląd importu',
    uploading: 'Przesyłanie pliku…',
    looking: 'Czytanie pliku…',
    importing: 'Importowanie wydarzeń… Duży plik zajmuje minutę lub dwie; nie zamykaj tej strony.',
    wouldHead: 'Co by się stało',
    didHead: 'Co się stało',
    importNow: (count) => `Importuj ${count} ${plural(count, EVENTS)}`,
    nothing: 'W tym pliku nie ma nic nowego, więc nie ma czego importować.',
    done: 'Import zakończony.',
    unreadable: (line) => `To nie jest plik kalendarza albo jest niepełny (wiersz ${line}). Niczego nie zaimportowano.`,
    notCalendar: 'To nie jest plik kalendarza w UTF-8. Niczego nie zaimportowano.',
    results: {
      created: { would: 'nowe', did: 'nowe' },
      updated: { would: 'do zmiany', did: 'zmienione' },
      unchanged: { would: 'bez zmian', did: 'bez zmian' },
      skipped: { would: 'do pominięcia', did: 'pominięte' },
    },
    show: 'Pokaż',
    all: 'Wszystkie wpisy',
    entries: 'Wpisy w pliku',
    line: 'Wiersz',
    event: 'Wydarzenie',
    result: 'Wynik',
    continues: 'Zostało wcześniej usunięte; usunięta wersja nadal jest w koszu.',
    more: (count) => `… i jeszcze ${count}. Liczby powyżej obejmują wszystkie wpisy.`,
    exportHead: 'Eksport wszystkiego',
    exportLead:
      'Wszystkie wydarzenia ze wszystkimi szczegółami, także prywatne, w jednym pliku. Przechowuj go w miejscu niedostępnym dla innych.',
    export: 'Pobierz calendar.ics',
  },
  settingsPage: {
    lead: 'Zmiany obowiązują od razu, a na każdym węźle w ciągu dziesięciu sekund. Są zapisywane w dzienniku audytu.',
    calendar: 'Kalendarz',
    accounts: 'Konta',
    backups: 'Kopie zapasowe',
    save: 'Zapisz',
    saved: 'Ustawienia zostały zapisane.',
    nothing: 'Nie ma nic do zapisania.',
    reset: 'Przywróć domyślne',
    resetOf: (label) => `Przywróć domyślne: ${label}`,
    defaultIs: (value) => (value ? `Domyślnie: ${value}` : 'Zmienione tutaj'),
    overruled: (value) => `Ustawione tu na „${value}”, co nie obowiązuje.`,
    empty: 'nie ustawiono',
    fields: {
      site_name: { label: 'Nazwa kalendarza', hint: 'U góry każdej strony, w wiadomościach i kanałach.' },
      timezone: {
        label: 'Strefa czasowa',
        hint: 'Dla dat i godzin bez własnej strefy. Wydarzenia całodniowe zachowają swoje daty, a inne swoje godziny.',
      },
      week_start: {
        label: 'Pierwszy dzień tygodnia',
        hint: 'Zależnie od języka Amerykanie widzą tygodnie od niedzieli, a Polacy od poniedziałku.',
      },
      language: {
        label: 'Język',
        hint: 'W wiadomościach oraz dla osób, których przeglądarka nie podaje żadnego z dostępnych języków.',
      },
      default_visibility: { label: 'Nowe wydarzenia są', hint: 'Przy dodawaniu wydarzenia można to zmienić.' },
      embed_sites: {
        label: 'Witryny, które mogą pokazywać kalendarz w ramce',
        hint: 'Adresy takie jak https://www.example.org, oddzielone przecinkami; * oznacza dowolną witrynę.',
      },
      registration: { label: 'Prośby o konto', hint: 'Oczekujące prośby można przyjmować w obu przypadkach.' },
      notify_admins: { label: 'Gdy ktoś poprosi o konto', hint: '' },
      mail_from: { label: 'Nadawca wiadomości', hint: 'Serwer poczty musi przyjmować ten adres jako nadawcę.' },
      backup_every: { label: 'Jak często powstaje kopia zapasowa', hint: 'Godziny lub dni, na przykład 6h lub 1d.' },
      backup_keep: {
        label: 'Które kopie zapasowe są zachowywane',
        hint: 'Ostatnia z każdego z tylu dni, tygodni i miesięcy, co najmniej 7d 4w 12m.',
      },
    },
    problems: {
      site_name: { invalid_format: 'Nazwa musi być jednym wierszem o długości od 1 do 100 znaków.' },
      embed_sites: {
        invalid_format: 'Każda witryna wymaga adresu takiego jak https://www.example.org, bez ścieżki.',
      },
      backup_every: { invalid_format: 'To muszą być godziny lub dni, na przykład 6h lub 1d.' },
      backup_keep: {
        invalid_format: 'To muszą być dni, tygodnie i miesiące, na przykład 7d 4w 12m.',
        not_allowed: 'To musi być co najmniej 7d 4w 12m. Mniej może ustawić operator na serwerze.',
      },
    },
    refusals: {
      version_mismatch:
        'Ktoś inny zmienił w międzyczasie ustawienia. Widać to w polach, które tutaj nie zostały zmienione; sprawdź je i zapisz ponownie.',
      email_not_verified:
        'Z serwerem poczty konta potrzebują potwierdzonego adresu, a adres tego konta nie jest potwierdzony. Poproś innego administratora o oznaczenie go jako potwierdzonego na stronie „Osoby”.',
    },
    weekStartAuto: 'zależnie od języka czytelnika',
    visibilities: { private: 'prywatne', public: 'publiczne' },
    registrations: { open: 'przyjmowane', closed: 'nieprzyjmowane' },
    notifications: { on: 'wyślij wiadomość do administratorów', off: 'nie wysyłaj wiadomości' },
    noBackupFolder:
      'Kopie zapasowe nie powstają, ponieważ nie ustawiono dla nich folderu: operator ustawia backup_dir na serwerze.',
    mailServer: {
      title: 'Poczta',
      lead: 'Bez serwera poczty wiadomości są plikami na serwerze. Z serwerem poczty konta potrzebują potwierdzonego adresu, chyba że operator ustawił inaczej.',
      server: 'Serwer poczty',
      serverHint: 'Jego nazwa, na przykład mail.example.org.',
      port: 'Port',
      encryption: 'Szyfrowanie',
      encryptions: {
        starttls: 'STARTTLS (zwykle, port 587)',
        tls: 'TLS od początku (port 465)',
        none: 'brak, tylko na tej samej maszynie lub w tej samej sieci',
      },
      user: 'Login',
      password: 'Hasło',
      stored: 'puste pozostawia obecne',
      passwordEnds:
        'Zapisane hasło należy do poprzedniego serwera i loginu i przestanie obowiązywać wraz z tą zmianą. Wpisz je ponownie.',
      remove: 'Usuń serwer poczty',
      ownPasswordHint:
        'Jest potrzebne do zmiany tych ustawień, ponieważ w wiadomościach są linki do resetowania haseł.',
      problems: {
        invalid_format: 'To nie jest nazwa serwera albo port nie jest liczbą.',
        not_allowed: 'Hasło wymaga loginu.',
      },
      test: 'Wyślij mi wiadomość testową',
      testing: 'Wysyłanie…',
      saveFirst: 'Najpierw zapisz zmiany.',
      tested: (to) => `Wiadomość testowa na adres ${to} została przyjęta. Sprawdź, czy dotrze.`,
      testedFile: 'Nie ma serwera poczty, więc wiadomość testową zapisano w pliku na serwerze.',
      testFailed: (why) => `Wiadomość testowa nie została wysłana: ${why}.`,
    },
    machine: 'Na serwerze',
    machineLead:
      'Te ustawienia zmienia operator, w daybook.json lub w środowisku; obowiązują od następnego uruchomienia.',
    origins: {
      environment: 'ze środowiska',
      file: 'z daybook.json',
      database: 'zmienione tutaj',
      default: 'domyślne',
    },
  },
}
