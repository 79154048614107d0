// A client that honours Retry-After: on a slow disk fifty writers of one row wait longer than the pool allows.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiResponse } from './http/api-response.ts'

const MAX_TRIES = 30

export async function patiently(ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    if (answer.status !== 503 || tries === MAX_TRIES) return answer
    assert.equal(answer.body.error.code, 'storage_unavailable')
    assert.ok(Number(answer.headers['retry-after']) > 0, 'a refusal says when to come back')
    await delay(100 * tries)
  }
}
