import type { FastifyReply } from 'fastify'
import type { DavRequest } from '../request.ts'
import type { XmlElement } from '../xml/parse.ts'

// The type of a REPORT's handler.

export type Report = (asking: DavRequest, root: XmlElement) => Promise<FastifyReply>
