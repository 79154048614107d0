// Routes with which administrators list, change, reject and delete accounts.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { changeAccount } from '../../actions/accounts/change-account.ts'
import {
  accountEtagOf,
  endSessionsOf,
  getAccount,
  listAccounts,
  removeAccount,
} from '../../actions/accounts/manage-accounts.ts'
import { type RejectionResult, rejectRequests } from '../../actions/accounts/reject-requests.ts'
import type { Context } from '../../context.ts'
import {
  type RejectBody,
  RejectionItem,
  RejectRequest,
  UserChange,
  type UserChangeBody,
  UserItem,
  UserListQuery,
  type UserListValues,
} from '../../contract/admin.ts'
import { Type } from '../../contract/json-schema.ts'
import type { ManagedAccount } from '../../domain/account/managed-account.ts'
import { cleanText } from '../../domain/plain-text.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { fail } from '../../errors.ts'
import { readPrecondition } from '../../http/responses/conditional.ts'
import type { Site } from '../../http/site.ts'
import type { LoginThrottle } from '../../rate-limits/login-throttle.ts'
import type { RouteDocs } from '../docs/route.ts'
import { createJsonResponse, pageLinks, sendJsonResponse } from '../json-response.ts'

type ByUserId = { Params: { user_id: string } }

const DEFAULT_PER_PAGE = 50

export interface UserAdminServer {
  site: Site
  attempts: LoginThrottle
}

export function addUserAdminRoutes(app: FastifyInstance, ctx: Context, { site, attempts }: UserAdminServer): void {
  const path = `${site.base}/admin/users`
  const access = 'administer'

  app.get<{ Querystring: UserListValues }>(
    path,
    { schema: { querystring: UserListQuery }, config: { access, docs: docs.list } },
    async (request, reply) => {
      const { query } = request
      const { page = 1, per_page: perPage = DEFAULT_PER_PAGE } = query
      const { users, total, counts } = await listAccounts(ctx, request.viewer, {
        approvalState: query.approval_state,
        role: query.role,
        emailVerified: query.email_verified,
        text: query.q === undefined ? undefined : (cleanText(query.q) ?? fail('invalid_parameter', { parameter: 'q' })),
        order: query.sort ?? 'created_at',
        page,
        perPage,
      })
      const totalPages = Math.ceil(total / perPage)
      const meta = { pagination: { page, per_page: perPage, total, total_pages: totalPages }, counts }
      const link = pageLinks(path, askedOf(query), page, perPage, totalPages)
      return sendJsonResponse(request, reply, createJsonResponse({ data: users.map(presentUser), meta }, { link }))
    },
  )

  app.get<ByUserId>(`${path}/:user_id`, { config: { access, docs: docs.get } }, async (request, reply) =>
    sendUser(ctx, reply, await getAccount(ctx, request.viewer, request.params.user_id)),
  )

  app.patch<ByUserId>(
    `${path}/:user_id`,
    {
      // An invalid header is reported before invalid fields.
      preValidation: async (request) => void readPrecondition(request.headers['if-match'], undefined),
      schema: { body: UserChange },
      config: { access, carriesSecrets: true, docs: docs.change },
    },
    async (request, reply) => {
      const { notify = false, version: _, current_password: currentPassword, ...patch } = request.body as UserChangeBody
      const expected = readPrecondition(request.headers['if-match'], request.body)
      const createAttempt = (email: string) => attempts(request, email)
      const options = { expected, notify, requestId: request.id, currentPassword, createAttempt }
      const changed = await changeAccount(ctx, request.viewer, request.params.user_id, patch, options)
      const link = ctx.config.smtp ? 'mail' : 'file'
      return sendUser(ctx, reply, changed.user, changed.isSentPasswordLink ? { password_link: link } : {})
    },
  )

  app.post(
    `${path}/reject`,
    { schema: { body: RejectRequest }, config: { access, docs: docs.reject } },
    async (request) => {
      const { ids, notify = false } = request.body as RejectBody
      const results = await rejectRequests(ctx, request.viewer, { ids, notify, requestId: request.id })
      return { data: results.map(presentRejection) }
    },
  )

  app.delete<ByUserId>(`${path}/:user_id`, { config: { access, docs: docs.remove } }, async (request, reply) => {
    const expected = readPrecondition(request.headers['if-match'], undefined)
    await removeAccount(ctx, request.viewer, request.id, request.params.user_id, expected)
    return reply.code(204).send()
  })

  app.delete<ByUserId>(
    `${path}/:user_id/sessions`,
    { config: { access, docs: docs.endSessions } },
    async (request, reply) => {
      await endSessionsOf(ctx, request.viewer, request.id, request.params.user_id)
      return reply.code(204).send()
    },
  )
}

