// REPORT: dispatches to the handler of the named report. RFC 3253 §3.6.
import type { FastifyReply } from 'fastify'
import { fail } from '../../errors.ts'
import { type DavRequest, readXml } from '../request.ts'
import { isForeignPrincipal } from '../resources.ts'
import { expandProperty } from './expand-property.ts'
import { freeBusyQuery } from './free-busy.ts'
import { calendarMultiget } from './multiget.ts'
import {
  aclPrincipalPropSet,
  principalMatch,
  principalPropertySearch,
  principalSearchPropertySet,
} from './principals.ts'
import { calendarQuery } from './query.ts'
import type { Report } from './report-handler.ts'
import { reportKeyOf, sendCachedReport } from './send-report.ts'
import { findReport, type ReportName } from './supported-reports.ts'
import { syncCollection } from './sync.ts'

const reports: Record<ReportName, Report> = {
  'calendar-query': calendarQuery,
  'calendar-multiget': calendarMultiget,
  'free-busy-query': freeBusyQuery,
  'sync-collection': syncCollection,
  'expand-property': expandProperty,
  'principal-property-search': principalPropertySearch,
  'principal-search-property-set': principalSearchPropertySet,
  'principal-match': principalMatch,
  'acl-principal-prop-set': aclPrincipalPropSet,
}

export async function report(davRequest: DavRequest): Promise<FastifyReply> {
  const { target, context, request } = davRequest
  if (isForeignPrincipal(target, context.viewer)) fail('route_not_found')
  const cacheKey = await reportKeyOf(davRequest)
  const cached = cacheKey === undefined ? undefined : context.reports.find(request.state.revision, cacheKey)
  if (cached) return sendCachedReport(davRequest, cached)
  const root = (await readXml(request, context)) ?? fail('invalid_xml')
  const name = findReport(target.kind, root.ns, root.name) ?? fail('report_unsupported')
  return reports[name]({ ...davRequest, cacheKey }, root)
}
