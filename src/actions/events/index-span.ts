// What rows are derived for, as last read; a write checks in its transaction whether it changed.
import type { Context } from '../../context.ts'
import type { Storage } from '../../storage/engine/storage.ts'
import { type IndexSpan, readIndexSpan } from '../../storage/events/calendar.ts'

const spans = new WeakMap<Storage, IndexSpan>()

/** It changes once a day at most, so a write need not read it first. */
export const knownIndexSpan = async (ctx: Context): Promise<IndexSpan> =>
  spans.get(ctx.storage) ?? (await readCurrentSpan(ctx))

export async function readCurrentSpan({ storage }: Context): Promise<IndexSpan> {
  const span = await readIndexSpan(storage.reads)
  spans.set(storage, span)
  return span
}
