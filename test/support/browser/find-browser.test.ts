// Where the browser of the tests comes from, on every platform, and the message where there is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BrowserSearch, findBrowser } from './find-browser.ts'

const PACKAGED = '/run/chromium'

function search(changes: Partial<BrowserSearch> & { present?: string[] }): Promise<string> {
  const { present = [], ...rest } = changes
  return findBrowser({
    platform: 'linux',
    arch: 'x64',
    env: {},
    unpackPackage: async () => PACKAGED,
    exists: (path) => path === PACKAGED || present.includes(path),
    canRun: () => true,
    ...rest,
  }).then((found) => found.path ?? found.reason)
}

test('the npm package is used on x64 Linux alone', async () => {
  assert.equal(await search({ present: ['/usr/bin/chromium'] }), PACKAGED)
  const unpackPackage = () => assert.fail('it does not fit')
  for (const [platform, arch] of [
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'x64'],
  ] as const)
    assert.equal(await search({ platform, arch, unpackPackage }), `no Chromium was found for ${platform}-${arch}`)
})

test('a Chromium package that does not run on this machine is skipped in favour of an installed browser', async () => {
  const canRun = (path: string) => path !== PACKAGED
  const unpackPackage = () => Promise.reject(new Error('no space left'))
  for (const broken of [{ canRun }, { unpackPackage }])
    assert.equal(await search({ ...broken, present: ['/usr/bin/google-chrome'] }), '/usr/bin/google-chrome')
})

test('the usual places are searched, PATH first', async () => {
  const arm = { arch: 'arm64', present: ['/usr/bin/chromium', '/opt/tools/chromium'] }
  assert.equal(await search({ ...arm, env: { PATH: '/opt/tools:/bin' } }), '/opt/tools/chromium')
  assert.equal(await search(arm), '/usr/bin/chromium')
  const shell = '/usr/bin/chromium-headless-shell'
  assert.equal(await search({ ...arm, present: ['/usr/bin/chromium', shell] }), shell)
  assert.equal(await search({ ...arm, present: ['/snap/bin/chromium'] }), '/snap/bin/chromium')
  const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  assert.equal(await search({ platform: 'darwin', arch: 'arm64', present: [chrome] }), chrome)
  const own = `/home/ann${chrome}`
  assert.equal(await search({ platform: 'darwin', arch: 'x64', env: { HOME: '/home/ann' }, present: [own] }), own)
  const program = 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
  assert.equal(
    await search({ platform: 'win32', env: { ProgramFiles: 'C:\\Program Files' }, present: [program] }),
    program,
  )
})

test('CHROME_PATH comes before everything; one that does not run is refused', async () => {
  const env = { CHROME_PATH: '/opt/my/chrome' }
  assert.equal(await search({ env, present: ['/opt/my/chrome'] }), '/opt/my/chrome')
  const refusal = 'CHROME_PATH is /opt/my/chrome, which does not run'
  assert.equal(await search({ env, present: ['/usr/bin/chromium'] }), refusal)
  assert.equal(await search({ env, present: ['/opt/my/chrome'], canRun: () => false }), refusal)
})
