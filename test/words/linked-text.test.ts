// Web addresses in plain text: where they end, and what is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitAddresses } from '../../src/words/linked-text.ts'

const addressesIn = (text: string): string[] =>
  splitAddresses(text)
    .filter(({ isAddress }) => isAddress)
    .map((part) => part.text)

test('an address ends before the punctuation of its sentence', () => {
  const texts = ['See https://x.example/a.', '(https://x.example/a)', 'https://x.example/a?!', '[https://x.example/a].']
  for (const text of texts) assert.deepEqual(addressesIn(text), ['https://x.example/a'], text)
})

test('brackets that an address opens belong to it', () => {
  const address = 'https://en.wikipedia.org/wiki/Fair_(festival)'
  for (const text of [address, `${address}.`, `(${address})`, `(see ${address}).`])
    assert.deepEqual(addressesIn(text), [address], text)
})

test('an address without a host is text', () => {
  for (const text of ['http://', 'https://.', '(http://)']) assert.deepEqual(addressesIn(text), [], text)
})

test('the parts are the whole text', () => {
  for (const text of ['', 'a https://x.example/a, b http://. c', 'https://x.example/(a)))'])
    assert.equal(
      splitAddresses(text)
        .map((part) => part.text)
        .join(''),
      text,
    )
})
