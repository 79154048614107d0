// MOVE: renames an event within the calendar. RFC 4918 §9.9.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { moveObject } from '../../actions/caldav-objects/put-object.ts'
import { decodeUtf8 } from '../../domain/utf8.ts'
import { fail } from '../../errors.ts'
import { withConflictHref } from '../errors.ts'
import type { DavPaths } from '../paths.ts'
import { type DavRequest, readTags, refuseUnknownConditions } from '../request.ts'

export async function moveCalendarObject({ context, target, request, reply }: DavRequest): Promise<FastifyReply> {
  const { ctx, viewer, paths, caller } = context
  const from = target.kind === 'object' ? target.name : fail('route_not_found')
  refuseUnknownConditions(request)
  const to = readDestination(request, paths)
  const etags = readTags(request.headers['if-match'])
  await withConflictHref(paths, moveObject(ctx, viewer, from, to, { overwrite: readOverwrite(request), etags }, caller))
  return reply.code(201).header('location', paths.object(to)).send()
}

/** Only a name in the calendar: nothing is moved to another server or to another part of this one. */
function readDestination({ headers }: FastifyRequest, paths: DavPaths): string {
  const { destination, host } = headers
  if (typeof destination !== 'string' || destination.trim() === '') fail('invalid_header')
  const target = paths.findHref(asUtf8(destination), host)
  return target?.kind === 'object' ? target.name : fail('destination_elsewhere')
}

/** Non-ASCII letters should be escaped; clients that do not escape them send UTF-8, which arrives as single bytes. */
const asUtf8 = (header: string): string => decodeUtf8(Buffer.from(header, 'latin1')) ?? header

/** Overwriting is the default (§10.6). */
function readOverwrite({ headers }: FastifyRequest): boolean {
  const word = String(headers.overwrite ?? 'T').trim()
  if (word !== 'T' && word !== 'F') fail('invalid_header')
  return word === 'T'
}
