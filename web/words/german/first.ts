// Words of the first load in German.
import { times } from '../../../src/words/german.ts'
import type * as english from '../english/first.ts'

export { rule, times } from '../../../src/words/german.ts'

export const frame: typeof english.frame = {
  skip: 'Zum Inhalt springen',
  ways: 'Hauptmenü',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  stillSignedIn: 'Sie sind weiterhin angemeldet.',
  account: 'Mein Konto',
  admin: 'Verwaltung',
  newEvent: 'Neue Veranstaltung',
  trash: 'Papierkorb',
  missingTitle: 'Seite nicht gefunden',
  missing: 'Vielleicht enthält die Adresse einen Tippfehler, oder die Seite ist umgezogen.',
  toCalendar: 'Zum Kalender',
  waiting: (count) => (count === 1 ? '1 Anfrage wartet' : `${count} Anfragen warten`),
  language: 'Sprache',
  brokenTitle: 'Diese Seite konnte nicht geladen werden',
  broken: 'Vielleicht besteht keine Verbindung zum Internet, oder Daybook wurde gerade aktualisiert.',
  tryAgain: 'Erneut versuchen',
}

export const common: typeof english.common = {
  ownPassword: 'Ihr eigenes Passwort',
  ownPasswordProblems: {
    required: 'Geben Sie Ihr eigenes Passwort ein.',
    not_allowed: 'Das ist nicht Ihr eigenes Passwort.',
  },
  loading: 'Wird geladen …',
  working: 'Einen Moment …',
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  delete: 'Löschen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  undo: 'Rückgängig machen',
  yes: 'Ja',
  no: 'Nein',
  show: 'Anzeigen',
  hide: 'Verbergen',
  optional: 'freiwillig',
  privateEvent: 'Private Veranstaltung',
  quoted: (text) => `„${text}“`,
  tryAgainIn: (seconds) => `Zu viele Versuche. Versuchen Sie es in ${waitInWords(seconds)} erneut.`,
}

export const calendar: typeof english.calendar = {
  severalDates: 'an mehreren Terminen',
  today: 'Heute',
  goTo: 'Zu einem Datum',
  view: 'Ansicht',
  views: { month: 'Monat', week: 'Woche', day: 'Tag', list: 'Liste', year: 'Jahr' },
  next: {
    month: 'Nächster Monat',
    week: 'Nächste Woche',
    day: 'Nächster Tag',
    list: 'Später',
    year: 'Nächstes Jahr',
  },
  previous: {
    month: 'Voriger Monat',
    week: 'Vorige Woche',
    day: 'Voriger Tag',
    list: 'Früher',
    year: 'Voriges Jahr',
  },
  to: times.to,
  until: (clock) => `bis ${clock}`,
  allDay: times.allDay,
  allDayShort: 'ganztägig',
  history: 'Verlauf',
  repeats: 'wiederholt sich',
  private: 'privat',
  cancelled: 'abgesagt',
  tentative: 'Noch nicht bestätigt',
  cancelledNote: 'Abgesagt',
  privateNote: 'Privat: Nur angemeldete Personen sehen mehr als die Zeit.',
  maskedNote: 'Diese Zeit ist belegt. Die Einzelheiten sind privat.',
  nothing: 'In diesem Zeitraum gibt es keine Veranstaltungen.',
  nothingFound: 'In diesem Zeitraum gibt es keine Veranstaltungen dieser Kategorie.',
  searchFor: (text) => `Suche: ${text}`,
  searchAll: 'Alle Termine durchsuchen',
  found: {
    ahead: (count) => `${countDates(count)} ab heute gefunden.`,
    past: (count) => `${countDates(count)} vor heute gefunden.`,
  },
  searchIn: { ahead: 'Ab heute suchen', past: 'In vergangenen Terminen suchen' },
  moreFound: (shown, total) => `Mehr anzeigen (${grouped(shown)} von ${grouped(total)})`,
  cut: (shown, total) =>
    `Es werden die ersten ${shown} von ${total} Veranstaltungen angezeigt. Wählen Sie einen kürzeren Zeitraum, um die übrigen zu sehen.`,
  more: (count) => `${count} weitere`,
  moreHint: (count) => `${count} weitere ${count === 1 ? 'Veranstaltung' : 'Veranstaltungen'}; Tag öffnen`,
  events: (count) => (count === 1 ? '1 Veranstaltung' : `${count} Veranstaltungen`),
  days: 'Mit den Pfeiltasten wechseln Sie den Tag, mit der Eingabetaste öffnen Sie ihn.',
  daysForWriters:
    'Mit den Pfeiltasten wechseln Sie den Tag, mit der Eingabetaste fügen Sie eine Veranstaltung hinzu, mit der Leertaste öffnen Sie den Tag.',
  outside:
    'Dieser Link führt zu einem Datum oder einer Ansicht, die dieser Kalender nicht zeigen kann. Deshalb wird der heutige Tag gezeigt.',
  search: 'Suchen',
  category: 'Kategorie',
  allCategories: 'Alle Kategorien',
  zone: (zone) => `Zeiten in ${zone}`,
  showIn: (zone) => `In ${zone} anzeigen`,
  newEvent: 'Neue Veranstaltung',
  subscribe: 'Abonnieren',
  subscribeTitle: 'Diesen Kalender abonnieren',
  subscribeIntro: 'Ihre Kalender-App zeigt diese Veranstaltungen an und hält sie aktuell.',
  subscribeCategory: (category) => `Nur „${category}“`,
  withApple: 'Apple Kalender',
  withGoogle: 'Google Kalender',
  withOutlook: 'Outlook.com',
  withOffice: 'Outlook für Arbeit oder Schule',
  withProgram: 'Eine andere App auf diesem Gerät',
  subscribeLink: 'Oder kopieren Sie diese Adresse in Ihre Kalender-App',
  event: 'Veranstaltung',
  when: 'Wann',
  where: 'Wo',
  repeatsLabel: 'Wiederholung',
  link: 'Link',
  page: 'Seite der Veranstaltung',
  take: 'In meinen Kalender übernehmen',
  edit: 'Bearbeiten',
  duplicate: 'Duplizieren',
}

