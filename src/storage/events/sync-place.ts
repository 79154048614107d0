// A position in the order of changes, from which a sync goes on. RFC 6578.

/** How far somebody has been told what changed: all revisions before this one, and in it the names up to this one. */
export interface SyncPlace {
  revision: number
  /** Empty: nothing of the revision yet. */
  name: string
}
