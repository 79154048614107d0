// What WordPress 5.9 and later makes of oEmbed markup from sites that it does not know, and its host script.

const KEPT: Record<string, readonly string[]> = {
  a: ['href'],
  blockquote: [],
  iframe: ['src', 'width', 'height', 'frameborder', 'marginwidth', 'marginheight', 'scrolling', 'title'],
}

/** Other elements and attributes are removed; the text inside stays. */
const removeUnknown = (markup: string): string =>
  markup.replace(/<(\/?)([a-z]+)([^>]*)>/g, (_, slash: string, name: string, rest: string) => {
    const kept = KEPT[name]
    if (!kept) return ''
    const attributes = [...rest.matchAll(/ ([a-z-]+)="([^"]*)"/g)].filter(([, attribute]) => kept.includes(attribute!))
    return `<${slash}${name}${attributes.map(([whole]) => whole).join('')}>`
  })

/** Undefined where WordPress shows the bare link. */
export function filterAsWordPress(markup: string, secret: string): string | undefined {
  const [, quotation = '', frame] =
    /(<blockquote>.*?<\/blockquote>)?.*(<iframe.*?><\/iframe>)/s.exec(removeUnknown(markup)) ?? []
  if (!frame) return undefined
  const hiding = quotation ? ' style="position: absolute; visibility: hidden;"' : ''
  return (
    quotation.replace('<blockquote', `<blockquote class="wp-embedded-content" data-secret="${secret}"`) +
    frame
      .replace(/ src="([^"]*)"/, ` src="$1#?secret=${secret}" data-secret="${secret}"`)
      .replace('<iframe', `<iframe class="wp-embedded-content" sandbox="allow-scripts" security="restricted"${hiding}`)
  )
}

/** WordPress loads its script only beside such a quotation. */
export const loadsHostScript = (markup: string): boolean => /<blockquote\s[^>]*?wp-embedded-content/.test(markup)

/** Does what `wp-embed.js` does with messages of frames: shows the frame, resizes it, and follows its links. */
export const HOST_SCRIPT = `<script>
addEventListener('message', ({ data, source }) => {
  if (!data?.secret || /[^a-zA-Z0-9]/.test(data.secret)) return
  for (const quotation of document.querySelectorAll('blockquote[data-secret="' + data.secret + '"]'))
    quotation.style.display = 'none'
  for (const frame of document.querySelectorAll('iframe[data-secret="' + data.secret + '"]')) {
    if (source !== frame.contentWindow) continue
    frame.removeAttribute('style')
    if (data.message === 'height') frame.height = Math.min(Math.max(parseInt(data.value, 10), 200), 1000)
    const isSameHost = () => new URL(data.value).host === new URL(frame.getAttribute('src')).host
    if (data.message === 'link' && isSameHost() && document.activeElement === frame) top.location.href = data.value
  }
})
addEventListener('DOMContentLoaded', () => {
  for (const frame of document.querySelectorAll('iframe.wp-embedded-content'))
    frame.contentWindow.postMessage({ message: 'ready', secret: frame.dataset.secret }, '*')
})
</script>`
