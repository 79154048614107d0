// Route of the first-run setup: the one-time code creates the first administrator.
import type { FastifyInstance } from 'fastify'
import { setUpAdministrator } from '../../actions/accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { SetupAnswer, type SetupBody, SetupRequest } from '../../contract/setup.ts'
import { weekStartName } from '../../domain/time/weekdays.ts'
import { ACCOUNT_LIMIT_BYTES } from '../../http/body.ts'
import type { Site } from '../../http/site.ts'
import { limitByNetwork } from '../../rate-limits/request-hooks.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import type { RouteDocs } from '../docs/route.ts'

export function addSetupRoutes(app: FastifyInstance, ctx: Context, site: Site, limits: RequestLimits): void {
  app.post(
    `${site.base}/setup`,
    {
      bodyLimit: ACCOUNT_LIMIT_BYTES,
      schema: { body: SetupRequest },
      config: { carriesSecrets: true, checksOrigin: true, docs },
      onRequest: limitByNetwork(limits, 'setup'),
    },
    async (request, reply) => {
      const { code, email, password, display_name: displayName, ...choices } = request.body as SetupBody
      const account = await setUpAdministrator(ctx, code, { email, password, displayName }, choices, request.id)
      const { siteName, timezone, weekStart, isWeekStartByLanguage } = ctx.config
      const site = { site_name: siteName, timezone, week_start: weekStartName(weekStart, isWeekStartByLanguage) }
      const { id, role } = account
      const data = { id, email: account.email, display_name: account.displayName, role, site }
      return reply.code(201).send({ data })
    },
  )
}

const docs: RouteDocs = {
  id: 'setUp',
  summary: 'Make the first administrator',
  description:
    'With the one-time code the service prints while it has no administrator. The code dies with its use. What is chosen for the calendar itself is kept with it.',
  success: { status: 201, headers: ['Set-Cookie'], description: 'The administrator.', data: SetupAnswer },
  errors: ['token_invalid_or_expired', 'email_taken'],
}
