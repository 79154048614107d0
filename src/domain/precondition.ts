// Precondition of a conditional write: If-Match, If-None-Match: * and the version in a JSON body.

/** What the client last saw. Each part that is given must hold. RFC 9110 §13.1. */
export interface Precondition {
  /** Any of these matches; `*` matches any existing resource. */
  etags?: readonly string[] | undefined
  version?: number | undefined
  /** If-None-Match: * */
  mustBeNew?: boolean | undefined
}

/** The resource as it is stored now. The ETag is a function because it is a keyed hash, and often not needed. */
export interface CurrentVersion {
  version: number
  etag(): string
}

/** `current` is undefined for a resource that does not exist. */
export function meetsPrecondition(
  { etags, version, mustBeNew = false }: Precondition,
  current: CurrentVersion | undefined,
): boolean {
  if (!current) return etags === undefined && version === undefined
  if (mustBeNew || (version !== undefined && version !== current.version)) return false
  return etags === undefined || etags.includes('*') || etags.includes(current.etag())
}
