// Says in words why a file or folder cannot be used, from the code of the file system's error.

/** Undefined for other errors, such as those of a connection. */
export function describeFileError(code: string): string | undefined {
  const reason = REASONS[code]
  return reason && `${reason} (${code})`
}

/** Whether the error is that this user may not do something with a file. */
export const isRefused = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as { code?: string }).code ?? '')

const REASONS: Record<string, string | undefined> = {
  EACCES: 'this user has no permission',
  EBUSY: 'another program uses it',
  EDQUOT: 'the quota of this user is used up',
  EEXIST: 'it is there already',
  EFBIG: 'the file would become too large',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links go round in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open',
  ENOENT: 'the folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
}
