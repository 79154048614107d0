// Words of the first load in Polish.
import { createPlural } from '../../../src/words/plural.ts'
import { calendarPage, frame as frameWords } from '../../../src/words/polish.ts'
import type * as english from '../english/first.ts'

export { rule, times } from '../../../src/words/polish.ts'

const plural = createPlural('pl')

export const frame: typeof english.frame = {
  ...frameWords,
  signOut: 'Wyloguj się',
  stillSignedIn: 'Konto jest nadal zalogowane.',
  account: 'Moje konto',
  admin: 'Administracja',
  newEvent: 'Nowe wydarzenie',
  trash: 'Kosz',
  waiting: (count) =>
    `${count} ${plural(count, { one: 'prośba oczekuje', few: 'prośby oczekują', other: 'próśb oczekuje' })}`,
  language: 'Język',
  brokenTitle: 'Nie udało się wczytać tej strony',
  broken: 'Być może nie ma połączenia z internetem albo Daybook został właśnie zaktualizowany.',
  tryAgain: 'Spróbuj ponownie',
}

export const common: typeof english.common = {
  ownPassword: 'Hasło do własnego konta',
  ownPasswordProblems: {
    required: 'Wpisz hasło do własnego konta.',
    not_allowed: 'To nie jest hasło do własnego konta.',
  },
  loading: 'Wczytywanie…',
  working: 'Chwileczkę…',
  cancel: 'Anuluj',
  close: 'Zamknij',
  save: 'Zapisz',
  delete: 'Usuń',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  undo: 'Cofnij',
  yes: 'Tak',
  no: 'Nie',
  show: 'Pokaż',
  hide: 'Ukryj',
  optional: 'opcjonalnie',
  privateEvent: 'Wydarzenie prywatne',
  quoted: (text) => `„${text}”`,
  tryAgainIn: (seconds) => `Zbyt wiele prób. Spróbuj ponownie za ${waitInWords(seconds)}.`,
}

export const calendar: typeof english.calendar = {
  ...calendarPage,
  severalDates: 'w kilku terminach',
  allDayShort: 'cały dzień',
  history: 'Historia',
  repeats: 'powtarza się',
  private: 'prywatne',
  tentative: 'Jeszcze niepotwierdzone',
  cancelledNote: 'Odwołane',
  privateNote: 'Prywatne: tylko zalogowane osoby widzą więcej niż czas.',
  maskedNote: 'Ten czas jest zajęty. Szczegóły są prywatne.',
  days: 'Klawisze strzałek zmieniają dzień, a Enter go otwiera.',
  daysForWriters: 'Klawisze strzałek zmieniają dzień, Enter dodaje wydarzenie, a spacja otwiera dzień.',
  slots: 'Godziny dnia. Klawisze strzałek zmieniają godzinę, a Enter otwiera dzień.',
  slotsForWriters: 'Godziny dnia. Klawisze strzałek zmieniają godzinę, a Enter dodaje wydarzenie.',
  timesIn: 'Godziny w strefie',
  zoneOfCalendar: (zone) => `${zone} (kalendarz)`,
  zoneOfReader: (zone) => `${zone} (Twoja)`,
  print: {
    open: calendarPage.openPrint,
    title: 'Drukowanie',
    size: 'Rozmiar tekstu',
    sizes: { normal: 'Normalny', large: 'Duży' },
    means: { normal: '– jak na ekranie, ze wszystkimi wydarzeniami', large: '– lista na tablicę ogłoszeń' },
    send: 'Drukuj',
    legend: 'Legenda',
    private: 'Prywatne',
    address: (site, address) => `${site}: ${address}`,
  },
  shortcuts: {
    title: calendarPage.openShortcuts,
    today: 'Dzisiaj',
    new: 'Nowe wydarzenie',
    search: 'Szukaj',
    period: 'Poprzedni lub następny okres',
    sheet: 'Te skróty',
    on: 'Używaj tych pojedynczych klawiszy',
    always: 'Zawsze',
    move: 'Zmiana dnia, a w tygodniu lub dniu zmiana godziny',
    add: 'Dodanie tam wydarzenia',
    open: 'Otwarcie tego dnia',
    undo: 'Cofnięcie ostatniego przeniesienia lub usunięcia',
    close: 'Zamknięcie okna dialogowego',
    spoken: {
      '←': 'W lewo',
      '→': 'W prawo',
      '↑': 'W górę',
      '↓': 'W dół',
      '/': 'Ukośnik',
      '?': 'Znak zapytania',
      Esc: 'Escape',
    },
  },
  newEvent: 'Nowe wydarzenie',
  subscribeTitle: 'Subskrybowanie tego kalendarza',
  subscribeIntro: 'Aplikacja kalendarza będzie pokazywać te wydarzenia i na bieżąco je aktualizować.',
  subscribeCategory: (category) => `Tylko „${category}”`,
  withApple: 'Kalendarz Apple',
  withGoogle: 'Kalendarz Google',
  withOutlook: 'Outlook.com',
  withOffice: 'Outlook w pracy lub szkole',
  withProgram: 'Inna aplikacja na tym urządzeniu',
  subscribeLink: 'Albo skopiuj ten adres do aplikacji kalendarza',
  event: 'Wydarzenie',
  when: 'Kiedy',
  where: 'Gdzie',
  repeatsLabel: 'Powtarzanie',
  link: 'Link',
  page: 'Strona wydarzenia',
  take: 'Dodaj do mojego kalendarza',
  edit: 'Edytuj',
  duplicate: 'Duplikuj',
}

