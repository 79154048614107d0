// Content negotiation: clients that prefer an HTML page to JSON.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersPage } from '../../../src/http/responses/accept.ts'

const CASES: [string | undefined, boolean][] = [
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML; charset=utf-8', true],
  ['text/html, */*', true],
  ['application/json;q=0.5, text/html', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['image/avif,image/webp,*/*;q=0.8', false],
  ['application/json, text/plain, */*', false],
  ['text/html, application/json', false],
  ['application/json, text/html;q=0.9', false],
  ['text/html, application/json; charset=utf-8', false],
  ['text/html;q=0.5, */*', false],
  ['text/html;q=0', false],
  ['text/html;q=abc', false],
  ['text/html;q=-1', false],
  ['application/xhtml+xml', false],
]

test('a page is for clients that accept HTML explicitly and do not accept JSON equally', () => {
  for (const [accept, isPage] of CASES) assert.equal(prefersPage(accept), isPage, String(accept))
})
