// Access matrix: every route for every kind of account and credential. A route without a row here fails.
import assert from 'node:assert/strict'
import { ROLES, type Role } from '../../../src/domain/account/account.ts'
import { SCOPES } from '../../../src/domain/privacy/rights.ts'
import { cookieNameOf } from '../../../src/http/guard/cookie.ts'
import { csrfTokenFor } from '../../../src/http/guard/csrf.ts'
import { hashSecret, newCode, newId, newKey } from '../../../src/secrets.ts'
import { insertApiToken, insertAppPassword } from '../../../src/storage/accounts/credentials.ts'
import { insertSession } from '../../../src/storage/accounts/sessions.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { testInSharedWorld } from '../../support/shared-world.ts'
import { basicOf, type World } from '../../support/world.ts'

type Need = 'nothing' | 'masked' | 'told' | 'proven' | 'read' | 'write' | 'read and write' | 'admin' | 'own'

/**
 * What each operation needs. `masked` is open to all, and shows full events to accounts that may read them; `told` tells
 * such accounts of full changes.
 */
const ROUTES: Record<string, Need> = {
  'get /events': 'masked',
  'post /events': 'write',
  'get /events/changes': 'masked',
  'get /events/stream': 'told',
  'get /events/{event_id}': 'masked',
  'put /events/{event_id}': 'write',
  'patch /events/{event_id}': 'write',
  'delete /events/{event_id}': 'write',
  'get /events/{event_id}/occurrences': 'masked',
  'get /events/{event_id}/occurrences/{occurrence_key}': 'masked',
  'patch /events/{event_id}/occurrences/{occurrence_key}': 'write',
  'delete /events/{event_id}/occurrences/{occurrence_key}': 'write',
  'delete /events/{event_id}/exceptions/{occurrence_key}': 'write',
  'get /events/{event_id}/history': 'read and write',
  'get /events/{event_id}/history/{version}': 'read and write',
  'post /events/{event_id}/history/{version}/restore': 'read and write',
  'post /admin/rewind': 'admin',
  'get /categories': 'read',
  'get /admin/categories': 'admin',
  'post /admin/categories': 'admin',
  'patch /admin/categories/{category_id}': 'admin',
  'delete /admin/categories/{category_id}': 'admin',
  'post /events/bulk': 'write',
  'get /trash': 'read and write',
  'delete /trash': 'admin',
  'post /trash/restore': 'read and write',
  'post /trash/{event_id}/restore': 'read and write',
  'get /public/events': 'nothing',
  'get /public/changes': 'nothing',
  'get /freebusy': 'read',
  'get /public/freebusy': 'nothing',
  'get /public/stream': 'nothing',
  'get /public/events/{event_id}': 'nothing',
  'get /public/events/{event_id}/event.ics': 'nothing',
  'get /public/events/{event_id}/occurrences/{occurrence_key}/event.ics': 'nothing',
  'get /public/sidebar-events': 'nothing',
  'get /public/categories': 'nothing',
  'get /public/calendar.ics': 'nothing',
  'get /feeds/{secret}.ics': 'nothing',
  'post /users/register': 'nothing',
  'post /users/verify': 'nothing',
  'post /users/forgot-password': 'nothing',
  'post /users/reset-password': 'nothing',
  'get /users/challenge': 'nothing',
  'post /auth/login': 'nothing',
  'post /auth/logout': 'nothing',
  'get /auth/session': 'proven',
  'get /auth/sessions': 'own',
  'delete /auth/sessions': 'own',
  'delete /auth/sessions/{session_id}': 'own',
  'post /auth/change-password': 'own',
  'patch /auth/account': 'own',
  'get /auth/app-passwords': 'own',
  'post /auth/app-passwords': 'own',
  'delete /auth/app-passwords/{app_password_id}': 'own',
  'get /auth/tokens': 'own',
  'post /auth/tokens': 'own',
  'delete /auth/tokens/{token_id}': 'own',
  'get /auth/feeds': 'own',
  'post /auth/feeds': 'own',
  'patch /auth/feeds/{feed_id}': 'own',
  'delete /auth/feeds/{feed_id}': 'own',
  'get /admin/users': 'admin',
  'get /admin/users/{user_id}': 'admin',
  'patch /admin/users/{user_id}': 'admin',
  'delete /admin/users/{user_id}': 'admin',
  'post /admin/users/reject': 'admin',
  'delete /admin/users/{user_id}/sessions': 'admin',
  'get /admin/diagnostics': 'admin',
  'get /admin/audit': 'admin',
  'get /admin/health': 'admin',
  'get /admin/settings': 'admin',
  'patch /admin/settings': 'admin',
  'post /admin/settings/test-mail': 'admin',
  'post /admin/import': 'admin',
  'get /admin/export.ics': 'admin',
  'post /setup': 'nothing',
  'get /openapi.json': 'nothing',
  'get /docs': 'nothing',
}

