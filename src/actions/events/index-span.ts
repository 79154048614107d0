// Span of the occurrence index as last read; a write checks in its transaction whether it moved.
import type { Context } from '../../context.ts'
import type { Range } from '../../domain/time/window.ts'
import type { Storage } from '../../storage/engine/storage.ts'
import { readIndexSpan } from '../../storage/events/calendar.ts'

const spans = new WeakMap<Storage, Range>()

/** It moves once a day, so a write need not read it first. */
export const knownIndexSpan = async (ctx: Context): Promise<Range> =>
  spans.get(ctx.storage) ?? (await readCurrentSpan(ctx))

export async function readCurrentSpan({ storage }: Context): Promise<Range> {
  const span = await readIndexSpan(storage.reads)
  spans.set(storage, span)
  return span
}
