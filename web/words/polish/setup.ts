// Words of the first run and of the page about embedding in Polish.
import type * as english from '../english/setup.ts'

export const setup: typeof english.setup = {
  title: 'Witamy w programie Daybook',
  lead: 'Kalendarz będzie gotowy za dwie minuty: utwórz konto i nadaj kalendarzowi nazwę.',
  you: 'Administrator',
  emailHint: 'Służy do logowania. Widzą go tylko administratorzy.',
  name: 'Imię i nazwisko',
  calendar: 'Kalendarz',
  siteName: 'Nazwa kalendarza',
  zone: 'Strefa czasowa',
  zoneHint: 'Dla dat i godzin bez własnej strefy czasowej. Na przykład: Europe/Warsaw.',
  weekStart: 'Pierwszy dzień tygodnia',
  weekStartAuto: 'zależnie od języka czytelnika',
  submit: 'Skonfiguruj kalendarz',
  codeWrong:
    'Kod w tym linku jest nieprawidłowy, został już użyty lub wygasł. Najnowszy link jest wypisany tam, gdzie uruchomiono program Daybook; uruchom go ponownie, aby otrzymać nowy.',
  doneTitle: 'Ten kalendarz jest już skonfigurowany',
  done: 'Ma już administratora, więc nie ma tu nic do zrobienia.',
  noCodeTitle: 'Ten link jest niepełny',
  noCode: [
    'Ten kalendarz nie ma jeszcze administratora. Aby nim zostać, otwórz pełny link wypisany tam, gdzie uruchomiono program Daybook. Kończy się on tak:',
    'Nie widać linku? Uruchom program Daybook ponownie, a wypisze nowy.',
    'Albo wykonaj na serwerze to polecenie:',
  ],
  readyTitle: 'Kalendarz jest gotowy',
  ready: 'Konto administratora jest utworzone i zalogowane.',
  kept: (names) => `Wybór nie został zastosowany, ponieważ operator określił to w ustawieniach serwera: ${names}.`,
  next: 'Co dalej?',
  toCalendar: 'Otwórz kalendarz',
  toImport: 'Zaimportuj wydarzenia z innego kalendarza',
  demo: 'To tylko próba? To polecenie wypełnia kalendarz wydarzeniami domu kultury:',
}

export const embed: typeof english.embed = {
  title: 'Osadzanie tego kalendarza',
  lead: 'Ten kalendarz można pokazać na dowolnej stronie internetowej: skopiuj dwa wiersze i wklej je tam, gdzie ma się pojawić. Odwiedzający nie dostają plików cookie, a prywatne wydarzenia pokazują tylko swój czas.',
  choices: 'Co ma być widoczne?',
  theme: 'Kolory',
  themes: [
    ['', 'Takie jak na stronie'],
    ['light', 'Jasne'],
    ['dark', 'Ciemne'],
  ],
  limit: 'Liczba wydarzeń',
  upcomingTitle: 'Nadchodzące wydarzenia',
  upcomingAbout: 'Krótka lista na pasek boczny lub stronę główną. Zajmuje tylko kilka kilobajtów.',
  calendarTitle: 'Cały kalendarz',
  calendarAbout:
    'Miesiąc, tydzień, dzień, lista lub rok, z własnymi przyciskami. Siatka jest wczytywana tylko tam, gdzie jest używana.',
  code: 'Skopiuj to na swoją stronę',
  frameTitle: 'Jako ramka',
  frameAbout:
    'Dla witryn, które nie pozwalają na skrypty. Witryna musi być wymieniona w ustawieniu embed_sites; zapytaj osobę, która prowadzi ten kalendarz.',
  wordpressTitle: 'WordPress',
  wordpressAbout:
    'Wstaw to do pliku functions.php motywu potomnego albo do małej wtyczki. Wymagany jest WordPress 6.5.',
  wordpressCode: 'Do pliku functions.php',
  wordpressUse:
    'Następnie wstaw to tam, gdzie ma się pojawić lista, na dowolnej stronie, we wpisie lub w widżecie tekstowym:',
  shortcode: 'Shortcode',
  lookTitle: 'Kolory i czcionki',
  lookAbout:
    'Ustaw te właściwości w arkuszu stylów witryny, na samym elemencie albo na dowolnym elemencie, który go otacza.',
  properties: [
    ['--daybook-ink', 'Tekst'],
    ['--daybook-muted', 'Mniej ważny tekst'],
    ['--daybook-accent', 'Linki, przyciski, dzisiejszy dzień'],
    ['--daybook-paper', 'Tło'],
    ['--daybook-card', 'Tło siatki'],
    ['--daybook-line', 'Linie'],
    ['--daybook-font', 'Czcionka, jak właściwość CSS font'],
  ],
}
