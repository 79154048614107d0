// A position in the order of changes, from which a sync continues. RFC 6578.

/** What a client has received: all revisions before this one, and in this one the names up to this one. */
export interface SyncPosition {
  revision: number
  /** Empty: nothing of the revision yet. */
  name: string
}
