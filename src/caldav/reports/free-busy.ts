// free-busy-query report: busy periods of the calendar as one VFREEBUSY. RFC 4791 §7.10.
import type { FastifyReply } from 'fastify'
import { listBusy } from '../../actions/events/busy-times.ts'
import { AppError, fail } from '../../errors.ts'
import { parseTimeRange } from '../filter/time-range.ts'
import { freeBusyText } from '../free-busy.ts'
import type { DavRequest } from '../request.ts'
import { CALDAV } from '../xml/names.ts'
import { findChild, type XmlElement } from '../xml/parse.ts'
import { zoneFor } from '../zones.ts'

export async function freeBusyQuery({ context, reply }: DavRequest, root: XmlElement): Promise<FastifyReply> {
  const { ctx, viewer, caller } = context
  const element = findChild(root, CALDAV, 'time-range') ?? fail('invalid_xml')
  const isWhole = element.attributes.has('start') && element.attributes.has('end')
  const range = (isWhole && parseTimeRange(element)) || fail('invalid_xml')
  const periods = await listBusy(ctx, viewer, range, await zoneFor(context, root), caller).catch((error) => {
    if (error instanceof AppError && error.code === 'too_many_occurrences') fail('too_many_matches')
    throw error
  })
  return reply.type('text/calendar; charset=utf-8').send(freeBusyText(periods, range, ctx.clock()))
}
