// Questions on a terminal and through a pipe: nothing typed is lost, nothing secret is shown.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { openPrompt } from '../../src/cli/prompt.ts'

function makeTerminal(isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  let shown = ''
  output.setEncoding('utf8').on('data', (chunk) => (shown += chunk))
  return { input, prompt: openPrompt(input, output), shown: () => shown }
}

test('on a terminal, what is typed in secret is not shown, not even by the arrow keys later', async () => {
  const { input, prompt, shown } = makeTerminal(true)
  const name = prompt.ask('Name: ')
  input.write(' Hall \r')
  assert.equal(await name, 'Hall')
  const password = prompt.askHidden('Password: ')
  input.write(' my secret \r')
  assert.equal(await password, ' my secret ', 'as it was typed')
  const again = prompt.ask('Again: ')
  input.write('\x1b[A\x1b[A\r')
  assert.equal(await again, '')
  prompt.close()
  assert.ok(shown().includes('Name: ') && shown().includes('Password: \n') && shown().includes('Again: '))
  assert.ok(!shown().includes('secret'))
})

test('on a terminal, the end of the input stops everything', async () => {
  const { input, prompt } = makeTerminal(true)
  const name = prompt.ask('Name: ')
  input.write('\x04')
  await assert.rejects(name, /^Error: stopped; nothing was written$/)
})

test('piped lines answer one after another, however they arrive, and missing ones are empty', async () => {
  const { input, prompt, shown } = makeTerminal(false)
  input.write('one\r\ntwo\nsec')
  const answers = [await prompt.ask('A: '), await prompt.ask('B: ')]
  const password = prompt.askHidden('C: ')
  input.end('ret')
  answers.push(await password, await prompt.ask('D: '), await prompt.askHidden('E: '))
  prompt.close()
  assert.deepEqual(answers, ['one', 'two', 'secret', '', ''])
  assert.equal(shown(), 'A: one\nB: two\nC: \nD: \nE: \n')
})
