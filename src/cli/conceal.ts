// What may be shown of an answer: it may be an address with a password in it.

const HIDDEN = '…'

/** As it is where no password can be; with a dot in its place; and where nobody can tell, nothing of it. */
export function concealPassword(text: string): string {
  if (!text.includes('://')) return /:.*@/s.test(text) ? HIDDEN : text
  if (!URL.canParse(text)) return HIDDEN
  const { protocol, username, password, host, pathname, search, hash } = new URL(text)
  // A sign in the password was taken for the end of the machine's name: the rest of it stands further on.
  if (`${pathname}${search}${hash}`.includes('@')) return HIDDEN
  if (!password && !search && !hash) return text
  const login = username || password ? `${username}${password && `:${HIDDEN}`}@` : ''
  return `${protocol}//${login}${host}${pathname}${search && `?${HIDDEN}`}${hash && `#${HIDDEN}`}`
}
