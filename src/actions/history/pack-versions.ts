// Housekeeping of earlier versions: packs their texts in batches, off the event loop.
import type { Context } from '../../context.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inLongTransaction } from '../../storage/engine/transaction.ts'
import {
  listUnpacked,
  listUnpackedTexts,
  type PackedVersion,
  replaceByPacked,
  type UnpackedVersion,
} from '../../storage/history/pack-versions.ts'
import { type EventTexts, packTexts } from '../../storage/history/packed-texts.ts'
import { batchByBytes } from '../events/byte-batches.ts'

/** Versions whose lengths are read together. */
const LISTED = 1_000

export async function packVersions(ctx: Context, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const listed = await listUnpacked(ctx.storage.reads, LISTED)
    for (const batch of batchByBytes(listed, ({ octets }) => octets)) {
      if (signal?.aborted) return
      const rows = await listUnpackedTexts(ctx.storage.reads, batch)
      const packed = await Promise.all(rows.map(packVersion))
      await inLongTransaction(ctx.storage, async (db) => {
        for (const row of packed) await replaceByPacked(db, row)
      })
      await yieldToEventLoop()
    }
    if (listed.length < LISTED) return
  }
}

async function packVersion({
  event_key,
  version,
  octets,
  ...texts
}: UnpackedVersion & EventTexts): Promise<PackedVersion> {
  const packed = await packTexts(texts)
  const place = { event_key, version }
  return packed.length < octets
    ? { ...place, octets: packed.length, packing: 1, packed }
    : { ...place, octets, packing: 3, packed: null }
}
