// Words of the first run and of the page about embedding in German.
import type * as english from '../english/setup.ts'

export const setup: typeof english.setup = {
  title: 'Willkommen bei Daybook',
  lead: 'In zwei Minuten ist Ihr Kalender bereit: Legen Sie Ihr Konto an und geben Sie dem Kalender einen Namen.',
  you: 'Sie, der Administrator',
  emailHint: 'Damit melden Sie sich an. Nur Administratoren können sie sehen.',
  name: 'Ihr Name',
  calendar: 'Der Kalender',
  siteName: 'Name des Kalenders',
  zone: 'Zeitzone',
  zoneHint: 'Für Tage und Zeiten ohne eigene Zeitzone. Zum Beispiel: Europe/Berlin.',
  weekStart: 'Die Woche beginnt am',
  weekStartAuto: 'je nach Sprache der Leser',
  submit: 'Kalender einrichten',
  codeWrong:
    'Der Code in diesem Link ist falsch, wurde schon verwendet oder ist abgelaufen. Der neueste Link steht dort, wo Daybook gestartet wurde; starten Sie es erneut, um einen neuen zu erhalten.',
  doneTitle: 'Dieser Kalender ist schon eingerichtet',
  done: 'Er hat einen Administrator, hier ist also nichts zu tun.',
  noCodeTitle: 'Dieser Link ist unvollständig',
  noCode: [
    'Dieser Kalender hat noch keinen Administrator. Um es zu werden, öffnen Sie den ganzen Link, der beim Start von Daybook ausgegeben wurde. Er endet mit:',
    'Sie finden ihn nicht? Starten Sie Daybook erneut, dann wird ein neuer ausgegeben.',
    'Oder führen Sie auf dem Server diesen Befehl aus:',
  ],
  readyTitle: 'Ihr Kalender ist bereit',
  ready: 'Sie sind sein Administrator und angemeldet.',
  kept: (names) =>
    `Ihre Wahl wurde nicht übernommen, weil der Betreiber dies in den Einstellungen des Servers festgelegt hat: ${names}.`,
  next: 'Wie geht es weiter?',
  toCalendar: 'Kalender öffnen',
  toImport: 'Veranstaltungen aus einem anderen Kalender importieren',
  demo: 'Sie möchten sich nur umsehen? Dieser Befehl füllt den Kalender mit den Veranstaltungen eines Gemeindezentrums:',
}

export const embed: typeof english.embed = {
  title: 'Diesen Kalender einbetten',
  lead: 'Zeigen Sie diesen Kalender auf jeder Webseite: Kopieren Sie zwei Zeilen und fügen Sie sie dort ein, wo er erscheinen soll. Besucher erhalten keine Cookies, und private Veranstaltungen zeigen nur ihre Zeit.',
  choices: 'Was soll er zeigen?',
  theme: 'Farben',
  themes: [
    ['', 'Wie die Seite'],
    ['light', 'Hell'],
    ['dark', 'Dunkel'],
  ],
  limit: 'Wie viele Veranstaltungen',
  upcomingTitle: 'Demnächst',
  upcomingAbout: 'Eine kurze Liste für eine Seitenleiste oder die Startseite. Sie ist nur wenige Kilobyte groß.',
  calendarTitle: 'Der ganze Kalender',
  calendarAbout:
    'Monat, Woche, Tag, Liste oder Jahr, mit eigenen Schaltflächen. Das Raster wird nur geladen, wo es gebraucht wird.',
  code: 'Kopieren Sie das in Ihre Seite',
  frameTitle: 'Als Rahmen',
  frameAbout:
    'Für Websites, die keine Skripte erlauben. Ihre Website muss in der Einstellung embed_sites stehen; fragen Sie die Person, die diesen Kalender betreibt.',
  wordpressTitle: 'WordPress',
  wordpressAbout:
    'Fügen Sie das in die functions.php Ihres Child-Themes oder in ein kleines Plugin ein. Es braucht WordPress 6.5.',
  wordpressCode: 'Für functions.php',
  wordpressUse:
    'Fügen Sie dann das dort ein, wo die Liste erscheinen soll, in eine beliebige Seite, einen Beitrag oder ein Text-Widget:',
  shortcode: 'Shortcode',
  lookTitle: 'Farben und Schriften',
  lookAbout:
    'Setzen Sie diese Eigenschaften im Stylesheet Ihrer Website, am Element selbst oder an einem, das es umgibt.',
  properties: [
    ['--daybook-ink', 'Text'],
    ['--daybook-muted', 'Weniger wichtiger Text'],
    ['--daybook-accent', 'Links, Schaltflächen, heute'],
    ['--daybook-paper', 'Hintergrund'],
    ['--daybook-card', 'Hintergrund des Rasters'],
    ['--daybook-line', 'Linien'],
    ['--daybook-font', 'Schrift, wie die CSS-Eigenschaft font'],
  ],
}
