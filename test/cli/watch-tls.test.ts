// A renewed TLS certificate is used without a restart; files that do not fit together change nothing.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { makeCertificate } from '../support/http/certificate.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { startService } from '../support/processes/process.ts'
import { makePlace } from '../support/storage/engines.ts'

interface Connected {
  socket: TLSSocket
  name: string
}

const open = (port: number): Promise<Connected> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () =>
      resolve({ socket, name: String(socket.getPeerCertificate().subject.CN) }),
    )
    socket.once('error', reject)
  })

async function shownName(port: number): Promise<string> {
  const { socket, name } = await open(port)
  socket.destroy()
  return name
}

const statusOver = (socket: TLSSocket, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(`${url}/healthz`, { createConnection: () => socket }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!))
    })
    asked.once('error', reject).end()
  })

test('a renewed certificate is used for new connections, by its files or on SIGHUP', async () => {
  const place = await makePlace('sqlite')
  const write = (name: string, content: string): void => writeFileSync(join(place.folder, name), content)
  const [first, second, third] = ['first', 'second', 'third'].map(makeCertificate)
  write('cert.pem', first!.certificate)
  write('key.pem', first!.key)
  const tls = { DAYBOOK_TLS_CERTIFICATE: 'cert.pem', DAYBOOK_TLS_KEY: 'key.pem' }
  const service = await startService(place.folder, { ...place.settings, ...tls, DAYBOOK_LOG_LEVEL: 'info' })
  try {
    const port = Number(new URL(service.url).port)
    const { socket, name } = await open(port)
    assert.equal(name, 'first')

    write('cert.pem', second!.certificate)
    await waitFor('the mismatch is noticed', () => service.output().includes('the key does not match the certificate'))
    assert.equal(await shownName(port), 'first', 'until the key is renewed too')
    write('key.pem', second!.key)
    await waitFor('the files are read again', async () => (await shownName(port)) === 'second')

    write('cert.pem', third!.certificate)
    write('key.pem', third!.key)
    process.kill(service.pid, 'SIGHUP')
    await waitFor('the signal arrives', async () => (await shownName(port)) === 'third')
    assert.equal(await statusOver(socket, service.url), 200, 'a connection from before continues')
  } finally {
    await service.kill()
    await place.remove()
  }
})
