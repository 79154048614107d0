// Counts the bytes of a list as JSON before it is written, as its reader sees the events.
import type { ShownEvent } from '../../domain/privacy/mask.ts'

const MIB = 1_024 * 1_024

/** The limit of a list and of a page, for every client. */
export const MAX_LIST_BYTES = 16 * MIB

/** A longer list is a costly read, however few entries it has. */
export const LIGHT_LIST_BYTES = MIB

/** Bytes besides text: times, field names and, at full sight, the record. */
const MASKED_BYTES = 200
const ENTRY_BYTES = 600
const EXCEPTION_BYTES = 150
const DATE_BYTES = 18

type ListedText = Partial<Record<'title' | 'description' | 'location' | 'category' | 'url', string | null>>

/** Length in UTF-8; JSON escapes are not counted. */
export const bytesOfWords = ({ title, description, location, category, url }: ListedText): number =>
  [title, description, location, category, url].reduce((sum, text) => sum + (text ? Buffer.byteLength(text) : 0), 0)

export function bytesOfEntry(event: ShownEvent): number {
  if (event.level === 'masked') return MASKED_BYTES
  const { repetition } = event
  const dates = (repetition?.rdates.length ?? 0) + (repetition?.exdates.length ?? 0)
  let bytes = ENTRY_BYTES + bytesOfWords(event.details) + DATE_BYTES * dates
  if (event.level === 'full')
    for (const { changes } of event.exceptions ?? []) bytes += EXCEPTION_BYTES + bytesOfWords(changes)
  return bytes
}

export interface ByteCount {
  /** Adds bytes; returns whether the limit is now exceeded. */
  isOver(bytes: number): boolean
}

export function createByteCount(most = Number.POSITIVE_INFINITY): ByteCount {
  let total = 0
  return {
    isOver(bytes) {
      total += bytes
      return total > most
    },
  }
}
