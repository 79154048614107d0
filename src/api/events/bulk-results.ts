// Serialises the results of a bulk request one by one; later ones are short where it gets too long.
import type { OperationResult, ResultList } from '../../actions/bulk/bulk-events.ts'
import { errorBody } from '../../http/responses/errors.ts'
import { presentWritten } from './present.ts'

/** The results of ordinary events fit: 500 of the largest would be a response of a gigabyte. */
const MAX_WHOLE_BYTES = 8 * 1_024 * 1_024

export interface BulkResults extends ResultList {
  text(): string
}

/** Of an event that does not fit there is only its id, and its version for readers. */
export function createBulkResults(): BulkResults {
  const parts: string[] = []
  let bytes = 0
  let failed = 0
  return {
    add(result) {
      if (result.op === 'failed') failed += 1
      const text = JSON.stringify(presentResult(result))
      const size = Buffer.byteLength(text)
      const part = bytes + size > MAX_WHOLE_BYTES ? JSON.stringify(presentShort(result)) : text
      // Once the limit is reached, short events behind long ones are short too: the client sees where it begins.
      bytes += size
      parts.push(part)
    },
    text: () =>
      `{"data":[${parts.join(',')}],"meta":${JSON.stringify({ counts: { succeeded: parts.length - failed, failed } })}}`,
  }
}

function presentResult(result: OperationResult) {
  switch (result.op) {
    case 'create':
      return { status: 201, ...presentWritten(result.id, result.event, result.dropped, result.continues) }
    case 'update':
      return { status: 200, ...presentWritten(result.id, result.event, result.dropped) }
    case 'delete':
      return { status: 204 }
    case 'failed':
      return { status: result.error.status, ...errorBody(result.error.code, result.error.details) }
  }
}

function presentShort(result: OperationResult) {
  if (result.op !== 'create' && result.op !== 'update') return presentResult(result)
  const { id, event, dropped } = result
  const status = result.op === 'create' ? 201 : 200
  if (event?.level !== 'full') return { status, data: { id } }
  const lost = dropped.length > 0 ? { dropped_truncated: true } : {}
  return { status, data: { id }, meta: { version: event.record.version, ...lost } }
}
