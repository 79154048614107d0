// The token of a mailed link stands after #, which no server ever sees; once read, neither the address bar nor the history has it.
import { useLayoutEffect, useState } from 'preact/hooks'

/** Also of a second link that is pasted into the same tab. Undefined where the link has none. */
export function useMailedToken(): string | undefined {
  const [token, setToken] = useState(takeToken)
  // Before anything is seen: whoever sees it may paste the next one.
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
