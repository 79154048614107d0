// Route that checks the installation for administrators, as `daybook doctor` does.
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { Health } from '../../contract/health.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'

export function addAdminHealthRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  app.get(`${site.base}/admin/health`, { config: { access: 'administer', docs } }, async ({ viewer }) => {
    // Loaded when it is first asked for: most services never are.
    const { readServiceHealth } = await import('../../doctor/examine-service.ts')
    const { checkedAt, findings } = await readServiceHealth(ctx, viewer)
    return { data: { checked_at: new Date(checkedAt).toISOString(), findings } }
  })
}

const docs: RouteDocs = {
  id: 'getHealth',
  summary: 'Check the installation',
  description:
    'The findings of `daybook doctor` for the node that answers: settings, files, disk, database, a sample of the index, clock, mail server, `public_url`, certificate and proxy, without secrets and paths. It may take some seconds, in which the mail server and `public_url` are asked. The result is used again for 15 seconds.',
  success: { status: 200, description: 'What was found, by area.', data: Health },
  errors: [],
}
