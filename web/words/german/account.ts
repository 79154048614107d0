// Words of sign-in, registration and the account pages in German.
import type * as english from '../english/account.ts'

export const account: typeof english.account = {
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  passwordHint: 'Mindestens 12 Zeichen. Gut geeignet sind einige Wörter ohne Zusammenhang.',
  passwordProblems: {
    required: 'Wählen Sie ein Passwort.',
    too_short: 'Dieses Passwort ist zu kurz. Verwenden Sie mindestens 12 Zeichen.',
    too_long: 'Dieses Passwort ist zu lang. Verwenden Sie höchstens 128 Zeichen.',
  },
  emailProblems: {
    required: 'Geben Sie Ihre E-Mail-Adresse ein.',
    invalid_format: 'Das sieht nicht wie eine E-Mail-Adresse aus.',
  },

  signInFirst: 'Melden Sie sich an, um diese Seite zu sehen.',
  stay: 'Angemeldet bleiben.',
  stayHint:
    'Bis zu 30 Tage lang. Verwenden Sie das nicht an einem gemeinsam genutzten Computer. Administratoren werden trotzdem nach zwei Stunden ohne Aktivität abgemeldet.',
  forgotten: 'Passwort vergessen?',
  noAccount: 'Noch kein Konto? Anfragen',
  signedInAs: (email) => `Sie sind als ${email} angemeldet.`,
  carryOn: 'Weiter',
  refusals: {
    invalid_credentials: 'Die Anmeldung war nicht möglich. Prüfen Sie die E-Mail-Adresse und das Passwort.',
    account_pending:
      'Ihr Passwort ist richtig, aber Ihre Anfrage wartet noch auf einen Administrator. Versuchen Sie es erneut, sobald Sie eine Nachricht erhalten haben.',
    account_rejected:
      'Ein Administrator hat Ihre Anfrage abgelehnt, daher können Sie sich nicht anmelden. Wenden Sie sich an ihn, wenn Sie das für einen Irrtum halten.',
    account_suspended:
      'Dieses Konto ist gesperrt. Sie können sich erst wieder anmelden, wenn ein Administrator die Sperre aufhebt. Fragen Sie dort nach dem Grund.',
    email_not_verified:
      'Ihr Passwort ist richtig, aber Ihre E-Mail-Adresse ist noch nicht bestätigt: Der Link in der E-Mail wurde noch nicht geöffnet.',
  },
  unopened:
    'Ihr Passwort ist richtig, aber der Link in der E-Mail, der Ihre Adresse bestätigt, wurde noch nicht geöffnet. Öffnen Sie ihn zuerst; dann prüft ein Administrator Ihre Anfrage.',
  perhapsUnopened:
    'Oder haben Sie ein Konto angefragt und den Link in der E-Mail noch nicht geöffnet? Danach können Sie sich anmelden.',
  newLinkForAddress: 'Neuen Link senden',
  unverifiedNoMail:
    'Ihr Passwort ist richtig, aber Ihre E-Mail-Adresse ist nicht bestätigt. Bitten Sie einen Administrator, sie zu bestätigen.',
  againTitle: 'Bitte melden Sie sich erneut an',
  again:
    'Sie wurden abgemeldet. Die Seite hinter diesem Fenster ist so, wie Sie sie verlassen haben. Melden Sie sich an, um fortzufahren.',
  againOther: 'Mit einem anderen Konto anmelden',
  otherTitle: 'Hier ist inzwischen jemand anderes angemeldet',
  other: (user, other) =>
    `Sie haben diese Seite als ${user} geöffnet, aber inzwischen hat sich ${other} in diesem Browser angemeldet. Nichts von dem, was Sie hier eingegeben haben, wurde gesendet.`,
  otherReload: (other) => `Seite als ${other} neu laden`,
  otherStay: 'So lassen',

  registerTitle: 'Konto anfragen',
  registerLead:
    'Mit einem Konto sehen Sie auch private Veranstaltungen, und vielleicht dürfen Sie Veranstaltungen hinzufügen und bearbeiten.',
  steps: [
    'Füllen Sie dieses Formular aus.',
    'Öffnen Sie den Link, den wir Ihnen per E-Mail senden, um zu bestätigen, dass die Adresse Ihnen gehört.',
    'Ein Administrator prüft Ihre Anfrage. Sobald sie angenommen ist, können Sie sich anmelden.',
  ],
  stepsNoMail: [
    'Füllen Sie dieses Formular aus.',
    'Ein Administrator prüft Ihre Anfrage. Dieser Kalender versendet keine E-Mails; fragen Sie also nach, ob Sie sich anmelden können.',
  ],
  nameHint: 'Nur Administratoren können ihn sehen.',
  message: 'Nachricht an den Administrator',
  messageHint: 'Wer Sie sind und was Sie hier tun möchten.',
  trap: 'Dieses Feld leer lassen',
  register: 'Anfrage senden',
  proving: 'Einen Moment: Ihr Browser löst eine kleine Aufgabe, um Bots fernzuhalten …',
  checkMailTitle: 'Sehen Sie in Ihr Postfach',
  checkMail: (email) => `Wir haben eine E-Mail an ${email} gesendet.`,
  checkMailNext: [
    'Öffnen Sie den Link darin innerhalb von 24 Stunden und drücken Sie die Schaltfläche.',
    'Danach prüft ein Administrator Ihre Anfrage. Das kann ein bis zwei Tage dauern.',
    'Es ist nichts angekommen? Sehen Sie im Spam-Ordner nach und prüfen Sie, ob die Adresse richtig geschrieben ist.',
  ],
  receivedTitle: 'Ihre Anfrage ist eingegangen',
  received: 'Ein Administrator wird sie prüfen. Das kann ein bis zwei Tage dauern.',
  receivedNoMail:
    'Dieser Kalender versendet keine E-Mails. Fragen Sie einen Administrator, oder versuchen Sie später, sich anzumelden.',
  resend: 'Noch einen Link senden',
  resent: (email) =>
    `Falls ${email} noch zu bestätigen ist, ist eine weitere E-Mail unterwegs. Ihr Link bestätigt die Adresse und lässt Sie das Passwort neu wählen. Sie wird höchstens einmal am Tag gesendet.`,
  registerOther: 'Eine andere Adresse verwenden',

  verifyTitle: 'E-Mail-Adresse bestätigen',
  verifyLead: 'Drücken Sie die Schaltfläche, um zu bestätigen, dass diese Adresse Ihnen gehört.',
  verify: 'Meine Adresse bestätigen',
  verified: 'Ihre E-Mail-Adresse ist bestätigt.',
  verifiedWaiting:
    'Ihre E-Mail-Adresse ist bestätigt. Ein Administrator prüft Ihre Anfrage, und Sie erhalten eine Nachricht.',
  verifiedPassword:
    'Ihre E-Mail-Adresse ist bestätigt. Das Konto wurde mehr als einmal angefragt; deshalb senden wir Ihnen eine weitere E-Mail, mit der Sie Ihr Passwort wählen.',
  verifiedPasswordNoMail:
    'Ihre E-Mail-Adresse ist bestätigt. Das Konto wurde mehr als einmal angefragt; deshalb brauchen Sie einen Link, um Ihr Passwort zu wählen. Dieser Kalender versendet keine E-Mails: Bitten Sie einen Administrator um den Link.',
  incompleteLink: 'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail.',

  forgotTitle: 'Passwort vergessen',
  forgotLead:
    'Wenn es zu dieser Adresse ein Konto gibt, senden wir Ihnen einen Link, mit dem Sie ein neues Passwort wählen. Der Link bestätigt auch die Adresse, falls das noch aussteht.',
  forgotLeadNoMail:
    'Dieser Kalender versendet keine E-Mails. Wenn es zu dieser Adresse ein Konto gibt, wird ein Link zur Wahl eines neuen Passworts auf dem Server gespeichert, und ein Administrator kann ihn Ihnen geben.',
  sendLink: 'Link senden',
  sendLinkNoMail: 'Um einen Link bitten',
  linkSent:
    'Wenn es zu dieser Adresse ein Konto gibt, ist eine E-Mail unterwegs. Der Link darin gilt eine Stunde lang.',
  linkStored:
    'Wenn es zu dieser Adresse ein Konto gibt, liegt der Link eine Stunde lang auf dem Server. Bitten Sie einen Administrator darum.',
  resetTitle: 'Neues Passwort wählen',
  resetLead: 'Es ersetzt Ihr altes. Sie werden überall abgemeldet, und Ihre Geräte brauchen neue App-Passwörter.',
  reset: 'Mein Passwort ändern',
  resetDone: 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
  newLink: 'Neuen Link anfordern',

  parts: 'Seiten des Kontos',
  overview: 'Übersicht',
  role: 'Rolle',
  roles: {
    reader: 'Lesen: sieht alle Veranstaltungen, auch private',
    writer: 'Schreiben: sieht alle Veranstaltungen, fügt sie hinzu und ändert sie',
    admin: 'Administration: sieht alle Veranstaltungen, fügt sie hinzu und ändert sie, und verwaltet Konten',
  },
  mailLanguage: 'Sprache der E-Mails',
  mailLanguageLead:
    'E-Mails an Sie werden in dieser Sprache geschrieben. Die Seiten folgen Ihrem Browser, oder Ihrer Wahl am Ende jeder Seite.',
  mailLanguageSaved: 'Die Sprache wurde gespeichert.',
  calendarLanguage: 'Die Sprache des Kalenders',
  currentPassword: 'Jetziges Passwort',
  currentProblems: {
    not_allowed: 'Das ist nicht Ihr jetziges Passwort.',
    required: 'Geben Sie Ihr jetziges Passwort ein.',
  },
  changeLead: 'Sie werden überall sonst abgemeldet. App-Passwörter, Feed-Links und Tokens bleiben, wie sie sind.',
  changed: 'Ihr Passwort wurde geändert. Sie wurden überall sonst abgemeldet.',
  outLead:
    'Beendet alle Ihre Sitzungen, auch diese. Nutzen Sie das, wenn Sie auf einem fremden Computer angemeldet geblieben sind.',
  out: 'Überall abmelden',

  name: 'Name',
  none: 'Noch nichts vorhanden.',
  neverUsed: 'Nie verwendet',
  lastUsed: (when) => `Zuletzt verwendet: ${when}`,
  made: (when) => `Angelegt: ${when}`,
  shownOnce: 'Das wird nur einmal angezeigt. Kopieren Sie es, bevor Sie fortfahren.',
  tookIt: 'Ich habe es kopiert',
  keep: 'Behalten',
  noMore: 'Die Höchstzahl ist erreicht. Löschen Sie etwas, das Sie nicht mehr verwenden.',

  devicesTitle: 'App-Passwörter',
  devicesLead:
    'Mit einem App-Passwort kann die Kalender-App auf Ihrem Telefon oder Computer diesen Kalender nutzen. Legen Sie für jedes Gerät eines an. Wenn Sie ein Gerät verlieren, löschen Sie hier sein Passwort; die anderen funktionieren weiter.',
  deviceName: 'Gerät oder App',
  deviceHint: 'Zum Beispiel: mein Telefon.',
  makeDevice: 'App-Passwort anlegen',
  deviceMade: (name) => `Das App-Passwort für „${name}“`,
  devicesYours: 'Ihre App-Passwörter',
  deviceGoes: (name) =>
    `„${name}“ verliert den Zugang sofort. Veranstaltungen, die damit hinzugefügt wurden, bleiben im Kalender.`,
  deleted: (name) => `„${name}“ wurde gelöscht.`,
  deleteNamed: (name) => `${name} löschen`,
  deleteTitle: (name) => `„${name}“ löschen?`,

  guideTitle: 'Kalender-App einrichten',
  guideLead: 'Jede App braucht nur diese drei Angaben:',
  guideServer: 'Server-Adresse',
  guideUser: 'Benutzername',
  guidePassword: 'Passwort: ein App-Passwort von oben.',
  guides: ({ server, host, email }) => [
    {
      name: 'iPhone und iPad',
      steps: [
        'Einstellungen › Apps › Kalender › Kalenderaccounts › Account hinzufügen › Andere › CalDAV-Account hinzufügen.',
        `Server: ${host}`,
        `Benutzername: ${email}`,
        'Passwort: das App-Passwort. Die Beschreibung können Sie frei wählen.',
        'Unter „Datenabgleich“ legen Sie fest, wie oft nach Änderungen gesehen wird.',
      ],
    },
    {
      name: 'Mac (Apple Kalender)',
      steps: [
        'Systemeinstellungen › Internetaccounts › Account hinzufügen › Anderen Account hinzufügen › CalDAV-Account.',
        'Accounttyp: Manuell.',
        `Benutzername: ${email}`,
        'Passwort: das App-Passwort.',
        `Serveradresse: ${host}`,
      ],
    },
    {
      name: 'Thunderbird',
      steps: [
        'Kalender › Neuer Kalender › Im Netzwerk.',
        `Benutzername: ${email}`,
        `Adresse: ${server}`,
        'Drücken Sie „Kalender suchen“, wählen Sie den gefundenen Kalender und geben Sie auf Nachfrage das App-Passwort ein.',
        'Wählen Sie „Offline-Unterstützung“, damit nur Änderungen geladen werden.',
      ],
    },
    {
      name: 'Android (DAVx⁵)',
      steps: [
        'Drücken Sie + und wählen Sie „Mit URL und Benutzername anmelden“.',
        `Basis-URL: ${server}`,
        `Benutzername: ${email}`,
        'Passwort: das App-Passwort.',
        'Wählen Sie den Kalender unter CalDAV aus. Er erscheint dann in jeder Kalender-App des Telefons.',
      ],
    },
    {
      name: 'Evolution und GNOME',
      steps: [
        'Evolution: Datei › Neu › Kalender, Typ CalDAV.',
        `Adresse: ${server}`,
        `Benutzer: ${email}; dann Kalender suchen, und auf Nachfrage das App-Passwort.`,
        'GNOME: Einstellungen › Online-Konten › Kalender, Kontakte und Dateien (WebDAV), mit denselben Angaben.',
      ],
    },
    {
      name: 'vdirsyncer',
      steps: ['In der Konfigurationsdatei, mit dem App-Passwort im Schlüsselbund:'],
      code: `[storage calendar]
type = "caldav"
url = "${server}"
username = "${email}"
password.fetch = ["command", "secret-tool", "lookup", "service", "daybook"]`,
    },
  ],

  feedsTitle: 'Feed-Links',
  feedsLead:
    'Mit einem Feed-Link zeigt eine App diesen Kalender, die sich nicht anmelden kann, etwa Google Kalender. Wer den Link hat, kann ihn verwenden; behandeln Sie ihn wie ein Passwort.',
  feedHint: 'Zum Beispiel: Google Kalender.',
  detail: 'Was er zeigt',
  details: {
    full: 'Alles, auch die Einzelheiten privater Veranstaltungen',
    masked: 'Was die Öffentlichkeit sieht: private Veranstaltungen nur als „Private Event“',
  },
  detailChoices: { full: 'Alles', masked: 'Was die Öffentlichkeit sieht' },
  detailHints: {
    full: 'Auch die Einzelheiten privater Veranstaltungen.',
    masked: 'Private Veranstaltungen nur als „Private Event“.',
  },
  category: 'Nur diese Kategorie',
  makeFeed: 'Link anlegen',
  feedMade: (name) => `Der Link für „${name}“`,
  feedAddress: 'Adresse zum Abonnieren',
  feedsYours: 'Ihre Links',
  feedGoes: (name) => `Apps, die „${name}“ verwenden, erhalten sofort keine Veranstaltungen mehr.`,
  onlyCategory: (category) => `Nur „${category}“`,
  rename: 'Umbenennen',
  renameNamed: (name) => `${name} umbenennen`,
  renameTitle: (name) => `„${name}“ umbenennen`,

  tokensTitle: 'API-Tokens',
  tokensLead:
    'Für Programme, die Sie selbst schreiben oder betreiben. Ein Token kann nur, was Sie hier auswählen, und nie mehr als Sie selbst.',
  apiDocs: 'So nutzen Sie die API',
  tokenHint: 'Zum Beispiel: unsere Website.',
  scopesLabel: 'Was es darf',
  scopes: {
    'events:read': 'Alle Veranstaltungen lesen, auch private',
    'events:write': 'Veranstaltungen hinzufügen, ändern und löschen',
    admin: 'Verwalten: Personen, Import, Export',
  },
  scopesNeeded: 'Wählen Sie mindestens eines aus.',
  expiry: 'Gültig für',
  expiries: { '30': '30 Tage', '90': '90 Tage', '365': 'ein Jahr', '730': 'zwei Jahre' },
  makeToken: 'Token anlegen',
  tokenLabel: 'Token',
  tokenMade: (name) => `Das Token „${name}“`,
  tokensYours: 'Ihre Tokens',
  tokenGoes: (name) => `Programme, die „${name}“ verwenden, verlieren den Zugang sofort.`,
  endsWith: (last) => `Endet auf …${last}`,
  expires: (when) => `Gültig bis ${when}`,
  expired: (when) => `Abgelaufen: ${when}`,

  sessions: 'Sitzungen',
  sessionsTitle: 'Wo ich angemeldet bin',
  sessionsLead: 'Wenn Sie eine davon nicht erkennen, beenden Sie sie und ändern Sie Ihr Passwort.',
  sessionsYours: 'Ihre Sitzungen',
  current: 'Dieser Browser',
  browserOn: (browser, system) => `${browser} auf ${system}`,
  someBrowser: 'Ein unbekannter Browser',
  signedInAt: (when) => `Angemeldet: ${when}`,
  lastSeen: (when) => `zuletzt verwendet: ${when}`,
  from: (network) => `Aus dem Netz ${network}`,
  endsAt: (when) => `Läuft ab, wenn nicht verwendet: ${when}`,
  end: 'Beenden',
  endNamed: (name) => `${name} beenden`,
  ended: 'Die Sitzung wurde beendet.',
  endOthers: 'Alle anderen Sitzungen beenden',
  othersEnded: 'Alle anderen Sitzungen wurden beendet.',
  noOthers: 'Sie sind nirgendwo sonst angemeldet.',
}
