// Words of the trash and of histories of events in Polish.
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/past.ts'

const plural = createPlural('pl')

const EVENTS = { one: 'wydarzenie', few: 'wydarzenia', other: 'wydarzeń' }

export const trash: typeof english.trash = {
  title: 'Kosz',
  lead: 'Usunięte wydarzenia można przywrócić, dopóki nie zostaną usunięte na stałe.',
  notKept: 'Usunięte wydarzenia nie są w tym kalendarzu przechowywane.',
  nothing: 'Kosz jest pusty.',
  nothingFound: 'W koszu nie ma takich wydarzeń.',
  deletedBy: 'Kto usunął',
  anyone: 'Ktokolwiek',
  you: (name) => `${name} (to ja)`,
  someone: 'Wybrane konto',
  deletedSince: 'Usunięte od',
  apply: 'Pokaż',
  onlyWith: (withWhat) => `Tylko wydarzenia usunięte ${withWhat}.`,
  onlyOne: 'Tylko wydarzenia usunięte przez jedno urządzenie lub jeden program.',
  onlyUntil: (time) => `Tylko wydarzenia usunięte przed tą chwilą: ${time}.`,
  showAll: 'Pokaż wszystkie usunięte wydarzenia',
  selectAll: (count) => `Zaznacz wszystkie na tej stronie (${count})`,
  select: (title) => `Zaznacz: ${title}`,
  noneSelected: 'Przywróć zaznaczone',
  restoreSelected: (count) => `Przywróć zaznaczone (${count})`,
  restoreAll: (count) => `Przywróć je wszystkie (${count})…`,
  restoreSure: (count) =>
    count === 1
      ? 'Jedno wydarzenie zostanie przywrócone dla wszystkich.'
      : plural(count, {
          few: `${count} wydarzenia zostaną przywrócone dla wszystkich.`,
          other: `${count} wydarzeń zostanie przywróconych dla wszystkich.`,
        }),
  restoreYes: (count) => (count === 1 ? 'Tak, przywróć' : `Tak, przywróć ${count}`),
  wouldConflict: (count) =>
    count === 1
      ? 'Jeszcze jedno pozostanie w koszu, ponieważ w międzyczasie utworzono je ponownie.'
      : `Jeszcze ${count} ${plural(count, { few: 'pozostaną', other: 'pozostanie' })} w koszu, ponieważ w międzyczasie utworzono je ponownie.`,
  restored: (count) =>
    count === 1
      ? 'Jedno wydarzenie zostało przywrócone.'
      : plural(count, {
          few: `${count} wydarzenia zostały przywrócone.`,
          other: `${count} wydarzeń zostało przywróconych.`,
        }),
  conflicts: (count) =>
    count === 1
      ? 'Jedno nadal jest w koszu, ponieważ w międzyczasie utworzono je ponownie.'
      : `${count} nadal ${plural(count, { few: 'są', other: 'jest' })} w koszu, ponieważ w międzyczasie utworzono je ponownie.`,
  notFound: (count) =>
    count === 1
      ? 'Jedno zostało już wcześniej przywrócone lub usunięte na stałe.'
      : plural(count, {
          few: `${count} zostały już wcześniej przywrócone lub usunięte na stałe.`,
          other: `${count} zostało już wcześniej przywróconych lub usuniętych na stałe.`,
        }),
  notStored: (count) => `Nie udało się przywrócić: ${count} ${plural(count, EVENTS)}. Spróbuj ponownie.`,
  restore: 'Przywróć',
  replace: 'Przywróć tę wersję',
  replacedNote:
    'W międzyczasie wydarzenie utworzono ponownie. Przywrócenie tej wersji przeniesie tamto wydarzenie do kosza.',
  showOther: 'Pokaż je',
  refusals: { event_not_found: 'To wydarzenie zostało już przywrócone lub usunięte na stałe.' },
  deleted: 'Usunięto',
  until: 'Można przywrócić do',
  by: (entry) => `– ${entry.deleted_by_name ?? 'usunięte konto'}, ${withWords(entry)}`,
  withWords,
  sameSince: (entry) => {
    if (entry.credential_name !== null) return `Wszystko, co od tamtej pory usunęło „${entry.credential_name}”`
    return SAME_SINCE[entry.deleted_with]
  },
  empty: 'Opróżnij kosz…',
  emptySure: (count) =>
    count === 1
      ? 'Wydarzenie w koszu zostanie usunięte na stałe. Tego nie można cofnąć.'
      : `Wszystkie wydarzenia w koszu (${count}) zostaną usunięte na stałe. Tego nie można cofnąć.`,
  emptyYes: 'Tak, opróżnij kosz',
  emptied: 'Kosz został opróżniony.',
}

const SAME_SINCE = {
  session: 'Wszystko, co od tamtej pory usunięto w tej samej przeglądarce',
  password: 'Wszystko, co od tamtej pory usunięto przy użyciu tego hasła',
  app_password: 'Wszystko, co od tamtej pory usunięto na tym samym urządzeniu',
  token: 'Wszystko, co od tamtej pory usunięto przy użyciu tego samego tokenu',
  operator: 'Wszystko, co od tamtej pory usunięto na serwerze',
}

