// Rate limit for refused requests: one that no other limit counted counts as an anonymous request.
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Limits } from './request-limits.ts'

const counted = new WeakSet<FastifyRequest>()

/** Called where another limit counts the request. */
export const markCounted = (request: FastifyRequest): void => void counted.add(request)

/** Returns the error to answer with: the given one, or 429 when the network has used up its requests. */
export async function countRefused(limits: Limits, request: FastifyRequest, error: AppError): Promise<AppError> {
  if (counted.has(request) || error.status >= 500 || error.status === 429) return error
  markCounted(request)
  try {
    await limits.countFrom(request.peer.address, ['public-ip'])
    return error
  } catch (refusal) {
    return refusal instanceof AppError ? refusal : error
  }
}