/** The states of an account: the code that refuses each, or none. */
const STANDINGS = {
  pending: 'account_pending',
  rejected: 'account_rejected',
  suspended: 'account_suspended',
  unverified: 'email_not_verified',
} as const

const BY_ROLE: Record<Role, Need[]> = {
  reader: ['read', 'own'],
  writer: ['read', 'write', 'read and write', 'own'],
  admin: ['read', 'write', 'read and write', 'admin', 'own'],
}

/** The rights of each credential, out of those of its owner. */
const PROOFS = {
  cookie: ['read', 'write', 'read and write', 'admin', 'own'],
  basic: ['read', 'write', 'read and write', 'admin', 'own'],
  'app password': ['read', 'write', 'read and write'],
  'token with all scopes': ['read', 'write', 'read and write', 'admin'],
  'token to read': ['read'],
  'token without scope': [],
} satisfies Record<string, Need[]>

type ProofName = keyof typeof PROOFS

interface Principal {
  name: string
  email: string
  role: Role
  standing: keyof typeof STANDINGS | undefined
  proof: ProofName
}

function expectedRefusal({ role, standing, proof }: Principal, need: Need): string | undefined {
  if (standing) return STANDINGS[standing]
  if (!BY_ROLE[role].includes(need)) return need === 'admin' ? 'admin_required' : 'insufficient_capability'
  if ((PROOFS[proof] as Need[]).includes(need)) return undefined
  return proof.startsWith('token') ? 'token_scope_insufficient' : 'insufficient_capability'
}

async function tryRoutes(world: World): Promise<void> {
  const { app, anonymous, writer } = world
  const { id } = await writer.creates({
    title: 'A',
    start: '2026-07-14T09:00',
    end: '2026-07-14T10:00',
    visibility: 'private',
    rrule: 'FREQ=DAILY;COUNT=9',
  })
  const operations = documentedOperations(app.openApi())
  assert.deepEqual(operations.toSorted(), Object.keys(ROUTES).sort(), 'a new route needs a row')
  const principals = await principalsOf(world)
  for (const [row, operation] of operations.entries()) {
    const need = ROUTES[operation]!
    const reader = await ask(anonymous.send, operation, id, {})
    checkAnonymous(reader, need, operation)
    for (const principal of someOf(world, principals, row)) {
      const headers = await principal.credentials(operation)
      const answer = await ask(anonymous.send, operation, id, headers)
      const where = `${operation} as ${principal.name}`
      const code = answer.body?.error?.code
      if (need === 'nothing' || need === 'proven')
        assert.ok(isAuthorised(answer.status), `${where}: ${answer.status} ${code}`)
      else if (need === 'told') {
        assert.equal(answer.status, 200, where)
        assert.equal(/^id: f/m.test(answer.text), !expectedRefusal(principal, 'read'), where)
      } else if (need === 'masked') {
        assert.equal(answer.status, 200, where)
        assert.equal(answer.text.includes('"created_by"'), !expectedRefusal(principal, 'read'), where)
      } else {
        const refusal = expectedRefusal(principal, need)
        if (refusal) assert.deepEqual([answer.status, code], [403, refusal], where)
        else assert.ok(isAuthorised(answer.status), `${where}: ${answer.status} ${code}`)
      }
    }
  }
}

