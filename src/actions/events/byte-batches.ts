// Cuts lists into batches by bytes as well as by rows, so that reading one batch takes a few milliseconds at most.

/** One text may be a megabyte; a batch of longer texts is one of them. */
const MAX_BATCH_BYTES = 256 * 1_024
const MAX_BATCH_ROWS = 200

/** A batch ends where the next item would be too much; an item that is too long is a batch of its own. */
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