function withWords({ deleted_with: proof, credential_name: name }: english.DeletedWithWords): string {
  switch (proof) {
    case 'session':
      return 'na tych stronach'
    case 'password':
      return 'przy użyciu hasła do konta'
    case 'app_password':
      return name === null
        ? 'przy użyciu hasła aplikacji, które już nie istnieje'
        : `przy użyciu hasła aplikacji „${name}”`
    case 'token':
      return name === null ? 'przy użyciu tokenu API, który już nie istnieje' : `przy użyciu tokenu API „${name}”`
    case 'operator':
      return 'poleceniem na serwerze'
  }
}

export const history: typeof english.history = {
  title: 'Historia',
  lead: 'Co zmieniło się w wydarzeniu za każdym razem. Wcześniejsze wersje można przywrócić, dopóki nie zostaną usunięte na stałe.',
  of: 'Historia wydarzenia',
  notKept: 'Wcześniejsze wersje wydarzeń nie są w tym kalendarzu przechowywane.',
  notFound: 'To wydarzenie zostało usunięte.',
  inTrash: 'Można je przywrócić z kosza.',
  version: (version) => `Wersja ${version}`,
  current: 'obecna wersja',
  by: ({ by_name, with: proof, credential_name }) => {
    if (proof === 'service') return 'automatycznie'
    const who = proof === 'operator' ? '' : (by_name ?? 'usunięte konto')
    const means = proof === null ? '' : withWords({ deleted_by_name: by_name, deleted_with: proof, credential_name })
    return [who, means].filter(Boolean).join(', ')
  },
  created: 'Utworzono',
  changed: 'Zmieniono',
  through: { import: 'Zaimportowano', restore: 'Przywrócono', rewind: 'Cofnięto razem z kalendarzem' },
  deletedThen: 'Potem usunięto, a później przywrócono.',
  unknown: 'Wersja poprzedzająca tę nie jest przechowywana.',
  tooLong: 'Zmiany są za długie, aby je tu wymienić. Porównaj wersję, aby je zobaczyć.',
  nothing: 'W wydarzeniu nic się nie zmieniło.',
  more: (count) =>
    count === 1 ? 'Jeszcze jedna zmiana' : `Jeszcze ${count} ${plural(count, { few: 'zmiany', other: 'zmian' })}`,
  compare: 'Porównaj',
  hide: 'Ukryj',
  compareLabel: (version) => `Porównaj wersję ${version} z obecną`,
  hideLabel: (version) => `Ukryj porównanie wersji ${version}`,
  same: 'Ta wersja jest taka sama jak obecna.',
  field: 'Pole',
  earlier: 'W tej wersji',
  now: 'Teraz',
  none: 'brak',
  restore: 'Przywróć tę wersję…',
  restoreSure: 'Wydarzenie będzie dla wszystkich takie jak w tej wersji. Jego obecna wersja pozostanie w historii.',
  publishes: 'Stanie się publiczne: wszyscy zobaczą jego treść.',
  restoreYes: 'Tak, przywróć',
  restored: 'Wersja została przywrócona.',
  stale: 'W międzyczasie wydarzenie się zmieniło. Najpierw obejrzyj jego najnowszą wersję.',
  fields: {
    title: 'Tytuł',
    start: 'Początek',
    end: 'Koniec',
    all_day: 'Cały dzień',
    timezone: 'Strefa czasowa',
    rrule: 'Powtarzanie',
    rdates: 'Dodatkowe terminy',
    location: 'Miejsce',
    description: 'Opis',
    category: 'Kategoria',
    url: 'Link',
    status: 'Status',
    visibility: 'Kto może je zobaczyć',
    transparency: 'Czas pokazany jako',
    other: 'Inne szczegóły, takie jak przypomnienia',
  },
  visibilities: {
    public: 'wszyscy (publiczne)',
    private: 'tylko osoby, które mogą czytać kalendarz (prywatne)',
  },
  date: (when) => `Termin ${when}`,
  moved: (before, after) => `Przeniesiono: ${before} → ${after}`,
  movedTo: (after) => `przeniesiono na: ${after}`,
  movedBack: 'znów w czasie serii',
  fieldChanged: (field, before, after) => `${field}: ${before} → ${after}`,
  fieldAdded: (field, after) => `${field}: dodano ${after}`,
  fieldRemoved: (field, before) => `${field}: usunięto ${before}`,
  fieldSet: (field, after) => `${field}: teraz ${after}`,
  fieldOfSeries: (field) => `${field}: znów jak w serii`,
  otherChanged: 'Zmieniono inne szczegóły, takie jak przypomnienia',
  madePublic: 'Zmieniono na publiczne',
  madePrivate: 'Zmieniono na prywatne',
  dateDeleted: (when) => `Usunięto termin ${when}`,
  dateRestored: (when) => `Termin ${when} znów jak w serii`,
  dateEdited: (when, what) => `Zmieniono termin ${when}: ${what}`,
  dateStates: { deleted: 'usunięty', series: 'jak w serii', edited: 'zmieniony' },
}
