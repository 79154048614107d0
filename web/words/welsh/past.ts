// Words of the trash and of histories of events in Welsh.
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/past.ts'

const plural = createPlural('cy')

const countEvents = (count: number): string => `${count} ${plural(count, { two: 'ddigwyddiad', other: 'digwyddiad' })}`

export const trash: typeof english.trash = {
  title: 'Sbwriel',
  lead: 'Gellir adfer digwyddiadau a ddilëwyd nes iddynt gael eu dileu’n barhaol.',
  notKept: 'Nid yw digwyddiadau a ddilëwyd yn cael eu cadw yn y calendr hwn.',
  nothing: 'Mae’r sbwriel yn wag.',
  nothingFound: 'Nid oes digwyddiadau o’r fath yn y sbwriel.',
  deletedBy: 'Dilëwyd gan',
  anyone: 'Unrhyw un',
  you: (name) => `${name} (chi)`,
  someone: 'Y cyfrif a ddewiswyd',
  deletedSince: 'Dilëwyd ers',
  apply: 'Dangos',
  onlyWith: (withWhat) => `Dim ond digwyddiadau a ddilëwyd ${withWhat}.`,
  onlyOne: 'Dim ond digwyddiadau a ddilëwyd ag un ddyfais neu raglen.',
  onlyUntil: (time) => `Dim ond digwyddiadau a ddilëwyd cyn yr amser hwn: ${time}.`,
  showAll: 'Dangos pob digwyddiad a ddilëwyd',
  selectAll: (count) => `Dewis popeth ar y dudalen hon (${count})`,
  select: (title) => `Dewis: ${title}`,
  noneSelected: 'Adfer y rhai a ddewiswyd',
  restoreSelected: (count) => `Adfer y rhai a ddewiswyd (${count})`,
  restoreAll: (count) => `Adfer pob un o’r rhain (${count})…`,
  restoreSure: (count) =>
    count === 1
      ? 'Bydd un digwyddiad yn cael ei adfer i bawb.'
      : `Bydd ${countEvents(count)} yn cael eu hadfer i bawb.`,
  restoreYes: (count) => (count === 1 ? 'Ie, ei adfer' : `Ie, adfer ${count}`),
  wouldConflict: (count) =>
    count === 1
      ? 'Bydd un arall yn aros yn y sbwriel, oherwydd iddo gael ei greu eto yn y cyfamser.'
      : `Bydd ${count} arall yn aros yn y sbwriel, oherwydd iddynt gael eu creu eto yn y cyfamser.`,
  restored: (count) => (count === 1 ? 'Adferwyd un digwyddiad.' : `Adferwyd ${countEvents(count)}.`),
  conflicts: (count) =>
    count === 1
      ? 'Mae un yn dal yn y sbwriel, oherwydd iddo gael ei greu eto yn y cyfamser.'
      : `Mae ${count} yn dal yn y sbwriel, oherwydd iddynt gael eu creu eto yn y cyfamser.`,
  notFound: (count) =>
    count === 1
      ? 'Roedd un eisoes wedi’i adfer neu wedi’i ddileu’n barhaol.'
      : `Roedd ${count} eisoes wedi’u hadfer neu wedi’u dileu’n barhaol.`,
  notStored: (count) =>
    count === 1 ? 'Doedd dim modd adfer un. Ceisiwch eto.' : `Doedd dim modd adfer ${count}. Ceisiwch eto.`,
  restore: 'Adfer',
  replace: 'Adfer y fersiwn hwn',
  replacedNote: 'Cafodd y digwyddiad ei greu eto yn y cyfamser. Bydd adfer y fersiwn hwn yn symud y llall i’r sbwriel.',
  showOther: 'Ei ddangos',
  refusals: { event_not_found: 'Mae’r digwyddiad hwn eisoes wedi’i adfer neu wedi’i ddileu’n barhaol.' },
  deleted: 'Dilëwyd',
  until: 'Gellir ei adfer tan',
  by: (entry) => `gan ${entry.deleted_by_name ?? 'gyfrif a ddilëwyd'} ${withWords(entry)}`,
  withWords,
  sameSince: (entry) => {
    if (entry.credential_name !== null) return `Popeth a ddilëodd “${entry.credential_name}” ers hynny`
    return SAME_SINCE[entry.deleted_with]
  },
  empty: 'Gwagio’r sbwriel…',
  emptySure: (count) =>
    count === 1
      ? 'Bydd y digwyddiad yn y sbwriel yn cael ei ddileu’n barhaol. Nid oes modd dadwneud hyn.'
      : `Bydd pob digwyddiad yn y sbwriel (${count}) yn cael ei ddileu’n barhaol. Nid oes modd dadwneud hyn.`,
  emptyYes: 'Ie, gwagio’r sbwriel',
  emptied: 'Mae’r sbwriel wedi’i wagio.',
}

const SAME_SINCE = {
  session: 'Popeth a ddilëwyd yn yr un porwr ers hynny',
  password: 'Popeth a ddilëwyd â’r cyfrinair hwnnw ers hynny',
  app_password: 'Popeth a ddilëwyd â’r un ddyfais ers hynny',
  token: 'Popeth a ddilëwyd â’r un tocyn ers hynny',
  operator: 'Popeth a ddilëwyd ar y gweinydd ers hynny',
}