export const errors: typeof english.errors = {
  unknown: 'Etwas ist schiefgegangen. Versuchen Sie es später erneut.',
  offline: 'Der Server ist gerade nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  rate_limited: 'Zu viele Versuche. Warten Sie eine Weile und versuchen Sie es dann erneut.',
  another_person: 'In diesem Browser ist inzwischen jemand anderes angemeldet. Es wurde nichts gesendet.',
  credential_not_found: 'Das gibt es nicht mehr.',
  session_expired: 'Sie wurden abgemeldet. Melden Sie sich an, um fortzufahren; Ihre Eingaben bleiben erhalten.',
  authentication_required: 'Melden Sie sich zuerst an.',
  invalid_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  insufficient_capability: 'Ihr Konto hat dafür keine Berechtigung.',
  admin_required: 'Das ist nur Administratoren möglich.',
  account_pending: 'Ihr Konto wartet noch auf die Freigabe durch einen Administrator.',
  account_rejected: 'Ein Administrator hat dieses Konto abgelehnt.',
  account_suspended: 'Dieses Konto ist gesperrt. Wenden Sie sich an einen Administrator.',
  email_not_verified:
    'Ihre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Link in der E-Mail, die wir Ihnen geschickt haben.',
  registration_closed: 'Dieser Kalender nimmt zurzeit keine Anfragen für Konten an.',
  https_required: 'Diese Seite braucht eine sichere Verbindung. Öffnen Sie sie mit https.',
  token_invalid_or_expired: 'Dieser Link wurde schon verwendet oder ist abgelaufen.',
  validation_failed: 'Bitte prüfen Sie die markierten Felder.',
  version_mismatch: 'Das wurde inzwischen von jemand anderem geändert.',
  event_not_found: 'Diese Veranstaltung gibt es nicht mehr.',
  version_not_found: 'Diese Fassung wird nicht mehr aufbewahrt.',
  occurrence_not_found: 'Dieser Termin gehört nicht zur Serie.',
  invalid_occurrence_key: 'Dieser Termin gehört nicht zur Serie.',
  exception_not_found: 'An diesem Termin gibt es nichts rückgängig zu machen.',
  event_not_recurring: 'Diese Veranstaltung wiederholt sich nicht mehr.',
  user_not_found: 'Dieses Konto gibt es nicht mehr.',
  email_taken: 'Für diese Adresse gibt es schon ein Konto.',
  body_too_large: 'Diese Datei ist zu groß.',
  too_many_exceptions: 'Diese Serie hat die Höchstzahl geänderter Termine erreicht.',
  too_many_overrides:
    'Mehr als 1.000 Termine müssten einzeln geändert werden. Ändern Sie die ganze Serie, oder löschen Sie diesen und die folgenden Termine und legen Sie dafür eine neue Veranstaltung an.',
  event_too_large: 'Diese Veranstaltung enthält zusammen mit allen geänderten Terminen zu viel Text.',
  last_admin: 'Das ist der letzte Administrator; bestimmen Sie zuerst einen weiteren.',
  invalid_state_transition: 'Der jetzige Zustand des Kontos lässt das nicht zu.',
  service_unavailable: 'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  storage_unavailable: 'Die Datenbank ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
}

export const fields: typeof english.fields = {
  required: 'Bitte füllen Sie dieses Feld aus.',
  invalid_type: 'Diese Angabe ist ungültig.',
  invalid_format: 'Diese Angabe sieht nicht richtig aus.',
  too_short: 'Bitte füllen Sie dieses Feld aus.',
  too_long: 'Diese Angabe ist zu lang.',
  out_of_range: 'Dieser Wert liegt außerhalb des erlaubten Bereichs.',
  not_allowed: 'Dieser Wert ist hier nicht erlaubt.',
  timezone_unknown: 'Diese Zeitzone gibt es nicht.',
  end_before_start: 'Das Ende muss nach dem Beginn liegen.',
  range_too_large: 'Dieser Zeitraum ist zu lang.',
  rrule_invalid: 'Diese Wiederholung ist ungültig.',
  rrule_unsupported: 'Diese Art der Wiederholung wird nicht unterstützt.',
  rrule_no_occurrences: 'Diese Wiederholung ergibt keine Termine.',
  password_common: 'Dieses Passwort ist leicht zu erraten. Wählen Sie ein anderes.',
  set_by_operator: 'Das hat der Betreiber auf dem Server festgelegt.',
  url_scheme: 'Webadressen beginnen mit http:// oder https://.',
}

const grouped = (count: number): string => count.toLocaleString('de')

function countDates(count: number): string {
  if (count === 0) return 'Keine Termine'
  return count === 1 ? '1 Termin' : `${grouped(count)} Termine`
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `${minutes} Minuten` : `${Math.ceil(minutes / 60)} Stunden`
}
