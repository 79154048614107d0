// Route for bulk changes of events: up to 500 operations, each by itself or all or none.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changesEvent, type EventOperation, runAtomic, runEach } from '../../actions/bulk/bulk-events.ts'
import type { Context } from '../../context.ts'
import {
  type BulkBody,
  type BulkOperationBody,
  BulkRequest,
  EventPatch,
  NewEvent,
} from '../../contract/event-requests.ts'
import { BulkResultItem } from '../../contract/event-responses.ts'
import { type JsonSchema, Type } from '../../contract/json-schema.ts'
import type { EventFields, FieldsPatch } from '../../domain/calendar/fields.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { AppError, fail, failField } from '../../errors.ts'
import { BULK_LIMIT_BYTES } from '../../http/body.ts'
import { createDisconnectSignal } from '../../http/connections/client-disconnect.ts'
import { identifyPart } from '../../http/guard/idempotency.ts'
import { parseTags } from '../../http/responses/conditional.ts'
import type { HttpServer } from '../../http/server.ts'
import { findBodyError } from '../../http/validation.ts'
import { addChangeLimit } from '../../rate-limits/bulk-change-hooks.ts'
import { UNCOUNTED_CHANGES } from '../../rate-limits/request-limits.ts'
import type { RouteDocs } from '../docs/route.ts'
import { createJsonResponse, JSON_TYPE, storedAnswerOf } from '../json-response.ts'
import { createBulkResults } from './bulk-results.ts'
import { presentEvent } from './present.ts'
import { createSentBackCheck } from './sent-back.ts'

/** Operations that count as one write in the limits; the request itself is the first. */
const OPERATIONS_PER_WRITE = 10

export function addBulkRoutes(
  app: FastifyInstance,
  ctx: Context,
  { site, limits }: Pick<HttpServer, 'site' | 'limits'>,
) {
  app.post(
    `${site.base}/events/bulk`,
    { bodyLimit: BULK_LIMIT_BYTES, schema: { body: BulkRequest }, config: { access: 'write', docs } },
    async (request, reply) => {
      const { operations: sent, atomic = false } = request.body as BulkBody
      const { viewer } = request
      for (let counted = OPERATIONS_PER_WRITE; counted < sent.length; counted += OPERATIONS_PER_WRITE)
        if (viewer.kind === 'account') await limits.count('api-user-writes', viewer.account.id)
      const operations = sent.map((operation, index) =>
        readOperation(ctx, request, operation, atomic ? undefined : index),
      )
      const changes =
        viewer.kind === 'account'
          ? limits.openChangeBatch(viewer, operations.filter(changesEvent).length)
          : UNCOUNTED_CHANGES
      const options = {
        caller: request.caller,
        requestId: request.id,
        signal: createDisconnectSignal(reply),
        changes,
        startResults: createBulkResults,
      }
      const run = atomic ? runAtomic : runEach
      const results = await run(ctx, viewer, operations, options).finally(() => changes.end())
      if (operations.some(changesEvent)) addChangeLimit(reply, limits, viewer)
      return reply.type(JSON_TYPE).send(results.text())
    },
  )
}

/** An invalid operation is a result like any other. */
function readOperation(
  ctx: Context,
  request: FastifyRequest,
  operation: BulkOperationBody,
  index: number | undefined,
): EventOperation {
  try {
    const { op, id, event } = operation
    if (op === 'create') return readCreation(ctx, request, operation, index)
    if (id === undefined) failField('/id', 'required')
    if (op === 'delete') {
      if (event !== undefined) failField('/event', 'not_allowed')
      return { op, id, expected: readExpected(operation) }
    }
    const patch = requireBody(EventPatch, event)
    const expected = readExpected(operation, patch.version as number | undefined)
    if (expected.version === undefined && expected.etags === undefined) fail('precondition_required')
    const checkSentBack = createSentBackCheck(patch, 'event', presentEvent)
    return { op, id, patch: patch as FieldsPatch, checkSentBack, expected }
  } catch (error) {
    if (error instanceof AppError) return { op: 'invalid', error }
    throw error
  }
}

/**
 * With an idempotency key each creation has a part of it: a bulk request that was interrupted, and is sent again, makes
 * no event twice.
 */
function readCreation(
  ctx: Context,
  request: FastifyRequest,
  { id, version, etag, event }: BulkOperationBody,
  index: number | undefined,
): EventOperation {
  for (const [field, value] of Object.entries({ id, version, etag }))
    if (value !== undefined) failField(`/${field}`, 'not_allowed')
  const { uid, ...fields } = requireBody(NewEvent, event) as unknown as EventFields & { uid?: string }
  const part = index === undefined ? undefined : identifyPart(ctx, request, index, event)
  if (!part) return { op: 'create', uid, fields }
  const idempotency = {
    request: part,
    answerOf: () => storedAnswerOf(request.viewer, 201, createJsonResponse({})),
  }
  return { op: 'create', uid, fields, idempotency }
}

function requireBody(schema: JsonSchema, event: Record<string, unknown> | undefined): Record<string, unknown> {
  if (event === undefined) failField('/event', 'required')
  const error = findBodyError(schema, event)
  if (error) throw error
  return event
}

function readExpected({ version, etag }: BulkOperationBody, inEvent?: number): Precondition {
  if (version !== undefined && inEvent !== undefined && version !== inEvent) failField('/version', 'not_allowed')
  const stated = version ?? inEvent
  if (etag === undefined) return { version: stated }
  return { version: stated, etags: parseTags(etag) ?? failField('/etag', 'invalid_format') }
}

const docs = {
  id: 'bulkEvents',
  summary: 'Create, update and delete many events in one request',
  description:
    'Up to 500 operations in the order given, each with the result that it would have alone. With `atomic` all are carried out, or none: the error is that of the first that fails, with its `index` in `details`. Of events beyond 8 MiB of results, a result has the `id` and the version only.',
  success: {
    status: 200,
    description: 'The results, in the order of the operations.',
    data: Type.Array(BulkResultItem),
  },
  errors: [
    ...([
      'event_not_found',
      'uid_conflict',
      'precondition_required',
      'version_mismatch',
      'too_many_exceptions',
    ] as const),
    ...(['event_too_large', 'bulk_too_long', 'service_unavailable', 'idempotency_gone'] as const),
  ],
} satisfies RouteDocs
