// Content encoding by Accept-Encoding, RFC 9110 §12.5.3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { acceptedEncodings, chooseEncoding, encodedBytes, etagOfForm } from '../../../src/http/responses/encoding.ts'

const CASES: [string | undefined, 'br' | 'gzip' | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['*;q=0.1, gzip;q=0.2', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, deflate', undefined],
  ['deflate, zstd', undefined],
  [' gzip ; q=0.8 ,, ', 'gzip'],
  ['gzip;q=2', undefined],
  ['gzip;q=-1', undefined],
  ['gzip;q=abc', undefined],
  ['gzip;level=9', undefined],
  ['brotli', undefined],
  ['gzip;q=1.0001', undefined],
]

test('a client gets the best encoding that it accepts, and never one that it refuses', () => {
  for (const [header, expected] of CASES)
    assert.equal(chooseEncoding(acceptedEncodings(header), 5_000), expected, String(header))
  assert.deepEqual(acceptedEncodings('gzip, br;q=0.1'), ['gzip', 'br'])
})

test('small responses are not compressed', () => {
  assert.equal(chooseEncoding(['br', 'gzip'], 1_023), undefined)
  assert.equal(chooseEncoding(['br', 'gzip'], 1_024), 'br')
})

test('a body is compressed once for concurrent requests, and decompresses to the same bytes', async () => {
  const body = Buffer.from('a calendar, '.repeat(500))
  for (const [encoding, open] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const asked = Array.from({ length: 20 }, () => encodedBytes(body, encoding))
    assert.ok(asked[0] instanceof Promise)
    const made = await Promise.all(asked)
    assert.equal(new Set(made).size, 1)
    assert.deepEqual(open(made[0]!), body)
    assert.ok(made[0]!.length < body.length / 4)
    assert.equal(encodedBytes(body, encoding), made[0], 'from then on it is there')
  }
})

test('each encoding has its own ETag, with the encoding inside the quotes', () => {
  assert.equal(etagOfForm('"abc"', 'br'), '"abc-br"')
  assert.equal(etagOfForm('"abc"', 'gzip'), '"abc-gzip"')
  assert.equal(etagOfForm('"abc"', undefined), '"abc"')
})
