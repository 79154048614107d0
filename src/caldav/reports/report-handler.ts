// Type of a REPORT handler: takes the request and its parsed body, sends the response.
import type { FastifyReply } from 'fastify'
import type { DavRequest } from '../request.ts'
import type { XmlElement } from '../xml/parse.ts'

export type Report = (davRequest: DavRequest, root: XmlElement) => Promise<FastifyReply>
