// Reads a calendar file in two passes: first an index of event positions, then events in batches.
import { isUtf8 } from 'node:buffer'
import { MAX_EDITED } from '../../domain/calendar/event-limits.ts'
import { joinSplitCharacters } from '../../domain/utf8.ts'
import { fail } from '../../errors.ts'
import { createPartIndex, type PartGroup, type PartIndex, type PartPosition } from '../../ical/text/part-index.ts'
import { createScanner, type ScannedPart, WINDOW_LENGTH } from '../../ical/text/scan.ts'
import { addPart, type FileEvent, type FilePart, type SkippedPart, skipReasonOf } from '../../ical/text/split.ts'
import type { Yielder } from '../../scheduling/event-loop.ts'
import { keyedId } from '../../secrets.ts'
import { keyOfId } from '../../storage/events/events.ts'
import { runYielding } from '../costly-work/costly-writes.ts'

/** A file, or a text in memory. `read` leaves out bytes past the end; its result is valid until the next call. */
export interface ImportSource {
  size: number
  read(at: number, length: number): Buffer
}

export function createTextSource(text: string): ImportSource {
  const bytes = Buffer.from(text)
  return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) }
}

/** An event of the file and the id it will have if it is new. */
export interface ImportCandidate extends FileEvent {
  id: string
}

/** Events are read together up to this number and size. */
const MAX_BATCH_EVENTS = 200
const MAX_BATCH_BYTES = 4 * 1_024 * 1_024

export interface ImportIndex {
  /** Number of events: groups of VEVENTs with the same UID. */
  total: number
  /** Events in the order of their ids, with the parts to skip. */
  batches(): AsyncGenerator<ImportBatch>
}

export interface ImportBatch {
  events: ImportCandidate[]
  skipped: SkippedPart[]
  /** How many of `total` this batch covers. */
  groups: number
}

export interface IndexOptions {
  maxLines: number
  /** Called for each part that is no event or cannot be parsed as a component. */
  onSkipped: (skipped: SkippedPart) => void
  pause: Yielder
  /** Makes the key of the hash that gives ids. */
  newId: () => string
  /** The id of a new event by its UID; without this option ids cannot be predicted. */
  idOf?: ((uid: string) => string) | undefined
}

/**
 * The first pass scans the whole file, so that a file that is no calendar is refused before anything is written. The id
 * of a new event is a hash of its UID under a key that exists only here: as unpredictable as a random one. Events are
 * read in the order of these ids, which is that of the index, so rows are written next to each other and a large file
 * takes half the work.
 */
export async function indexSource(source: ImportSource, options: IndexOptions): Promise<ImportIndex> {
  const key = options.newId()
  const idOf = options.idOf ?? ((uid: string): string => keyedId(key, uid))
  const index = createPartIndex()
  await scanSource(source, options, index, idOf)
  return { total: index.countGroups(), batches: () => readBatches(source, index, idOf, options.pause) }
}

async function scanSource(
  source: ImportSource,
  { maxLines, onSkipped, pause }: IndexOptions,
  index: PartIndex,
  idOf: (uid: string) => string,
): Promise<void> {
  const scanner = createScanner({
    maxLines,
    decode: decodeLatin1,
    onPart(part) {
      const reason = part.fault ?? skipReasonOf(part)
      // Whether it is a message is known only at the end of its VCALENDAR.
      if (reason && reason !== 'message') onSkipped({ part: textPart(part), reason })
      else if (part.uid) index.add(keyOfId(idOf(part.uid))!, part)
    },
    onCalendarEnd: index.endCalendar,
  })
  const requireUtf8 = createUtf8Check()
  for (let at = 0; ; ) {
    const bytes = readWhole(source, at, WINDOW_LENGTH)
    const isLast = at + bytes.length >= source.size
    const checkedTo = requireUtf8(bytes, at, isLast)
    const next = await runYielding(scanner.scanInSteps(bytes.toString('latin1'), at, isLast), pause)
    if (typeof next !== 'number') fail('validation_failed', { reason: next.problem, line: next.line })
    if (isLast && next >= at + bytes.length) return
    // Inside a line that is skipped, a window may end inside a character.
    at = Math.min(next, checkedTo)
    await pause()
  }
}

