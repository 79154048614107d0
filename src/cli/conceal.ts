// Masks passwords in an answer before it is printed: it may be a URL with credentials.

const HIDDEN = '…'

/** Unchanged if it cannot contain a password; with the password replaced; or hidden completely when in doubt. */
export function concealPassword(text: string): string {
  if (!text.includes('://')) return /:.*@/s.test(text) ? HIDDEN : text
  if (!URL.canParse(text)) return HIDDEN
  const { protocol, username, password, host, pathname, search, hash } = new URL(text)
  // A character in the password ended the host too early: the rest of the password is in the path, query or fragment.
  if (`${pathname}${search}${hash}`.includes('@')) return HIDDEN
  if (!password && !search && !hash) return text
  const login = username || password ? `${username}${password && `:${HIDDEN}`}@` : ''
  return `${protocol}//${login}${host}${pathname}${search && `?${HIDDEN}`}${hash && `#${HIDDEN}`}`
}
