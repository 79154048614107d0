// Routes for the account's own feed links.
import type { FastifyInstance } from 'fastify'
import {
  createFeedLink,
  deleteOwnFeedLink,
  listOwnFeedLinks,
  renameOwnFeedLink,
  type StoredFeedLink,
} from '../../actions/feeds/feed-links.ts'
import type { Context } from '../../context.ts'
import {
  FeedLinkEntry,
  FeedLinkName,
  MadeFeedLink,
  NewFeedLink,
  type NewFeedLinkValues,
} from '../../contract/feed-links.ts'
import { Type } from '../../contract/json-schema.ts'
import { formatUtc } from '../../domain/time/text.ts'
import type { Site } from '../../http/site.ts'
import { requireAccountViewer } from '../accounts/auth.ts'
import type { RouteDocs } from '../docs/route.ts'

type ByFeedId = { Params: { feed_id: string } }

export function addFeedLinkRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  const path = `${site.base}/auth/feeds`

  app.get(path, { config: { access: 'own_account', docs: docs.list } }, async (request) => ({
    data: (await listOwnFeedLinks(ctx, requireAccountViewer(request))).map(presentFeedLink),
  }))

  app.post<{ Body: NewFeedLinkValues }>(
    path,
    { schema: { body: NewFeedLink }, config: { access: 'own_account', showsSecret: true, docs: docs.make } },
    async (request, reply) => {
      const { made, secret } = await createFeedLink(ctx, requireAccountViewer(request), request.body, request.id)
      const url = `${site.origin}${site.base}/feeds/${secret}.ics`
      return reply.code(201).send({ data: { ...presentFeedLink(made), url } })
    },
  )

  app.patch<ByFeedId & { Body: { name: string } }>(
    `${path}/:feed_id`,
    { schema: { body: FeedLinkName }, config: { access: 'own_account', docs: docs.rename } },
    async (request) => {
      const link = await renameOwnFeedLink(
        ctx,
        requireAccountViewer(request),
        request.params.feed_id,
        request.body.name,
      )
      return { data: presentFeedLink(link) }
    },
  )

  app.delete<ByFeedId>(
    `${path}/:feed_id`,
    { config: { access: 'own_account', docs: docs.drop } },
    async (request, reply) => {
      await deleteOwnFeedLink(ctx, requireAccountViewer(request), request.params.feed_id, request.id)
      return reply.code(204).send()
    },
  )
}

const presentFeedLink = ({ id, name, detail, categories, createdAt, lastUsedAt }: StoredFeedLink) => ({
  id,
  name,
  detail,
  category: categories.length === 1 ? categories[0]! : null,
  categories: [...categories],
  created_at: formatUtc(createdAt),
  last_used_at: lastUsedAt === null ? null : formatUtc(lastUsedAt),
})

const docs = {
  list: {
    id: 'listFeedLinks',
    summary: 'List one’s own links to feeds',
    description: 'Without the addresses, which are shown once.',
    success: { status: 200, description: 'The oldest first.', data: Type.Array(FeedLinkEntry) },
    errors: [],
  },
  make: {
    id: 'createFeedLink',
    summary: 'Make a link that a calendar program can subscribe to',
    description:
      'Anyone who has the address can read the feed without signing in, until the link is deleted or its owner may not read any more.',
    success: { status: 201, description: 'The link, and its address this once.', data: MadeFeedLink },
    errors: ['too_many_credentials'],
  },
  rename: {
    id: 'renameFeedLink',
    summary: 'Give a link another name',
    description: 'The address stays.',
    success: { status: 200, description: 'The link.', data: FeedLinkEntry },
    errors: ['feed_not_found'],
  },
  drop: {
    id: 'deleteFeedLink',
    summary: 'Delete a link',
    description: 'Programs that subscribed to it get 404.',
    success: { status: 204, description: 'Its address leads nowhere from now on.' },
    errors: ['feed_not_found'],
  },
} satisfies Record<string, RouteDocs>
