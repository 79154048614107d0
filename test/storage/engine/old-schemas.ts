// Schemas that earlier commits created, before migrations 001 and 002 were edited in place.

export interface OldForm {
  name: string
  /** The migrations that had landed then. */
  steps: readonly string[]
  /** The index of 001 as first landed, on `indexed_from` alone. */
  hasOldIndex: boolean
  /** The table of 002 as first landed, without `users.was_asked_again`. */
  lacksAskedAgain: boolean
}

export const OLD_CORE_INDEX = 'create index events_indexed_from on events (indexed_from) where indexed_from is not null'

const UP_TO_2 = ['001-core', '002-accounts']
const UP_TO_7 = [
  ...UP_TO_2,
  '003-public',
  '004-caldav',
  '005-occurrence-transparency',
  '006-property-languages',
  '007-choices',
]

export const OLD_FORMS: readonly OldForm[] = [
  { name: '001 as first landed', steps: ['001-core'], hasOldIndex: true, lacksAskedAgain: false },
  { name: '001 and 002 as first landed', steps: UP_TO_2, hasOldIndex: true, lacksAskedAgain: true },
  { name: '001 and 002 as first landed, 007 reached', steps: UP_TO_7, hasOldIndex: true, lacksAskedAgain: true },
]
