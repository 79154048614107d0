// Headers of a 415 response: the body types of a route. RFC 9110 §15.5.16, RFC 5789 §2.2.
import type { FastifyRequest } from 'fastify'

/** A merge patch is JSON, and both names are accepted for every JSON body. */
export const JSON_TYPES: readonly string[] = ['application/json', 'application/merge-patch+json']

export function acceptedTypes({ routeOptions: { config } }: FastifyRequest): readonly string[] {
  return config.takes === undefined ? JSON_TYPES : [config.takes]
}

export function acceptHeaders(request: FastifyRequest): Record<string, string> {
  const accept = acceptedTypes(request).join(', ')
  return {
    accept,
    ...(request.method === 'PATCH' ? { 'accept-patch': accept } : {}),
    ...(request.headers['content-encoding'] === undefined ? {} : { 'accept-encoding': 'identity' }),
  }
}