export const errors: typeof english.errors = {
  unknown: 'Coś poszło nie tak. Spróbuj ponownie później.',
  offline: 'Serwer jest teraz nieosiągalny. Sprawdź połączenie i spróbuj ponownie.',
  rate_limited: 'Zbyt wiele prób. Odczekaj chwilę i spróbuj ponownie.',
  another_person: 'W tej przeglądarce jest teraz zalogowany ktoś inny. Nic nie zostało wysłane.',
  credential_not_found: 'To już nie istnieje.',
  session_expired: 'Sesja wygasła. Zaloguj się ponownie, aby kontynuować; wpisany tekst nie zostanie utracony.',
  authentication_required: 'Najpierw się zaloguj.',
  invalid_credentials: 'Adres e-mail lub hasło jest nieprawidłowe.',
  insufficient_capability: 'To konto nie ma uprawnień do tej czynności.',
  admin_required: 'To mogą zrobić tylko administratorzy.',
  account_pending: 'To konto nadal oczekuje na decyzję administratora.',
  account_rejected: 'Administrator odrzucił to konto.',
  account_suspended: 'To konto jest zawieszone. Skontaktuj się z administratorem.',
  email_not_verified: 'Ten adres e-mail nie jest jeszcze potwierdzony. Otwórz link z wysłanej wiadomości.',
  registration_closed: 'Ten kalendarz nie przyjmuje obecnie próśb o konto.',
  https_required: 'Ta strona wymaga bezpiecznego połączenia. Otwórz ją przez https.',
  token_invalid_or_expired: 'Ten link został już użyty lub wygasł.',
  validation_failed: 'Sprawdź zaznaczone pola.',
  version_mismatch: 'W międzyczasie zmienił to ktoś inny.',
  event_not_found: 'To wydarzenie już nie istnieje.',
  version_not_found: 'Ta wersja nie jest już przechowywana.',
  occurrence_not_found: 'Ten termin nie należy do serii.',
  invalid_occurrence_key: 'Ten termin nie należy do serii.',
  exception_not_found: 'W tym terminie nie ma niczego do cofnięcia.',
  event_not_recurring: 'To wydarzenie już się nie powtarza.',
  user_not_found: 'To konto już nie istnieje.',
  email_taken: 'Ten adres ma już konto.',
  body_too_large: 'Ten plik jest za duży.',
  too_many_exceptions: 'Ta seria osiągnęła limit zmienionych terminów.',
  too_many_overrides:
    'Trzeba by osobno zmienić ponad 1000 terminów. Zmień całą serię albo usuń ten i następne terminy i utwórz dla nich nowe wydarzenie.',
  event_too_large: 'To wydarzenie wraz ze wszystkimi zmienionymi terminami zawiera za dużo tekstu.',
  last_admin: 'To ostatni administrator; najpierw wyznacz kolejnego.',
  invalid_state_transition: 'Obecny status konta na to nie pozwala.',
  service_unavailable: 'Serwer jest zajęty. Spróbuj ponownie za chwilę.',
  storage_unavailable: 'Baza danych jest teraz nieosiągalna. Spróbuj ponownie za chwilę.',
}

export const fields: typeof english.fields = {
  required: 'Wypełnij to pole.',
  invalid_type: 'Ta wartość jest nieprawidłowa.',
  invalid_format: 'Ta wartość nie wygląda poprawnie.',
  too_short: 'Wypełnij to pole.',
  too_long: 'Ta wartość jest za długa.',
  out_of_range: 'Ta wartość jest poza dozwolonym zakresem.',
  not_allowed: 'Ta wartość nie jest tu dozwolona.',
  timezone_unknown: 'Nie ma takiej strefy czasowej.',
  end_before_start: 'Koniec musi być po początku.',
  range_too_large: 'Ten okres jest za długi.',
  rrule_invalid: 'To powtarzanie jest nieprawidłowe.',
  rrule_unsupported: 'Ten rodzaj powtarzania nie jest obsługiwany.',
  rrule_no_occurrences: 'To powtarzanie nie daje żadnych terminów.',
  password_common: 'To hasło łatwo odgadnąć. Wybierz inne.',
  set_by_operator: 'Operator ustawił to na serwerze.',
  url_scheme: 'Adresy internetowe zaczynają się od http:// lub https://.',
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return `${seconds} ${plural(seconds, { one: 'sekundę', few: 'sekundy', other: 'sekund' })}`
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 90) return `${minutes} ${plural(minutes, { one: 'minutę', few: 'minuty', other: 'minut' })}`
  const hours = Math.ceil(minutes / 60)
  return `${hours} ${plural(hours, { one: 'godzinę', few: 'godziny', other: 'godzin' })}`
}