/** The ETag is for If-Match only: it does not change with the last login, so it must not lead to a 304. */
const sendUser = (ctx: Context, reply: FastifyReply, user: ManagedAccount, meta: object = {}): FastifyReply =>
  reply
    .header('etag', accountEtagOf(user, ctx.secret))
    .send({ data: presentUser(user), meta: { version: user.version, ...meta } })

const presentUser = (user: ManagedAccount) => ({
  id: user.id,
  email: user.email,
  display_name: user.displayName,
  role: user.role,
  approval_state: user.approvalState,
  email_verified: user.emailVerifiedAt !== null,
  email_verified_at: timeOrNull(user.emailVerifiedAt),
  password_state: user.passwordState,
  request_message: user.requestMessage,
  request_count: user.requestCount,
  last_requested_at: timeOrNull(user.lastRequestedAt),
  created_at: formatUtc(user.createdAt),
  decided_at: timeOrNull(user.decidedAt),
  decided_by: user.decidedBy,
  last_login_at: timeOrNull(user.lastLoginAt),
  version: user.version,
})

const presentRejection = ({ id, approvalState, error }: RejectionResult) => ({
  id,
  approval_state: approvalState ?? null,
  ...(error ? { error } : {}),
})

const timeOrNull = (at: number | null): string | null => (at === null ? null : formatUtc(at))

const ASKED = ['approval_state', 'role', 'email_verified', 'q', 'sort'] as const

/** The query without the page: the base of the links. */
function askedOf(query: UserListValues): URLSearchParams {
  const asked = new URLSearchParams()
  for (const name of ASKED) if (query[name] !== undefined) asked.set(name, `${query[name]}`)
  return asked
}

const docs = {
  list: {
    id: 'listUsers',
    summary: 'List accounts',
    description: 'In pages. `meta.counts` holds the number of accounts in each state, whatever the filters.',
    success: { status: 200, headers: ['ETag', 'Link'], description: 'The accounts.', data: Type.Array(UserItem) },
    errors: ['admin_required'],
  },
  get: {
    id: 'getUser',
    summary: 'Read an account',
    description: 'The `ETag` is for `If-Match` alone: it does not change with the last sign-in.',
    success: {
      status: 200,
      headers: ['ETag'],
      isForIfMatchOnly: true,
      description: 'The account. `ETag` is its version.',
      data: UserItem,
    },
    errors: ['admin_required', 'user_not_found'],
  },
  change: {
    id: 'changeUser',
    summary: 'Approve, reject, suspend or change an account',
    description:
      'An account that leaves `approved` or gets another role is signed out at once. A state that cannot be reached from the current one is refused; `details` lists those that can. Approving an account that was requested more than once, verifying its address or raising its role invalidates its password; making it an administrator needs your own password, in `current_password` or by Basic, and is refused to tokens; `meta.password_link` says how the link to choose a new one was sent: by `mail`, or as a `file` if no mail server is set.',
    success: { status: 200, headers: ['ETag'], description: 'The changed account.', data: UserItem },
    errors: ['admin_required', 'user_not_found', 'invalid_state_transition', 'last_admin'],
    takesPrecondition: 'optional',
  },
  reject: {
    id: 'rejectUsers',
    summary: 'Reject many waiting accounts at once',
    description:
      'Rejects the accounts that are waiting, in one transaction. The response has one entry for each id, in the order sent; `error` says why an account was not rejected.',
    success: { status: 200, description: 'The result for each account.', data: Type.Array(RejectionItem) },
    errors: ['admin_required'],
  },
  remove: {
    id: 'deleteUser',
    summary: 'Delete an account',
    description:
      'Deletes its sessions, tokens, app passwords and queued mails too. Its events stay, without an author.',
    success: { status: 204, description: 'Deleted.' },
    errors: ['admin_required', 'user_not_found', 'last_admin'],
    takesPrecondition: 'optional',
  },
  endSessions: {
    id: 'endUserSessions',
    summary: 'Sign an account out everywhere',
    description: 'App passwords and tokens stay.',
    success: { status: 204, description: 'All sessions have ended.' },
    errors: ['admin_required', 'user_not_found'],
  },
} satisfies Record<string, RouteDocs>