/** Guards do not depend on the engine: on PostgreSQL the short run tries a third of the accounts on each row. */
const someOf = <T>({ engine }: World, principals: readonly T[], row: number): readonly T[] => {
  const step = engine === 'sqlite' ? 1 : byRunLength(3, 1)
  // Six credentials of each account: without the second term a third of the rows would have the same two of each.
  return principals.filter((_, index) => (index + Math.floor(index / 6) + row) % step === 0)
}

/** What each CalDAV address needs; `{name}` is not an event, so that an accepted request changes nothing. */
const CALDAV: Record<string, Need> = {
  'PROPFIND /caldav/': 'read',
  'PROPFIND /caldav/principals/': 'read',
  'PROPFIND /caldav/calendars/': 'read',
  'PROPFIND /caldav/calendars/main/': 'read',
  'REPORT /caldav/calendars/main/': 'read',
  'PROPPATCH /caldav/calendars/main/': 'read',
  'GET /caldav/calendars/main/{name}': 'read',
  'PROPFIND /caldav/calendars/main/{name}': 'read',
  'PUT /caldav/calendars/main/{name}': 'write',
  'DELETE /caldav/calendars/main/{name}': 'write',
  'MOVE /caldav/calendars/main/{name}': 'write',
  'GET /caldav/calendars/other/': 'read',
}

async function tryCalDav(world: World): Promise<void> {
  const { anonymous } = world
  const principals = await principalsOf(world)
  for (const [row, [operation, need]] of Object.entries(CALDAV).entries()) {
    const [method = '', path = ''] = operation.split(' ')
    const send = (headers: HeaderValues) =>
      anonymous.send({
        method: method as 'GET',
        url: path.replace('{name}', 'none.ics'),
        headers: { depth: '0', ...headers },
      })
    assert.equal((await send({})).status, 401, operation)
    for (const principal of someOf(world, principals, row)) {
      const answer = await send(await principal.credentials(operation))
      const where = `${operation} as ${principal.name}`
      const refusal = principal.proof === 'cookie' ? 'authentication_required' : expectedRefusal(principal, need)
      // An empty body is not an event, which CalDAV answers with 403 too.
      if (!refusal)
        assert.ok(isAuthorised(answer.status) || />data_invalid</.test(answer.text), `${where}: ${answer.status}`)
      else {
        assert.equal(answer.status, principal.proof === 'cookie' ? 401 : 403, where)
        assert.match(answer.text, new RegExp(`>${refusal}<`), where)
      }
    }
  }
}

testInSharedWorld(
  'access',
  {},
  {
    'every route is open to exactly the principals in the matrix': tryRoutes,
    'every CalDAV address is open to exactly the principals in the matrix, and to no cookie': tryCalDav,
  },
)

/** Authorised: whatever else may be wrong with the request, it was not refused for its sender. */
const isAuthorised = (status: number): boolean => status !== 401 && status !== 403 && status < 500

function checkAnonymous(answer: { status: number; text: string }, need: Need, operation: string): void {
  if (need === 'nothing') {
    // Signing in with an empty body is refused for the body, not for the sender.
    assert.ok(isAuthorised(answer.status), operation)
  } else if (need === 'told') assert.match(answer.text, /^id: p/m, operation)
  else if (need === 'masked') {
    assert.equal(answer.status, 200, operation)
    assert.ok(!answer.text.includes('"created_by"'), operation)
  } else assert.equal(answer.status, 401, operation)
}

function documentedOperations(document: object): string[] {
  const { paths } = document as { paths: Record<string, Record<string, unknown>> }
  return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
}

/** Names nothing that exists but the event, so that an accepted request changes nothing that later ones need. */
function ask(send: World['anonymous']['send'], operation: string, eventId: string, headers: Record<string, string>) {
  const [method = '', path = ''] = operation.split(' ')
  const isRead = method === 'get'
  const url = path
    .replace('{event_id}', isRead ? eventId : newId())
    .replace('{occurrence_key}', '20260715T090000')
    .replace(/\{\w+\}/, newId())
  const body = ['post', 'put', 'patch'].includes(method)
    ? { payload: '{}', headers: { ...headers, 'content-type': 'application/json' } }
    : { headers }
  return send({ method: method.toUpperCase() as 'GET', url: `/api-root/calendar/v1${url}`, ...body })
}