function readWhole(source: ImportSource, at: number, length: number): Buffer {
  const bytes = source.read(at, length)
  if (bytes.length < Math.min(length, source.size - at)) throw new Error('the file changed while it was read')
  return bytes
}

/** Windows are read as Latin-1: one character is one byte, so positions in text and file are the same. */
const decodeLatin1 = (raw: string): string => {
  for (let i = 0; i < raw.length; i++)
    if (raw.charCodeAt(i) > 127) return Buffer.from(joinSplitCharacters(raw), 'latin1').toString('utf8')
  return raw
}

const textPart = ({ name, uid, line, calendar, text }: ScannedPart): FilePart => ({
  name,
  uid,
  text: text(),
  line,
  calendar,
})

/** Checks each byte once, though windows overlap; returns the position up to which bytes are checked. */
function createUtf8Check(): (bytes: Buffer, at: number, isLast: boolean) => number {
  let checkedTo = 0
  return (bytes, at, isLast) => {
    const fresh = bytes.subarray(Math.max(0, checkedTo - at))
    const length = isLast ? fresh.length : fresh.length - incompleteAtEnd(fresh)
    const checked = fresh.subarray(0, length)
    if (!isUtf8(checked) && !isUtf8(Buffer.from(joinSplitCharacters(checked.toString('latin1')), 'latin1')))
      fail('invalid_encoding')
    checkedTo = Math.max(checkedTo, at + bytes.length - fresh.length + length)
    return checkedTo
  }
}

/** How many bytes at the end may be the start of a character of up to four bytes, with line folds inside it. */
const incompleteAtEnd = (bytes: Buffer): number =>
  UNFINISHED_CHARACTER.exec(bytes.subarray(-16).toString('latin1'))?.[0].length ?? 0

const UNFINISHED_CHARACTER = /[\u00c0-\u00ff](?:(?:\r?\n[ \t])?[\u0080-\u00bf]){0,2}(?:\r?\n[ \t]|\r?\n|\r)?$/

async function* readBatches(
  source: ImportSource,
  index: PartIndex,
  idOf: (uid: string) => string,
  pause: Yielder,
): AsyncGenerator<ImportBatch> {
  let batch: ImportBatch = { events: [], skipped: [], groups: 0 }
  let bytes = 0
  // One part more than an event may have is enough to refuse it.
  for (const group of index.groups(MAX_EDITED + 2)) {
    bytes += group.parts.reduce((sum, { length }) => sum + length, 0)
    await readGroup(source, group, batch, idOf, pause)
    batch.groups += 1
    if (batch.groups < MAX_BATCH_EVENTS && bytes < MAX_BATCH_BYTES) continue
    yield batch
    batch = { events: [], skipped: [], groups: 0 }
    bytes = 0
  }
  if (batch.groups > 0) yield batch
}

async function readGroup(
  source: ImportSource,
  { parts }: PartGroup,
  batch: ImportBatch,
  idOf: (uid: string) => string,
  pause: Yielder,
): Promise<void> {
  const events = new Map<string, FileEvent>()
  for (const position of parts) {
    const part = await readPart(source, position, pause)
    const reason = skipReasonOf(part)
    if (reason) batch.skipped.push({ part, reason })
    else addPart(events, part)
    await pause()
  }
  for (const event of events.values()) batch.events.push({ ...event, id: idOf(event.uid) })
}

const [HEAD, TAIL] = ['BEGIN:VCALENDAR\r\n', 'END:VCALENDAR\r\n']

/** Scans the part again for its UID, which the index does not keep. A file that changed meanwhile has none here. */
async function readPart(
  source: ImportSource,
  { at, length, line, calendar }: PartPosition,
  pause: Yielder,
): Promise<FilePart> {
  const text = decodeLatin1(readWhole(source, at, length).toString('latin1'))
  let uid: string | undefined
  const scanner = createScanner({
    maxLines: Number.POSITIVE_INFINITY,
    decode: (raw) => raw,
    onPart: (part) => {
      uid ??= part.uid
    },
  })
  const whole = `${HEAD}${text.endsWith('\n') ? text : `${text}\r\n`}${TAIL}`
  await runYielding(scanner.scanInSteps(whole, 0, true), pause)
  return { name: 'VEVENT', uid, text, line, calendar }
}
