// Names the browser and system of a User-Agent header, such as “Firefox on Windows”.
import * as words from '../../strings.ts'

/** The order matters: most browsers also name several others. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'Mac'],
  ['CrOS', 'Chromebook'],
  ['Linux', 'Linux'],
] as const

export function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([sign]) => userAgent.includes(sign))?.[1]
  const system = SYSTEMS.find(([sign]) => userAgent.includes(sign))?.[1]
  if (browser && system) return words.account.browserOn(browser, system)
  return browser ?? system ?? (userAgent.slice(0, 40) || words.account.someBrowser)
}
