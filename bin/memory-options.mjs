// Options that a process must have from its start to keep the setting memory_limit: V8's heap and glibc's malloc.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const DEFAULT_MIB = 256
const MIN_MIB = 128

/** Only the service and the import are bounded; other commands are short. */
export function memoryOptions(command) {
  // One glibc malloc arena for all threads: the compilers of V8 leave up to 20 MiB of holes in arenas of their own.
  if (command === 'import') return { variables: { MALLOC_ARENA_MAX: '1' }, flags: [] }
  if (command !== 'start') return { variables: {}, flags: [] }
  const limit = readLimit()
  const semiSpaceMib = Math.min(32, Math.floor(limit / 16))
  return {
    variables: {
      MALLOC_ARENA_MAX: '1',
      // Responses are mostly longer than this and get pages of their own, which go back to the system when they are
      // freed. The default grows to 32 MiB and leaves holes of freed responses.
      MALLOC_MMAP_THRESHOLD_: '65536',
      MALLOC_TRIM_THRESHOLD_: '131072',
    },
    flags: [
      // The young generation takes up to three times as much; V8 would take 96 MiB. With less than a sixteenth, what a
      // long response is made of is copied to the old generation first, which takes longer and more memory.
      `--max-semi-space-size=${semiSpaceMib}`,
      // V8 begins with 1 MiB and collects a dozen times during a start, when nearly everything survives.
      `--min-semi-space-size=${Math.floor(semiSpaceMib / 4)}`,
      // Four times the limit: a heap that is full ends the process, so this is far from what the service needs.
      `--max-old-space-size=${4 * limit}`,
    ],
  }
}

/** The service reports an invalid value; here it counts as the default. */
function readLimit() {
  const limit = Number(process.env.DAYBOOK_MEMORY_LIMIT ?? readFile().memory_limit)
  return Number.isInteger(limit) && limit >= MIN_MIB ? limit : DEFAULT_MIB
}

function readFile() {
  try {
    return JSON.parse(readFileSync(resolve(process.env.DAYBOOK_CONFIG ?? 'daybook.json'), 'utf8')) ?? {}
  } catch {
    return {}
  }
}
