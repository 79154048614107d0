// Time zones in the browser: the domain asks Temporal, which is brought along only where the browser has none.
export async function readyTemporal(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
}
