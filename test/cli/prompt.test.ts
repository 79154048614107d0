// Prompts on a terminal and through a pipe: no input is lost, no secret is shown.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { concealPassword } from '../../src/cli/conceal.ts'
import { askNewPassword, openPrompt } from '../../src/cli/prompt.ts'
import { waitFor } from '../support/measure/wait-for.ts'

function makeTerminal(isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  let shown = ''
  output.setEncoding('utf8').on('data', (chunk) => (shown += chunk))
  return { input, prompt: openPrompt(input, output), shown: () => shown }
}

test('on a terminal, secret input is not shown, not even by the arrow keys later', async () => {
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

test('on a terminal, the end of the input stops the command', async () => {
  const { input, prompt } = makeTerminal(true)
  const name = prompt.ask('Name: ')
  input.write('\x04')
  await assert.rejects(name, /^Error: stopped; nothing was written$/)
})

test('piped lines answer one prompt after another, however they arrive, and missing ones are empty', async () => {
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

test('a piped answer is echoed without the password in it', async () => {
  const { input, prompt, shown } = makeTerminal(false)
  const lines = ['Hall', 'smtp://me:hush@mail.example.org:587', 'postgres://u:hu/sh@db/x', 'https://hall.example.org']
  input.end(`${lines.join('\n')}\n`)
  for (const line of lines) assert.equal(await prompt.ask('? '), line, 'it is the same answer')
  prompt.close()
  assert.equal(shown(), '? Hall\n? smtp://me:…@mail.example.org:587\n? …\n? https://hall.example.org\n')
})

test('no password is shown, wherever in an address it stands', () => {
  const cases: Record<string, string> = {
    'smtp://me:hush@mail.example.org': 'smtp://me:…@mail.example.org',
    'smtp://me:hu@sh@mail.example.org': 'smtp://me:…@mail.example.org',
    'smtp://:hush@mail.example.org': 'smtp://:…@mail.example.org',
    'smtp://me@mail.example.org': 'smtp://me@mail.example.org',
    'postgres://db.example.org/x?user=me&password=hush': 'postgres://db.example.org/x?…',
    'postgres://me:hush@/x?host=/run/postgresql': '…',
    'postgres:///x?host=/run/postgresql&password=hush': 'postgres:///x?…',
    'postgres://me:hush/hush@db/x': '…',
    'postgres://me:1/hush@db/x': '…',
    'smtp://me:1#hush@mail.example.org': '…',
    'smtp://me:1?hush@mail.example.org': '…',
    'smtp://me:hush': '…',
    'me:hush@mail.example.org': '…',
    'head@example.org': 'head@example.org',
    'Hall: the big one': 'Hall: the big one',
    'https://hall.example.org': 'https://hall.example.org',
    '': '',
  }
  for (const [text, expected] of Object.entries(cases)) {
    assert.equal(concealPassword(text), expected)
    assert.ok(!concealPassword(text).includes('hush'))
  }
})

test('on a terminal a new password is asked for until it is the same twice', async () => {
  const { input, prompt, shown } = makeTerminal(true)
  const password = askNewPassword(prompt)
  for (const [answered, typed] of ['one', 'other', 'my secret', 'my secret'].entries()) {
    await waitFor('the next question', () => (shown().match(/more\): |Repeat the password: /g) ?? []).length > answered)
    input.write(`${typed}\r`)
  }
  assert.equal(await password, 'my secret')
  prompt.close()
  assert.match(shown(), /The passwords do not match/)
  assert.doesNotMatch(shown(), /secret|other/)
})
