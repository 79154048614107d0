// Loads the Temporal polyfill in browsers that lack it; the domain needs it for time zones.
export async function loadTemporal(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
}
