// Routes for the account's own app passwords and API tokens.
import type { FastifyInstance } from 'fastify'
import {
  createAppPassword,
  createToken,
  deleteAppPassword,
  deleteToken,
  listOwnAppPasswords,
  listOwnTokens,
} from '../../actions/accounts/credentials.ts'
import type { Context } from '../../context.ts'
import {
  AppPasswordEntry,
  MadeAppPassword,
  MadeToken,
  NewAppPassword,
  NewToken,
  TokenEntry,
} from '../../contract/auth.ts'
import { Type } from '../../contract/json-schema.ts'
import type { Scope } from '../../domain/privacy/rights.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'
import { requireAccountViewer } from './auth.ts'
import { presentAppPassword, presentToken } from './present-account.ts'

export function addCredentialRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  const devices = `${site.base}/auth/app-passwords`
  const tokens = `${site.base}/auth/tokens`

  app.get(devices, { config: { access: 'own_account', docs: docs.devices } }, async (request) => ({
    data: (await listOwnAppPasswords(ctx, requireAccountViewer(request))).map(presentAppPassword),
  }))

  app.post<{ Body: { name: string } }>(
    devices,
    { schema: { body: NewAppPassword }, config: { access: 'own_account', showsSecret: true, docs: docs.makeDevice } },
    async (request, reply) => {
      const { made, password } = await createAppPassword(ctx, requireAccountViewer(request), request.body, request.id)
      return reply.code(201).send({ data: { ...presentAppPassword(made), password } })
    },
  )

  app.delete<{ Params: { app_password_id: string } }>(
    `${devices}/:app_password_id`,
    { config: { access: 'own_account', docs: docs.dropDevice } },
    async (request, reply) => {
      await deleteAppPassword(ctx, requireAccountViewer(request), request.params.app_password_id, request.id)
      return reply.code(204).send()
    },
  )

  app.get(tokens, { config: { access: 'own_account', docs: docs.tokens } }, async (request) => ({
    data: (await listOwnTokens(ctx, requireAccountViewer(request))).map(presentToken),
  }))

  app.post<{ Body: { name: string; scopes: Scope[]; expires_in_days?: number } }>(
    tokens,
    { schema: { body: NewToken }, config: { access: 'own_account', showsSecret: true, docs: docs.makeToken } },
    async (request, reply) => {
      const { name, scopes, expires_in_days: days } = request.body
      const { made, token } = await createToken(ctx, requireAccountViewer(request), { name, scopes, days }, request.id)
      return reply.code(201).send({ data: { ...presentToken(made), token } })
    },
  )

  app.delete<{ Params: { token_id: string } }>(
    `${tokens}/:token_id`,
    { config: { access: 'own_account', docs: docs.dropToken } },
    async (request, reply) => {
      await deleteToken(ctx, requireAccountViewer(request), request.params.token_id, request.id)
      return reply.code(204).send()
    },
  )
}

const docs = {
  devices: {
    id: 'listAppPasswords',
    summary: 'List one’s own app passwords',
    description: 'Without the passwords, which are shown once.',
    success: { status: 200, description: 'The oldest first.', data: Type.Array(AppPasswordEntry) },
    errors: [],
  },
  makeDevice: {
    id: 'createAppPassword',
    summary: 'Make a password for one device or program',
    description: 'Used with the account’s email in HTTP Basic. It reads and writes events and does nothing else.',
    success: { status: 201, description: 'The password, this once.', data: MadeAppPassword },
    errors: ['too_many_credentials'],
  },
  dropDevice: {
    id: 'deleteAppPassword',
    summary: 'Revoke an app password',
    description: 'The device that uses it is refused at once.',
    success: { status: 204, description: 'It is refused from now on.' },
    errors: ['credential_not_found'],
  },
  tokens: {
    id: 'listTokens',
    summary: 'List one’s own API tokens',
    description: 'Without the tokens, which are shown once.',
    success: { status: 200, description: 'The oldest first.', data: Type.Array(TokenEntry) },
    errors: [],
  },
  makeToken: {
    id: 'createToken',
    summary: 'Make an API token',
    description: 'Sent as `Authorization: Bearer calpat_…`. It reaches as far as its scopes and its owner’s role.',
    success: { status: 201, description: 'The token, this once.', data: MadeToken },
    errors: ['too_many_credentials'],
  },
  dropToken: {
    id: 'deleteToken',
    summary: 'Revoke an API token',
    description: 'The program that uses it is refused at once.',
    success: { status: 204, description: 'It is refused from now on.' },
    errors: ['credential_not_found'],
  },
} satisfies Record<string, RouteDocs>
