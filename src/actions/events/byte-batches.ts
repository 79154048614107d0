// Splits lists into batches by bytes and rows, so that reading a batch takes a few milliseconds.

/** One text may be a megabyte; then it is a batch of its own. */
const MAX_BATCH_BYTES = 256 * 1_024
const MAX_BATCH_ROWS = 200

/** A batch ends before the item that would exceed a limit; a longer item is a batch of its own. */
export function* batchByBytes<T>(items: readonly T[], sizeOf: (item: T) => number): Generator<T[]> {
  let batch: T[] = []
  let bytes = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (batch.length === MAX_BATCH_ROWS || (batch.length > 0 && bytes + size > MAX_BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(item)
    bytes += size
  }
  if (batch.length > 0) yield batch
}
