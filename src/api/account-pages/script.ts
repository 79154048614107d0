// What the pages behind mail links do in the browser. One script for all of them; its hash stands in their policy.

export const script = `
'use strict'
const form = document.querySelector('form')
const outcome = document.querySelector('#outcome')
const after = document.querySelector('#after')
const field = form.querySelector('input')
const show = form.querySelector('#show')
const { api, operation, done, doneWaiting, donePassword } = form.dataset
const needsToken = operation !== '/users/forgot-password'
const needsProof = !needsToken

let token = null

// Also for a second link that is pasted into the same tab. What stands after # never reaches a server; from here on it
// is not in the address bar or the history either.
function begin() {
  token = new URLSearchParams(location.hash.slice(1)).get('t')
  if (location.hash) history.replaceState(null, '', location.pathname)
  form.hidden = false
  if (after) after.hidden = false
  if (field) field.value = ''
  field?.removeAttribute('aria-invalid')
  say('', '')
  if (needsToken && !token) finish('This link is not complete. Open it from the mail again.', 'bad')
}

const WORDS = {
  required: 'Something is missing. Try again.',
  too_short: 'This password is too short. It needs 12 characters.',
  too_long: 'This is too long. A password may have 128 characters.',
  password_common: 'This password is easy to guess. Choose another.',
  invalid_format: 'This does not look like an email address.',
  token_invalid_or_expired: 'This link was used before, or is too old.',
  rate_limited: 'That was often enough for now. Wait a while and try again.',
  https_required: 'This page needs a secure connection. Open it with https.',
}

function say(text, kind) {
  outcome.textContent = text
  outcome.className = kind
}

function finish(text, kind) {
  form.hidden = true
  if (after && kind === 'good') after.hidden = true
  say(text, kind)
  outcome.focus()
}

const post = (body) =>
  fetch(api + operation, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify(body),
  })

const bytesOf = (hex) => Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16))
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

// Where the service asks for a proof of work, the browser tries numbers until one fits.
async function prove() {
  const { data } = await (await fetch(api + '/users/challenge', { credentials: 'omit' })).json()
  if (!data.required) return {}
  const { nonce, salt, cost, keyLength, keyPrefix } = data.challenge.parameters
  const tried = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0])
  const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations: cost }
  for (let counter = 0; ; counter++) {
    new DataView(tried.buffer).setUint32(tried.length - 4, counter)
    const key = await crypto.subtle.importKey('raw', tried, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = hexOf(new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 8 * keyLength)))
    if (derivedKey.startsWith(keyPrefix))
      return { proof: btoa(JSON.stringify({ challenge: data.challenge, solution: { counter, derivedKey } })) }
  }
}

let isBusy = false

function outcomeOf({ password_needed, approval_state }) {
  if (password_needed) return donePassword
  return approval_state === 'pending_approval' ? doneWaiting : done
}

async function send() {
  const sentToken = token
  say('One moment …', '')
  const answer = await post({
    ...(field ? { [field.name]: field.value } : {}),
    ...(needsToken ? { token } : {}),
    ...(needsProof ? await prove() : {}),
  })
  const { data, error } = await answer.json()
  if (token !== sentToken) return
  if (answer.ok) return finish(outcomeOf(data), 'good')
  const code = error.details?.fields?.[0]?.code ?? error.code
  const text = WORDS[code] ?? 'That did not work. Try again later.'
  if (code === 'token_invalid_or_expired') return finish(text, 'bad')
  say(text, 'bad')
  field?.setAttribute('aria-invalid', 'true')
  field?.focus()
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (isBusy) return
  isBusy = true
  field?.removeAttribute('aria-invalid')
  try {
    await send()
  } catch {
    say('The service cannot be reached just now. Try again.', 'bad')
  }
  isBusy = false
})

show?.addEventListener('click', () => {
  const isShown = field.type === 'text'
  field.type = isShown ? 'password' : 'text'
  show.textContent = isShown ? 'Show' : 'Hide'
  show.setAttribute('aria-pressed', String(!isShown))
})

addEventListener('hashchange', begin)
begin()
`
