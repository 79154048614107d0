// Script of an event's card in WordPress, whose sandbox opens no links: asks the page around it to do that.

/** WordPress adds it to the address of the frame, and takes only messages that repeat it. */
const readSecret = (): string | undefined => /secret=([a-zA-Z0-9]+)/.exec(location.hash)?.[1]

/** Nothing in a message is secret; without the word in the address there is none. */
function tell(message: 'height' | 'link', value: number | string): void {
  const secret = readSecret()
  if (secret && parent !== window) parent.postMessage({ message, value, secret }, '*')
}

const tellHeight = (): void => tell('height', document.documentElement.scrollHeight)

function askToOpen(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || !readSecret() || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  tell('link', link.href)
}

new ResizeObserver(tellHeight).observe(document.body)
addEventListener('hashchange', tellHeight)
// The page around it may begin to listen later, and says so.
addEventListener('message', ({ source, data }) => {
  if (source === parent && data?.message === 'ready' && data.secret === readSecret()) tellHeight()
})
document.addEventListener('click', askToOpen)