type Credentials = (operation: string) => Promise<HeaderValues>

/** Created once for each world. */
const known = new WeakMap<World, Promise<(Principal & { credentials: Credentials })[]>>()

const principalsOf = (world: World) => {
  const principals = known.get(world) ?? makePrincipals(world)
  known.set(world, principals)
  return principals
}

/** After these a cookie may no longer be valid. */
const ENDS_SESSIONS = /^(?:post|delete) \/(?:auth|admin)\//

async function makePrincipals(world: World): Promise<(Principal & { credentials: Credentials })[]> {
  const people: Omit<Principal, 'proof' | 'name'>[] = [
    ...ROLES.map((role) => ({ email: `${role}@example.org`, role, standing: undefined })),
    ...(Object.keys(STANDINGS) as (keyof typeof STANDINGS)[]).map((standing) => ({
      email: `${standing}@example.org`,
      role: 'admin' as const,
      standing,
    })),
  ]
  const principals = []
  for (const person of people) {
    const userId = person.standing
      ? await addStanding(world, person.email, person.standing)
      : await idOf(world, person.email)
    const makers = await makeCredentials(world, userId, person.email)
    for (const proof of Object.keys(PROOFS) as ProofName[])
      principals.push({
        ...person,
        proof,
        name: `${person.standing ?? person.role} by ${proof}`,
        credentials: makers[proof],
      })
  }
  return principals
}

const addStanding = ({ addPerson }: World, email: string, standing: keyof typeof STANDINGS): Promise<string> => {
  const states = {
    pending: 'pending_approval',
    rejected: 'rejected',
    suspended: 'suspended',
    unverified: 'approved',
  } as const
  return addPerson(email, 'admin', states[standing], standing !== 'unverified')
}

const idOf = async ({ app }: World, email: string): Promise<string> =>
  (
    await app.ctx.storage.reads
      .selectFrom('users')
      .select('id')
      .where('email_key', '=', email)
      .executeTakeFirstOrThrow()
  ).id

type HeaderValues = Record<string, string>

/** Written straight to the database: some of these accounts could not get them by a request. */
async function makeCredentials({ app }: World, userId: string, email: string): Promise<Record<ProofName, Credentials>> {
  const now = app.ctx.clock()
  const insert = (work: Parameters<typeof inTransaction<void>>[1]) => inTransaction(app.ctx.storage, work)
  const device = newCode()
  const shared = { user_id: userId, name: 'x', created_at: now, last_used_at: null }
  await insert((db) => insertAppPassword(db, { ...shared, id: newId(), hash: hashSecret(device.replaceAll('-', '')) }))
  const bearer = async (scopes: readonly string[]): Promise<HeaderValues> => {
    const token = `calpat_${newKey()}`
    const row = { ...shared, id: newId(), hash: hashSecret(token), last_four: 'xxxx', scopes: scopes.join(' ') }
    await insert((db) => insertApiToken(db, { ...row, expires_at: now + 86_400_000 }))
    return { authorization: `Bearer ${token}` }
  }
  const [all, read, none] = [await bearer(SCOPES), await bearer(['events:read']), await bearer([])]
  let cookie: HeaderValues | undefined
  return {
    cookie: async (operation) => {
      if (cookie && !ENDS_SESSIONS.test(operation)) return cookie
      const secret = newKey()
      const row = { id: newId(), hash: hashSecret(secret), user_id: userId, is_remembered: 0 as const }
      const seen = { created_at: now, last_seen_at: now, client_net: '', user_agent: '' }
      await insert((db) => insertSession(db, { ...row, ...seen }))
      const fresh = {
        cookie: `${cookieNameOf(app.ctx.secret)}=${secret}`,
        'x-csrf-token': csrfTokenFor(app.ctx.secret, secret),
      }
      cookie = ENDS_SESSIONS.test(operation) ? undefined : fresh
      return fresh
    },
    basic: async () => ({ authorization: basicOf(email) }),
    'app password': async () => ({ authorization: basicOf(email, device) }),
    'token with all scopes': async () => all,
    'token to read': async () => read,
    'token without scope': async () => none,
  }
}
