// Headers of a 415 response: the body types of a route. RFC 9110 §15.5.16, RFC 5789 §2.2.
import type { FastifyRequest } from 'fastify'

export const JSON_TYPES: readonly string[] = ['application/json', 'application/merge-patch+json']

/** Every PATCH is a merge patch under either name; any other body is not a patch. RFC 7396 §4. */
export const jsonTypesOf = (method: string): readonly string[] =>
  method.toUpperCase() === 'PATCH' ? JSON_TYPES : JSON_TYPES.slice(0, 1)

export function acceptedTypes({ method, routeOptions: { config } }: FastifyRequest): readonly string[] {
  return config.takes === undefined ? jsonTypesOf(method) : [config.takes]
}

export function acceptHeaders(request: FastifyRequest): Record<string, string> {
  const accept = acceptedTypes(request).join(', ')
  return {
    accept,
    ...(request.method === 'PATCH' ? { 'accept-patch': accept } : {}),
    ...(request.headers['content-encoding'] === undefined ? {} : { 'accept-encoding': 'identity' }),
  }
}
