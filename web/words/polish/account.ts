// Words of sign-in, registration and the account pages in Polish.
import type * as english from '../english/account.ts'

export const account: typeof english.account = {
  email: 'Adres e-mail',
  password: 'Hasło',
  newPassword: 'Nowe hasło',
  showPassword: 'Pokaż hasło',
  hidePassword: 'Ukryj hasło',
  passwordHint: 'Co najmniej 12 znaków. Dobrze sprawdza się kilka niezwiązanych ze sobą słów.',
  passwordProblems: {
    required: 'Wybierz hasło.',
    too_short: 'To hasło jest za krótkie. Użyj co najmniej 12 znaków.',
    too_long: 'To hasło jest za długie. Użyj najwyżej 128 znaków.',
  },
  emailProblems: {
    required: 'Wpisz adres e-mail.',
    invalid_format: 'To nie wygląda na adres e-mail.',
  },

  signInFirst: 'Zaloguj się, aby zobaczyć tę stronę.',
  stay: 'Nie wylogowuj mnie.',
  stayHint:
    'Przez maksymalnie 30 dni. Nie należy używać tego na wspólnym komputerze. Administratorzy i tak są wylogowywani po dwóch godzinach bezczynności.',
  forgotten: 'Nie pamiętasz hasła?',
  noAccount: 'Nie masz konta? Poproś o nie',
  signedInAs: (email) => `Zalogowano jako ${email}.`,
  carryOn: 'Kontynuuj',
  refusals: {
    invalid_credentials: 'Logowanie nie powiodło się. Sprawdź adres e-mail i hasło.',
    account_pending:
      'Hasło jest poprawne, ale prośba o konto nadal oczekuje na decyzję administratora. Spróbuj ponownie, gdy nadejdzie odpowiedź.',
    account_rejected:
      'Administrator odrzucił prośbę o konto, więc nie można się zalogować. Jeśli to pomyłka, skontaktuj się z nim.',
    account_suspended:
      'To konto jest zawieszone. Nie można się zalogować, dopóki administrator go nie odblokuje. Skontaktuj się z nim, aby poznać powód.',
    email_not_verified:
      'Hasło jest poprawne, ale adres e-mail nie jest jeszcze potwierdzony: link z wiadomości nie został otwarty.',
  },
  unopened:
    'Hasło jest poprawne, ale link z wiadomości, który potwierdza adres, nie został jeszcze otwarty. Najpierw go otwórz; potem administrator rozpatrzy prośbę.',
  perhapsUnopened:
    'A może prośba o konto została wysłana, ale link z wiadomości nie został jeszcze otwarty? Po jego otwarciu można się zalogować.',
  newLinkForAddress: 'Wyślij mi nowy link',
  unverifiedNoMail:
    'Hasło jest poprawne, ale adres e-mail nie jest potwierdzony. Poproś administratora o jego potwierdzenie.',
  againTitle: 'Zaloguj się ponownie',
  again: 'Sesja wygasła. Strona za tym oknem jest dokładnie taka jak przedtem. Zaloguj się ponownie, aby kontynuować.',
  againOther: 'Zaloguj się na inne konto',
  otherTitle: 'Teraz jest tu zalogowany ktoś inny',
  other: (user, other) =>
    `Ta strona została otwarta z konta ${user}, ale potem w tej przeglądarce zalogowano się na konto ${other}. Nic z tego, co tu wpisano, nie zostało wysłane.`,
  otherReload: (other) => `Wczytaj stronę ponownie z konta ${other}`,
  otherStay: 'Zostaw, jak jest',

  registerTitle: 'Prośba o konto',
  registerLead:
    'Z kontem można zobaczyć także prywatne wydarzenia, a za zgodą administratora również dodawać i edytować wydarzenia.',
  steps: [
    'Wypełnij ten formularz.',
    'Otwórz link, który wyślemy e-mailem, aby potwierdzić, że adres należy do Ciebie.',
    'Administrator rozpatrzy prośbę. Po jej przyjęciu można się zalogować.',
  ],
  stepsNoMail: [
    'Wypełnij ten formularz.',
    'Administrator rozpatrzy prośbę. Ten kalendarz nie wysyła e-maili, więc zapytaj administratora, czy można się już zalogować.',
  ],
  nameHint: 'Widzą ją tylko administratorzy.',
  message: 'Wiadomość do administratora',
  messageHint: 'Kim jesteś i do czego potrzebujesz konta.',
  trap: 'Zostaw to pole puste',
  register: 'Wyślij prośbę',
  proving: 'Chwileczkę: przeglądarka rozwiązuje małą zagadkę, aby powstrzymać boty…',
  checkMailTitle: 'Sprawdź pocztę',
  checkMail: (email) => `Wysłaliśmy wiadomość na adres ${email}.`,
  checkMailNext: [
    'Otwórz link z wiadomości w ciągu 24 godzin i naciśnij przycisk.',
    'Potem administrator rozpatrzy prośbę. Może to potrwać dzień lub dwa.',
    'Nic nie przyszło? Sprawdź folder ze spamem i upewnij się, że adres jest poprawny.',
  ],
  receivedTitle: 'Prośba została przyjęta',
  received: 'Administrator ją rozpatrzy. Może to potrwać dzień lub dwa.',
  receivedNoMail: 'Ten kalendarz nie wysyła e-maili. Zapytaj administratora albo spróbuj zalogować się później.',
  resend: 'Wyślij kolejny link',
  resent: (email) =>
    `Jeśli adres ${email} nie jest jeszcze potwierdzony, kolejna wiadomość jest już w drodze. Link w niej potwierdza adres i pozwala ponownie wybrać hasło. Jest wysyłana najwyżej raz dziennie.`,
  registerOther: 'Użyj innego adresu',

  verifyTitle: 'Potwierdzenie adresu e-mail',
  verifyLead: 'Naciśnij przycisk, aby potwierdzić, że ten adres należy do Ciebie.',
  verify: 'Potwierdź mój adres',
  verified: 'Adres e-mail jest potwierdzony.',
  verifiedWaiting: 'Adres e-mail jest potwierdzony. Administrator rozpatrzy prośbę i wyśle odpowiedź.',
  verifiedPassword:
    'Adres e-mail jest potwierdzony. O to konto poproszono więcej niż raz, dlatego wysyłamy jeszcze jedną wiadomość, która pozwoli wybrać hasło.',
  verifiedPasswordNoMail:
    'Adres e-mail jest potwierdzony. O to konto poproszono więcej niż raz, dlatego potrzebny jest link do wyboru hasła. Ten kalendarz nie wysyła e-maili: poproś o link administratora.',
  incompleteLink: 'Ten link jest niepełny. Otwórz go ponownie z wiadomości.',

  forgotTitle: 'Nie pamiętam hasła',
  forgotLead:
    'Jeśli ten adres ma konto, wyślemy na niego link do wyboru nowego hasła. Link potwierdza też adres, jeśli nie jest on jeszcze potwierdzony.',
  forgotLeadNoMail:
    'Ten kalendarz nie wysyła e-maili. Jeśli ten adres ma konto, link do wyboru nowego hasła zostanie zapisany na serwerze i może go przekazać administrator.',
  sendLink: 'Wyślij mi link',
  sendLinkNoMail: 'Poproś o link',
  linkSent: 'Jeśli ten adres ma konto, wiadomość jest już w drodze. Link w niej działa przez godzinę.',
  linkStored: 'Jeśli ten adres ma konto, link jest na serwerze przez godzinę. Poproś o niego administratora.',
  resetTitle: 'Wybór nowego hasła',
  resetLead:
    'Zastąpi ono stare. Wszystkie sesje zostaną wylogowane, a urządzenia będą potrzebować nowych haseł aplikacji.',
  reset: 'Zmień hasło',
  resetDone: 'Hasło zostało zmienione. Zaloguj się nowym hasłem.',
  newLink: 'Poproś o nowy link',

  parts: 'Strony konta',
  overview: 'Przegląd',
  role: 'Rola',
  roles: {
    reader: 'Czytanie: widzi wszystkie wydarzenia, także prywatne',
    writer: 'Pisanie: widzi, dodaje i zmienia wszystkie wydarzenia',
    admin: 'Administracja: widzi, dodaje i zmienia wszystkie wydarzenia oraz zarządza kontami',
  },
  mailLanguage: 'Język wiadomości e-mail',
  mailLanguageLead:
    'W tym języku są pisane wiadomości do tego konta. Strony są w języku przeglądarki albo w języku wybranym na końcu każdej strony.',
  mailLanguageSaved: 'Język został zapisany.',
  calendarLanguage: 'Język kalendarza',
  currentPassword: 'Obecne hasło',
  currentProblems: {
    not_allowed: 'To nie jest obecne hasło.',
    required: 'Wpisz obecne hasło.',
  },
  changeLead:
    'Wszystkie inne sesje zostaną wylogowane. Hasła aplikacji, linki do kanałów i tokeny pozostaną bez zmian.',
  changed: 'Hasło zostało zmienione. Wszystkie inne sesje zostały wylogowane.',
  outLead: 'Kończy wszystkie sesje, także tę. Przydaje się, gdy konto zostało zalogowane na cudzym komputerze.',
  out: 'Wyloguj wszędzie',

  name: 'Nazwa',
  none: 'Jeszcze nic tu nie ma.',
  neverUsed: 'Nigdy nieużywane',
  lastUsed: (when) => `Ostatnio używane: ${when}`,
  made: (when) => `Utworzono: ${when}`,
  shownOnce: 'To jest pokazywane tylko raz. Skopiuj to, zanim przejdziesz dalej.',
  tookIt: 'Skopiowane',
  keep: 'Zachowaj',
  noMore: 'Limit został osiągnięty. Usuń coś, co nie jest już używane.',

  devicesTitle: 'Hasła aplikacji',
  devicesLead:
    'Hasło aplikacji pozwala aplikacji kalendarza na telefonie lub komputerze korzystać z tego kalendarza. Utwórz osobne dla każdego urządzenia. W razie utraty urządzenia usuń tu jego hasło; pozostałe będą działać dalej.',
  deviceName: 'Urządzenie lub aplikacja',
  deviceHint: 'Na przykład: mój telefon.',
  makeDevice: 'Utwórz hasło aplikacji',
  deviceMade: (name) => `Hasło aplikacji „${name}”`,
  devicesYours: 'Moje hasła aplikacji',
  deviceGoes: (name) => `„${name}” natychmiast straci dostęp. Wydarzenia dodane w ten sposób pozostaną w kalendarzu.`,
  deleted: (name) => `Usunięto: „${name}”.`,
  deleteNamed: (name) => `Usuń: ${name}`,
  deleteTitle: (name) => `Usunąć „${name}”?`,

  guideTitle: 'Konfiguracja aplikacji kalendarza',
  guideLead: 'Każda aplikacja potrzebuje tylko tych trzech danych:',
  guideServer: 'Adres serwera',
  guideUser: 'Nazwa użytkownika',
  guidePassword: 'Hasło: jedno z powyższych haseł aplikacji.',
  guides: ({ server, host, email }) => [
    {
      name: 'iPhone i iPad',
      steps: [
        'Ustawienia › Aplikacje › Kalendarz › Konta kalendarza › Dodaj konto › Inne › Dodaj konto CalDAV.',
        `Serwer: ${host}`,
        `Nazwa użytkownika: ${email}`,
        'Hasło: hasło aplikacji. Opis może być dowolny.',
        'W „Pobieranie nowych danych” ustaw, jak często mają być sprawdzane zmiany.',
      ],
    },
    {
      name: 'Mac (Kalendarz Apple)',
      steps: [
        'Ustawienia systemowe › Konta internetowe › Dodaj konto › Dodaj inne konto › Konto CalDAV.',
        'Typ konta: Ręczne.',
        `Nazwa użytkownika: ${email}`,
        'Hasło: hasło aplikacji.',
        `Adres serwera: ${host}`,
      ],
    },
    {
      name: 'Thunderbird',
      steps: [
        'Kalendarz › Nowy kalendarz › W sieci.',
        `Nazwa użytkownika: ${email}`,
        `Adres: ${server}`,
        'Naciśnij „Znajdź kalendarze”, wybierz znaleziony kalendarz i wpisz hasło aplikacji, gdy pojawi się prośba o hasło.',
        'Zaznacz „Obsługa trybu offline”, aby pobierać tylko zmiany.',
      ],
    },
    {
      name: 'Android (DAVx⁵)',
      steps: [
        'Naciśnij + i wybierz „Zaloguj się za pomocą adresu URL i nazwy użytkownika”.',
        `Bazowy adres URL: ${server}`,
        `Nazwa użytkownika: ${email}`,
        'Hasło: hasło aplikacji.',
        'Zaznacz kalendarz na karcie CalDAV. Pojawi się w każdej aplikacji kalendarza w telefonie.',
      ],
    },
    {
      name: 'Evolution i GNOME',
      steps: [
        'Evolution: Plik › Nowy › Kalendarz, typ CalDAV.',
        `Adres URL: ${server}`,
        `Użytkownik: ${email}; potem „Znajdź kalendarze” i hasło aplikacji, gdy pojawi się prośba o hasło.`,
        'GNOME: Ustawienia › Konta online › Kalendarz, kontakty i pliki (WebDAV), z tymi samymi danymi.',
      ],
    },
    {
      name: 'vdirsyncer',
      steps: ['W pliku konfiguracyjnym, z hasłem aplikacji w bazie kluczy:'],
      code: `[storage calendar]
type = "caldav"
url = "${server}"
username = "${email}"
password.fetch = ["command", "secret-tool", "lookup", "service", "daybook"]`,
    },
  ],

  feedsTitle: 'Linki do kanałów',
  feedsLead:
    'Link do kanału pozwala pokazać ten kalendarz aplikacji, która nie może się zalogować, takiej jak Kalendarz Google. Może go użyć każdy, kto go zna, więc należy go chronić jak hasło.',
  feedHint: 'Na przykład: Kalendarz Google.',
  detail: 'Co pokazuje',
  details: {
    full: 'Wszystko, także szczegóły prywatnych wydarzeń',
    masked: 'To, co widzą wszyscy: prywatne wydarzenia tylko jako „Private Event”',
  },
  detailChoices: { full: 'Wszystko', masked: 'To, co widzą wszyscy' },
  detailHints: {
    full: 'Także szczegóły prywatnych wydarzeń.',
    masked: 'Prywatne wydarzenia tylko jako „Private Event”.',
  },
  category: 'Tylko ta kategoria',
  makeFeed: 'Utwórz link',
  feedMade: (name) => `Link „${name}”`,
  feedAddress: 'Adres do subskrypcji',
  feedsYours: 'Moje linki',
  feedGoes: (name) => `Aplikacje, które używają linku „${name}”, natychmiast przestaną otrzymywać wydarzenia.`,
  onlyCategory: (category) => `Tylko „${category}”`,
  rename: 'Zmień nazwę',
  renameNamed: (name) => `Zmień nazwę: ${name}`,
  renameTitle: (name) => `Zmiana nazwy „${name}”`,

  tokensTitle: 'Tokeny API',
  tokensLead:
    'Dla własnych programów i skryptów. Token może robić tylko to, co tu zaznaczono, i nigdy więcej niż konto, do którego należy.',
  apiDocs: 'Jak korzystać z API',
  tokenHint: 'Na przykład: nasza strona internetowa.',
  scopesLabel: 'Co może robić',
  scopes: {
    'events:read': 'Czytać wszystkie wydarzenia, także prywatne',
    'events:write': 'Dodawać, zmieniać i usuwać wydarzenia',
    admin: 'Administrować: osoby, import, eksport',
  },
  scopesNeeded: 'Zaznacz co najmniej jedno.',
  expiry: 'Ważny przez',
  expiries: { '30': '30 dni', '90': '90 dni', '365': 'rok', '730': 'dwa lata' },
  makeToken: 'Utwórz token',
  tokenLabel: 'Token',
  tokenMade: (name) => `Token „${name}”`,
  tokensYours: 'Moje tokeny',
  tokenGoes: (name) => `Programy, które używają tokenu „${name}”, natychmiast stracą dostęp.`,
  endsWith: (last) => `Kończy się na …${last}`,
  expires: (when) => `Ważny do: ${when}`,
  expired: (when) => `Wygasł: ${when}`,

  sessions: 'Sesje',
  sessionsTitle: 'Gdzie konto jest zalogowane',
  sessionsLead: 'Jeśli któraś z nich wygląda nieznajomo, zakończ ją i zmień hasło.',
  sessionsYours: 'Moje sesje',
  current: 'Ta przeglądarka',
  browserOn: (browser, system) => `${browser}, ${system}`,
  someBrowser: 'Nieznana przeglądarka',
  signedInAt: (when) => `Zalogowano: ${when}`,
  lastSeen: (when) => `ostatnio używana: ${when}`,
  from: (network) => `Z sieci ${network}`,
  endsAt: (when) => `Nieużywana wygaśnie: ${when}`,
  end: 'Zakończ',
  endNamed: (name) => `Zakończ: ${name}`,
  ended: 'Sesja została zakończona.',
  endOthers: 'Zakończ wszystkie inne sesje',
  othersEnded: 'Wszystkie inne sesje zostały zakończone.',
  noOthers: 'Konto nie jest zalogowane nigdzie indziej.',
}
