// A service with a certificate of its own, for tests of TLS.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePlace } from '../storage/engines.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { makeCertificate } from './certificate.ts'
import { listen } from './socket.ts'

/** A service that serves HTTPS itself. */
export async function withTls(
  use: (port: number, world: World) => Promise<void>,
  { host, patience }: { host?: string; patience?: WorldOptions['patience'] } = {},
): Promise<void> {
  const place = await makePlace('sqlite')
  const [certificatePath, keyPath] = [join(place.folder, 'cert.pem'), join(place.folder, 'key.pem')]
  const { key, certificate } = makeCertificate('localhost')
  writeFileSync(certificatePath, certificate)
  writeFileSync(keyPath, key)
  const settings = { DAYBOOK_TLS_CERTIFICATE: certificatePath, DAYBOOK_TLS_KEY: keyPath }
  const world = await openWorld('sqlite', place, {
    settings: { ...settings, DAYBOOK_PUBLIC_URL: 'https://localhost' },
    patience,
  })
  try {
    await use(await listen(world.app, host), world)
  } finally {
    await world.app.close()
    await place.remove()
  }
}
