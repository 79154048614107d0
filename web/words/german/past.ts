// Words of the trash and of histories of events in German.
import type * as english from '../english/past.ts'

export const trash: typeof english.trash = {
  title: 'Papierkorb',
  lead: 'Gelöschte Veranstaltungen können wiederhergestellt werden, bis sie endgültig gelöscht werden.',
  notKept: 'Gelöschte Veranstaltungen werden in diesem Kalender nicht aufbewahrt.',
  nothing: 'Der Papierkorb ist leer.',
  nothingFound: 'Im Papierkorb gibt es keine solchen Veranstaltungen.',
  deletedBy: 'Gelöscht von',
  anyone: 'Allen',
  you: (name) => `${name} (Sie)`,
  someone: 'Das ausgewählte Konto',
  deletedSince: 'Gelöscht seit',
  apply: 'Anzeigen',
  onlyWith: (withWhat) => `Nur Veranstaltungen, die ${withWhat} gelöscht wurden.`,
  onlyOne: 'Nur Veranstaltungen, die mit einem bestimmten Gerät oder Programm gelöscht wurden.',
  onlyUntil: (time) => `Nur Veranstaltungen, die vor diesem Zeitpunkt gelöscht wurden: ${time}.`,
  showAll: 'Alle gelöschten Veranstaltungen anzeigen',
  selectAll: (count) => `Alle ${count} auf dieser Seite auswählen`,
  select: (title) => `Auswählen: ${title}`,
  noneSelected: 'Ausgewählte wiederherstellen',
  restoreSelected: (count) => `${count} ausgewählte wiederherstellen`,
  restoreAll: (count) => `Alle ${count} davon wiederherstellen …`,
  restoreSure: (count) =>
    count === 1
      ? 'Eine Veranstaltung wird für alle wiederhergestellt.'
      : `${count} Veranstaltungen werden für alle wiederhergestellt.`,
  restoreYes: (count) => (count === 1 ? 'Ja, wiederherstellen' : `Ja, ${count} wiederherstellen`),
  wouldConflict: (count) =>
    count === 1
      ? 'Eine weitere bleibt im Papierkorb, weil sie inzwischen neu angelegt wurde.'
      : `${count} weitere bleiben im Papierkorb, weil sie inzwischen neu angelegt wurden.`,
  restored: (count) =>
    count === 1 ? 'Eine Veranstaltung wurde wiederhergestellt.' : `${count} Veranstaltungen wurden wiederhergestellt.`,
  conflicts: (count) =>
    count === 1
      ? 'Eine ist noch im Papierkorb, weil sie inzwischen neu angelegt wurde.'
      : `${count} sind noch im Papierkorb, weil sie inzwischen neu angelegt wurden.`,
  notFound: (count) =>
    count === 1
      ? 'Eine war schon wiederhergestellt oder endgültig gelöscht.'
      : `${count} waren schon wiederhergestellt oder endgültig gelöscht.`,
  notStored: (count) =>
    count === 1
      ? 'Eine konnte nicht wiederhergestellt werden. Versuchen Sie es erneut.'
      : `${count} konnten nicht wiederhergestellt werden. Versuchen Sie es erneut.`,
  restore: 'Wiederherstellen',
  replace: 'Diese Fassung wiederherstellen',
  replacedNote:
    'Die Veranstaltung wurde inzwischen neu angelegt. Wenn Sie diese Fassung wiederherstellen, kommt die neue in den Papierkorb.',
  showOther: 'Anzeigen',
  refusals: { event_not_found: 'Diese Veranstaltung wurde schon wiederhergestellt oder endgültig gelöscht.' },
  deleted: 'Gelöscht am',
  until: 'Kann wiederhergestellt werden bis',
  by: (entry) => `von ${entry.deleted_by_name ?? 'einem gelöschten Konto'} ${withWords(entry)}`,
  withWords,
  sameSince: (entry) => {
    if (entry.credential_name !== null) return `Alles, was seitdem mit „${entry.credential_name}“ gelöscht wurde`
    return SAME_SINCE[entry.deleted_with]
  },
  empty: 'Papierkorb leeren …',
  emptySure: (count) =>
    count === 1
      ? 'Die Veranstaltung im Papierkorb wird endgültig gelöscht. Das kann nicht rückgängig gemacht werden.'
      : `Alle ${count} Veranstaltungen im Papierkorb werden endgültig gelöscht. Das kann nicht rückgängig gemacht werden.`,
  emptyYes: 'Ja, Papierkorb leeren',
  emptied: 'Der Papierkorb wurde geleert.',
}

const SAME_SINCE = {
  session: 'Alles, was seitdem im selben Browser gelöscht wurde',
  password: 'Alles, was seitdem mit diesem Passwort gelöscht wurde',
  app_password: 'Alles, was seitdem mit demselben Gerät gelöscht wurde',
  token: 'Alles, was seitdem mit demselben Token gelöscht wurde',
  operator: 'Alles, was seitdem auf dem Server gelöscht wurde',
}

