// The type of a REPORT's handler.
import type { FastifyReply } from 'fastify'
import type { DavRequest } from '../request.ts'
import type { XmlElement } from '../xml/parse.ts'

export type Report = (asking: DavRequest, root: XmlElement) => Promise<FastifyReply>
