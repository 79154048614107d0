// Reads the token of a mailed link from the URL fragment, and removes it from the address bar.
import { useLayoutEffect, useState } from 'preact/hooks'

/**
 * The fragment never reaches a server; once read, neither the address bar nor the history has it. Also reads a second
 * link that is pasted into the same tab. Undefined if the link has no token.
 */
export function useMailedToken(): string | undefined {
  const [token, setToken] = useState(takeToken)
  // A layout effect, so that the listener is there before the user can paste another link.
  useLayoutEffect(() => {
    const onHashChange = () => location.hash && setToken(takeToken())
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [])
  return token
}

function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('t')
  if (location.hash) history.replaceState(null, '', location.pathname)
  return token || undefined
}