function withWords({ deleted_with: proof, credential_name: name }: english.DeletedWithWords): string {
  switch (proof) {
    case 'session':
      return 'ar y tudalennau hyn'
    case 'password':
      return 'â chyfrinair y cyfrif'
    case 'app_password':
      return name === null ? 'â chyfrinair ap nad yw’n bodoli mwyach' : `â’r cyfrinair ap “${name}”`
    case 'token':
      return name === null ? 'â thocyn API nad yw’n bodoli mwyach' : `â’r tocyn API “${name}”`
    case 'operator':
      return 'drwy orchymyn ar y gweinydd'
  }
}

export const history: typeof english.history = {
  title: 'Hanes',
  lead: 'Beth a wnaeth pob newid i’r digwyddiad. Gellir adfer fersiynau cynharach nes iddynt gael eu dileu’n barhaol.',
  of: 'Hanes y digwyddiad',
  notKept: 'Nid yw fersiynau cynharach o ddigwyddiadau yn cael eu cadw yn y calendr hwn.',
  notFound: 'Cafodd y digwyddiad hwn ei ddileu.',
  inTrash: 'Gellir ei adfer o’r sbwriel.',
  version: (version) => `Fersiwn ${version}`,
  current: 'fersiwn presennol',
  by: ({ by_name, with: proof, credential_name }) => {
    if (proof === 'service') return 'yn awtomatig'
    const who = proof === 'operator' ? '' : `gan ${by_name ?? 'gyfrif a ddilëwyd'}`
    const means = proof === null ? '' : withWords({ deleted_by_name: by_name, deleted_with: proof, credential_name })
    return [who, means].filter(Boolean).join(' ')
  },
  created: 'Crëwyd',
  changed: 'Newidiwyd',
  through: { import: 'Mewnforiwyd', restore: 'Adferwyd', rewind: 'Weindiwyd yn ôl gyda’r calendr' },
  deletedThen: 'Yna fe’i dilëwyd, a’i adfer yn ddiweddarach.',
  unknown: 'Nid yw’r fersiwn cyn hwn yn cael ei gadw.',
  tooLong: 'Mae’r newidiadau’n rhy hir i’w rhestru yma. Cymharwch y fersiwn i’w gweld.',
  nothing: 'Ni newidiodd dim yn y digwyddiad.',
  more: (count) => (count === 1 ? 'Un newid arall' : `${count} newid arall`),
  compare: 'Cymharu',
  hide: 'Cuddio',
  compareLabel: (version) => `Cymharu fersiwn ${version} â’r un presennol`,
  hideLabel: (version) => `Cuddio’r gymhariaeth â fersiwn ${version}`,
  same: 'Mae’r fersiwn hwn yr un fath â’r un presennol.',
  field: 'Maes',
  earlier: 'Yn y fersiwn hwn',
  now: 'Nawr',
  none: 'dim',
  restore: 'Adfer y fersiwn hwn…',
  restoreSure: 'Bydd y digwyddiad fel yr oedd yn y fersiwn hwn eto, i bawb. Bydd yr hyn ydyw nawr yn aros yn ei hanes.',
  publishes: 'Bydd yn dod yn gyhoeddus: bydd pawb yn gweld ei destun.',
  restoreYes: 'Ie, ei adfer',
  restored: 'Mae’r fersiwn wedi’i adfer.',
  stale: 'Newidiwyd y digwyddiad yn y cyfamser. Edrychwch ar ei fersiwn diweddaraf yn gyntaf.',
  fields: {
    title: 'Teitl',
    start: 'Dechrau',
    end: 'Diwedd',
    all_day: 'Drwy’r dydd',
    timezone: 'Cylchfa amser',
    rrule: 'Ailadrodd',
    rdates: 'Dyddiadau ychwanegol',
    location: 'Lleoliad',
    description: 'Disgrifiad',
    category: 'Categori',
    url: 'Dolen',
    status: 'Statws',
    visibility: 'Pwy all ei weld',
    transparency: 'Dangosir yr amser fel',
    other: 'Manylion eraill, fel nodiadau atgoffa',
  },
  visibilities: { public: 'pawb (cyhoeddus)', private: 'dim ond pobl sy’n cael darllen y calendr (preifat)' },
  date: (when) => `Dyddiad: ${when}`,
  moved: (before, after) => `Symudwyd: ${before} → ${after}`,
  movedTo: (after) => `symudwyd i: ${after}`,
  movedBack: 'ar amser y gyfres eto',
  fieldChanged: (field, before, after) => `${field}: ${before} → ${after}`,
  fieldAdded: (field, after) => `${field}: ychwanegwyd ${after}`,
  fieldRemoved: (field, before) => `${field}: tynnwyd ${before}`,
  fieldSet: (field, after) => `${field}: ${after} nawr`,
  fieldOfSeries: (field) => `${field}: fel yn y gyfres eto`,
  otherChanged: 'Newidiwyd manylion eraill, fel nodiadau atgoffa',
  madePublic: 'Gwnaed yn gyhoeddus',
  madePrivate: 'Gwnaed yn breifat',
  dateDeleted: (when) => `Dilëwyd y dyddiad ${when}`,
  dateRestored: (when) => `Dyddiad ${when}: fel yn y gyfres eto`,
  dateEdited: (when, what) => `Newidiwyd y dyddiad ${when}: ${what}`,
  dateStates: { deleted: 'wedi’i ddileu', series: 'fel yn y gyfres', edited: 'wedi’i newid' },
}
