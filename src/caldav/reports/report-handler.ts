// Type of a REPORT handler.
import type { FastifyReply } from 'fastify'
import type { DavRequest } from '../request.ts'
import type { XmlElement } from '../xml/parse.ts'

export type Report = (davRequest: DavRequest, root: XmlElement) => Promise<FastifyReply>