function withWords({ deleted_with: proof, credential_name: name }: english.DeletedWithWords): string {
  switch (proof) {
    case 'session':
      return 'auf diesen Seiten'
    case 'password':
      return 'mit dem Passwort des Kontos'
    case 'app_password':
      return name === null ? 'mit einem App-Passwort, das es nicht mehr gibt' : `mit dem App-Passwort „${name}“`
    case 'token':
      return name === null ? 'mit einem API-Token, das es nicht mehr gibt' : `mit dem API-Token „${name}“`
    case 'operator':
      return 'durch einen Befehl auf dem Server'
  }
}

export const history: typeof english.history = {
  title: 'Verlauf',
  lead: 'Was aus der Veranstaltung mit jeder Änderung wurde. Frühere Fassungen können wiederhergestellt werden, bis sie endgültig gelöscht werden.',
  of: 'Verlauf von',
  notKept: 'Frühere Fassungen von Veranstaltungen werden in diesem Kalender nicht aufbewahrt.',
  notFound: 'Diese Veranstaltung wurde gelöscht.',
  inTrash: 'Sie kann aus dem Papierkorb wiederhergestellt werden.',
  version: (version) => `Fassung ${version}`,
  current: 'jetzige Fassung',
  by: ({ by_name, with: proof, credential_name }) => {
    if (proof === 'service') return 'automatisch'
    const who = proof === 'operator' ? '' : `von ${by_name ?? 'einem gelöschten Konto'}`
    const means = proof === null ? '' : withWords({ deleted_by_name: by_name, deleted_with: proof, credential_name })
    return [who, means].filter(Boolean).join(' ')
  },
  created: 'Angelegt',
  changed: 'Geändert',
  through: { import: 'Importiert', restore: 'Wiederhergestellt', rewind: 'Mit dem Kalender zurückgesetzt' },
  deletedThen: 'Danach gelöscht und später wiederhergestellt.',
  unknown: 'Die Fassung davor wird nicht aufbewahrt.',
  tooLong: 'Die Änderungen sind zu lang, um hier aufgeführt zu werden. Vergleichen Sie die Fassung, um sie zu sehen.',
  nothing: 'An der Veranstaltung hat sich nichts geändert.',
  more: (count) => (count === 1 ? 'Eine weitere Änderung' : `${count} weitere Änderungen`),
  compare: 'Vergleichen',
  hide: 'Verbergen',
  compareLabel: (version) => `Fassung ${version} mit der jetzigen vergleichen`,
  hideLabel: (version) => `Vergleich der Fassung ${version} verbergen`,
  same: 'Diese Fassung ist dieselbe wie die jetzige.',
  field: 'Feld',
  earlier: 'In dieser Fassung',
  now: 'Jetzt',
  none: 'nichts',
  restore: 'Diese Fassung wiederherstellen …',
  restoreSure:
    'Die Veranstaltung wird für alle wieder zu dem, was sie in dieser Fassung war. Was sie jetzt ist, bleibt in ihrem Verlauf.',
  publishes: 'Sie wird öffentlich: Alle sehen ihren Text.',
  restoreYes: 'Ja, wiederherstellen',
  restored: 'Die Fassung wurde wiederhergestellt.',
  stale: 'Die Veranstaltung wurde inzwischen geändert. Sehen Sie sich zuerst die neueste Fassung an.',
  fields: {
    title: 'Titel',
    start: 'Beginn',
    end: 'Ende',
    all_day: 'Ganztägig',
    timezone: 'Zeitzone',
    rrule: 'Wiederholung',
    rdates: 'Zusätzliche Termine',
    location: 'Ort',
    description: 'Beschreibung',
    category: 'Kategorie',
    url: 'Link',
    status: 'Status',
    visibility: 'Wer sie sehen darf',
    transparency: 'Zeit angezeigt als',
    other: 'Andere Einzelheiten wie Erinnerungen',
  },
  visibilities: {
    public: 'alle (öffentlich)',
    private: 'nur Personen, die den Kalender lesen dürfen (privat)',
  },
  date: (when) => `Termin ${when}`,
  moved: (before, after) => `Verschoben von ${before} auf ${after}`,
  movedTo: (after) => `verschoben auf ${after}`,
  movedBack: 'wieder zur Zeit der Serie',
  fieldChanged: (field, before, after) => `${field} geändert von ${before} zu ${after}`,
  fieldAdded: (field, after) => `${field} hinzugefügt: ${after}`,
  fieldRemoved: (field, before) => `${field} entfernt: ${before}`,
  fieldSet: (field, after) => `${field} ist jetzt ${after}`,
  fieldOfSeries: (field) => `${field} wieder wie in der Serie`,
  otherChanged: 'Andere Einzelheiten wie Erinnerungen geändert',
  madePublic: 'Öffentlich gemacht',
  madePrivate: 'Privat gemacht',
  dateDeleted: (when) => `Termin ${when} gelöscht`,
  dateRestored: (when) => `Termin ${when} wieder wie in der Serie`,
  dateEdited: (when, what) => `Termin ${when} geändert: ${what}`,
  dateStates: { deleted: 'gelöscht', series: 'wie in der Serie', edited: 'geändert' },
}
