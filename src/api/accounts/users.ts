// Routes without an account: registration, email verification, password reset, proof of work.
import type { FastifyInstance } from 'fastify'
import { readForgottenPassword, requestPasswordReset, resetPassword } from '../../actions/accounts/passwords.ts'
import {
  combineDemands,
  createProofChallenge,
  type ProofDemand,
  proofForRegistering,
  proofForReset,
} from '../../actions/accounts/proof-of-work.ts'
import { readRegistration, register } from '../../actions/accounts/register.ts'
import { verifyEmail } from '../../actions/accounts/verify-email.ts'
import { createWaitingEstimate } from '../../actions/accounts/waiting-estimate.ts'
import type { Context } from '../../context.ts'
import {
  ChallengeAnswer,
  ForgotAnswer,
  ForgotRequest,
  RegisterAnswer,
  RegisterRequest,
  ResetAnswer,
  ResetRequest,
  VerifyAnswer,
  VerifyRequest,
} from '../../contract/users.ts'
import type { Language } from '../../domain/languages.ts'
import { ACCOUNT_LIMIT_BYTES } from '../../http/body.ts'
import type { Site } from '../../http/site.ts'
import { limitByNetwork } from '../../rate-limits/request-hooks.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import type { RouteDocs } from '../docs/route.ts'

interface RegisterBody {
  email: string
  password: string
  display_name: string
  message?: string
  language?: Language
  website?: string
  proof?: string
}

const secret = { carriesSecrets: true, checksOrigin: true } as const

export function addUserRoutes(app: FastifyInstance, ctx: Context, site: Site, limits: RequestLimits): void {
  const users = `${site.base}/users`
  const waiting = createWaitingEstimate(ctx)
  const demandForRegistering = async (): Promise<ProofDemand> =>
    proofForRegistering(ctx, await limits.usage('register-global', 'all'), waiting)
  const demandForReset = async (): Promise<ProofDemand> =>
    proofForReset(ctx, await limits.usage('forgot-global', 'all'))

  app.get(
    `${users}/challenge`,
    {
      config: { docs: challengeDocs },
      onRequest: limitByNetwork(limits, 'public-ip'),
    },
    async () => {
      const challenge = await createProofChallenge(
        ctx,
        combineDemands([await demandForRegistering(), await demandForReset()]),
      )
      return { data: challenge ? { required: true, challenge } : { required: false } }
    },
  )

  app.post(
    `${users}/register`,
    {
      bodyLimit: ACCOUNT_LIMIT_BYTES,
      schema: { body: RegisterRequest },
      config: { ...secret, docs: registerDocs },
      onRequest: limitByNetwork(limits, 'register', 'register-day'),
    },
    async (request, reply) => {
      const { display_name: displayName, message, website, proof, language, ...rest } = request.body as RegisterBody
      const demand = await demandForRegistering()
      const asked = await readRegistration(ctx, { ...rest, displayName, message, website, proof, language }, demand)
      // Only requests that could become an account count toward the global limit.
      await limits.count(asked.hasProof ? 'register-proven' : 'register-global', 'all')
      await register(ctx, asked, waiting, request.id)
      return reply.code(202).send({ data: { approval_state: 'pending_approval', email_verification: 'sent' } })
    },
  )

  app.post(
    `${users}/verify`,
    {
      bodyLimit: ACCOUNT_LIMIT_BYTES,
      schema: { body: VerifyRequest },
      config: { ...secret, docs: verifyDocs },
      onRequest: limitByNetwork(limits, 'verify'),
    },
    async (request) => {
      const { token } = request.body as { token: string }
      const { approvalState, needsPassword } = await verifyEmail(ctx, token, request.id)
      const more = needsPassword ? { password_needed: true } : {}
      return { data: { email_verified: true, approval_state: approvalState, ...more } }
    },
  )

  app.post(
    `${users}/forgot-password`,
    {
      bodyLimit: ACCOUNT_LIMIT_BYTES,
      schema: { body: ForgotRequest },
      config: { ...secret, docs: forgotDocs },
      onRequest: limitByNetwork(limits, 'forgot-ip', 'forgot-hour'),
    },
    async (request, reply) => {
      const { email: text, proof } = request.body as { email: string; proof?: string }
      const email = await readForgottenPassword(ctx, { email: text, proof }, await demandForReset())
      // Addresses without an account are counted like all others.
      await limits.count('forgot-email', email.key)
      await limits.hit('forgot-global', 'all')
      await requestPasswordReset(ctx, email)
      return reply.code(202).send({ data: { status: 'accepted' } })
    },
  )

  app.post(
    `${users}/reset-password`,
    {
      bodyLimit: ACCOUNT_LIMIT_BYTES,
      schema: { body: ResetRequest },
      config: { ...secret, docs: resetDocs },
      onRequest: limitByNetwork(limits, 'reset'),
    },
    async (request) => {
      const { token, password } = request.body as { token: string; password: string }
      await resetPassword(ctx, token, password, request.id)
      return { data: { status: 'password_changed' } }
    },
  )
}

const challengeDocs: RouteDocs = {
  id: 'getChallenge',
  summary: 'Ask whether a proof of work is needed, and for the puzzle',
  description:
    'An answer is good once, for ten minutes, as `proof` of registering or of a forgotten password. Both ask for one while a flood of such requests fills their limits; if it is refused with `required` or `not_allowed` for `/proof`, ask here and send it again: while a flood goes on more may be asked for, and an answer to an easier puzzle is no longer enough.',
  success: { status: 200, description: 'Whether one is required, and the challenge.', data: ChallengeAnswer },
  errors: [],
}

const registerDocs: RouteDocs = {
  id: 'registerUser',
  summary: 'Ask for an account',
  description:
    'The answer is the same whether or not the address has an account; what is so stands in the mail. An administrator decides.',
  success: { status: 202, description: 'The request was accepted.', data: RegisterAnswer },
  errors: ['origin_not_allowed', 'registration_closed'],
}

const verifyDocs: RouteDocs = {
  id: 'verifyEmail',
  summary: 'Prove an email address',
  description: 'With the token of the mailed link, once, within 24 hours. It does not change the approval state.',
  success: { status: 200, description: 'The address is proven.', data: VerifyAnswer },
  errors: ['token_invalid_or_expired', 'origin_not_allowed'],
}

const forgotDocs: RouteDocs = {
  id: 'forgotPassword',
  summary: 'Ask for a mail to choose a new password',
  description:
    'The answer is the same for every address. An account is mailed a link to choose a new password; where its address is not verified, once a day, and choosing the password verifies it.',
  success: { status: 202, description: 'The request was accepted.', data: ForgotAnswer },
  errors: ['origin_not_allowed'],
}

const resetDocs: RouteDocs = {
  id: 'resetPassword',
  summary: 'Choose a new password',
  description:
    'With the token of the mailed link, once, within an hour, or a day where the mail says so. It verifies the address. Sessions, app passwords and API tokens end; it signs no one in. A refused password leaves the token good.',
  success: { status: 200, description: 'The password was changed.', data: ResetAnswer },
  errors: ['token_invalid_or_expired', 'origin_not_allowed'],
}
