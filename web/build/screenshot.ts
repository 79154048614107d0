// `npm run screenshot`: takes the README screenshots of the demo calendar on a fixed date.
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as playwright } from 'playwright-core'
import { buildApp } from '../../src/app.ts'
import { fillWithDemo } from '../../src/cli/demo/fill.ts'
import { loadConfig } from '../../src/config.ts'
import { requireBrowserBinary } from '../../test/support/browser/browser-binary.ts'
import { HOW_TO_GET_A_BROWSER } from '../../test/support/browser/find-browser.ts'

const IMAGES = join(import.meta.dirname, '..', '..', 'docs', 'images')
const NOW = Date.parse('2026-06-10T09:00:00Z')

const binary = await requireBrowserBinary()
if (binary.path === undefined) {
  process.stderr.write(`No screenshot was made, because ${binary.reason}: ${HOW_TO_GET_A_BROWSER}.\n`)
  process.exit(1)
}
const folder = await mkdtemp(join(tmpdir(), 'daybook-screenshot-'))
const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_SITE_NAME: 'Community Centre', DAYBOOK_LOG_LEVEL: 'error' }
const app = await buildApp(loadConfig(settings, folder), { clock: () => NOW })
const browser = await playwright.launch({
  executablePath: binary.path,
  args: ['--no-sandbox'],
  // Native date fields use the language the browser was started in.
  env: { ...process.env, LANG: 'en_GB.UTF-8', LANGUAGE: 'en_GB' },
})
try {
  await fillWithDemo(app.ctx, { force: true, onProgress: () => {} })
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.server.address() as AddressInfo
  mkdirSync(IMAGES, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 821 }, colorScheme, locale: 'en-GB' })
    await page.clock.setSystemTime(NOW)
    await page.goto(`http://localhost:${port}/`)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(IMAGES, `calendar-${colorScheme}.png`) })
  }
} finally {
  await browser.close()
  await app.close()
  await rm(folder, { recursive: true })
}
