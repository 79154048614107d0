// Divides memory_limit among the caches; the rest is for V8's heap and requests.

const MIB = 1_024 * 1_024

/** Of one response cache; the least recently used responses are evicted first. */
export interface CacheBudget {
  maxBytes: number
  maxAnswerBytes: number
  /** Besides `maxBytes`, for long responses alone: a few of them cannot evict the many short ones. */
  maxLongBytes?: number
}

export interface MemoryBudget {
  /** For lists. There are three such caches: public responses, those of accounts, and changes. */
  answers: Required<CacheBudget>
  feeds: CacheBudget
  /** Separate from the whole feed: arbitrary filters of one client cannot evict the feed that all clients request. */
  feedParts: CacheBudget
  /** Pages of events. */
  eventPages: CacheBudget
  /** Preview pictures, each about 30 kB. */
  pictures: CacheBudget
  /** Pages of periods and searches. */
  calendarPages: CacheBudget
  /** Of CalDAV: elements of single objects, their texts as GET sends them, and whole reports. */
  davObjects: number
  davTexts: CacheBudget
  davReports: CacheBudget
  /** Pages that one SQLite connection keeps; there are three, and one for each costly read in progress. */
  sqlitePageKib: number
}

/** Ten thousand occurrences, the longest list there is, are 4 to 8 MiB with short texts and at most 16 MiB. */
const MAX_ANSWER_MIB = 18

/** The caches take three fifths at most; a list or feed that does not fit is built on each request. */
export function divideMemory(limitMib: number): MemoryBudget {
  const share = (divisor: number): number => Math.floor((limitMib * MIB) / divisor)
  return {
    answers: {
      maxBytes: share(32),
      maxAnswerBytes: Math.min(share(16), MAX_ANSWER_MIB * MIB),
      maxLongBytes: share(16),
    },
    feeds: { maxBytes: share(6), maxAnswerBytes: share(8) },
    feedParts: { maxBytes: share(20), maxAnswerBytes: share(20) },
    eventPages: { maxBytes: share(96), maxAnswerBytes: share(1_024) },
    pictures: { maxBytes: share(128), maxAnswerBytes: share(512) },
    calendarPages: { maxBytes: share(64), maxAnswerBytes: share(512) },
    davObjects: share(32),
    davTexts: { maxBytes: share(64), maxAnswerBytes: share(4_096) },
    davReports: { maxBytes: share(20), maxAnswerBytes: share(80) },
    sqlitePageKib: Math.floor((limitMib * 1_024) / 64),
  }
}
