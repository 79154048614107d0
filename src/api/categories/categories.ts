// Routes for managed categories: administrators change them, readers of all events list them.
import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  type CategoryWithCount,
  categoryEtagOf,
  changeCategory,
  createCategory,
  listAllCategories,
  listCategoryOverview,
  removeCategory,
} from '../../actions/categories/manage-categories.ts'
import type { Context } from '../../context.ts'
import {
  CategoryChange,
  type CategoryChangeValues,
  CategoryOverviewData,
  ManagedCategoryItem,
  NewCategory,
  type NewCategoryValues,
} from '../../contract/categories/managed.ts'
import { Type } from '../../contract/json-schema.ts'
import type { StoredCategory } from '../../domain/categories/category.ts'
import { shadeOf } from '../../domain/categories/category-colors.ts'
import { createDisconnectSignal } from '../../http/connections/client-disconnect.ts'
import { keyHolderOf } from '../../http/guard/idempotency.ts'
import { readPrecondition, requirePrecondition } from '../../http/responses/conditional.ts'
import type { Site } from '../../http/site.ts'
import type { RouteDocs } from '../docs/route.ts'

type ByCategoryId = { Params: { category_id: string } }

export function addCategoryRoutes(app: FastifyInstance, ctx: Context, site: Site): void {
  const path = `${site.base}/admin/categories`
  const access = 'administer'

  app.get(
    `${site.base}/categories`,
    { config: { access: 'read_full', docs: docs.listForReaders } },
    async (request) => ({
      data: (await listAllCategories(ctx, request.viewer)).map((category) => presentManaged(ctx, category)),
    }),
  )

  app.get(path, { config: { access, docs: docs.list } }, async (request) => {
    const { managed, free, isTruncated } = await listCategoryOverview(ctx, request.viewer, request.caller)
    return { data: { managed: managed.map((category) => presentCounted(ctx, category)), free, truncated: isTruncated } }
  })

  app.post<{ Body: NewCategoryValues }>(
    path,
    { schema: { body: NewCategory }, config: { access, docs: docs.create } },
    async (request, reply) => {
      const signal = createDisconnectSignal(reply)
      const options = { requestId: request.id, keyHolder: keyHolderOf(request), signal }
      const made = await createCategory(ctx, request.viewer, request.body, options)
      return send(ctx, reply.code(201), made)
    },
  )

  app.patch<ByCategoryId & { Body: CategoryChangeValues }>(
    `${path}/:category_id`,
    { preValidation: requirePrecondition, schema: { body: CategoryChange }, config: { access, docs: docs.change } },
    async (request, reply) => {
      const { version: _, ...patch } = request.body
      const expected = readPrecondition(request.headers['if-match'], request.body)
      const options = { requestId: request.id, signal: createDisconnectSignal(reply) }
      return send(
        ctx,
        reply,
        await changeCategory(ctx, request.viewer, request.params.category_id, patch, expected, options),
      )
    },
  )

  app.delete<ByCategoryId>(
    `${path}/:category_id`,
    { preValidation: requirePrecondition, config: { access, docs: docs.remove } },
    async (request, reply) => {
      const expected = readPrecondition(request.headers['if-match'], undefined)
      await removeCategory(ctx, request.viewer, request.params.category_id, expected, { requestId: request.id })
      return reply.code(204).send()
    },
  )
}

/** The ETag is for If-Match only. */
const send = (ctx: Context, reply: FastifyReply, category: StoredCategory): FastifyReply =>
  reply
    .header('etag', categoryEtagOf(category, ctx.secret))
    .send({ data: presentManaged(ctx, category), meta: { version: category.version } })

const presentManaged = ({ secret }: Context, category: StoredCategory) => ({
  id: category.id,
  name: category.name,
  color: category.color,
  ...presentShades(category),
  description: category.description,
  visibility: category.visibility,
  position: category.position,
  version: category.version,
  etag: categoryEtagOf(category, secret),
  renaming: category.formerFolded !== null,
})

export const presentShades = ({ color }: Pick<StoredCategory, 'color'>) => ({
  color_light: shadeOf(color, 'light').ink,
  color_dark: shadeOf(color, 'dark').ink,
})

const presentCounted = (ctx: Context, category: CategoryWithCount) => ({
  ...presentManaged(ctx, category),
  count: category.count,
})

const docs = {
  listForReaders: {
    id: 'listManagedCategories',
    summary: 'List the categories that administrators manage',
    description: 'Public and internal ones, for forms and legends. Events may have other categories too.',
    success: { status: 200, description: 'In their order.', data: Type.Array(ManagedCategoryItem) },
    errors: [],
  },
  list: {
    id: 'listCategoryUses',
    summary: 'List categories with how many events have them',
    description: 'The managed ones, and the others that events have, which `POST` adopts.',
    success: { status: 200, description: 'Both.', data: CategoryOverviewData },
    errors: ['service_unavailable'],
  },
  create: {
    id: 'createCategory',
    summary: 'Add a category, or adopt one that events have',
    description:
      'Without a colour it gets one that few others have. Events that have the name already are shown in the colour. Of an internal category the public sees nothing from then on, in events either.',
    success: {
      status: 201,
      headers: ['ETag'],
      isForIfMatchOnly: true,
      description: 'The category.',
      data: ManagedCategoryItem,
    },
    errors: ['category_exists', 'too_many_categories', 'service_unavailable'],
  },
  change: {
    id: 'changeCategory',
    summary: 'Change a category',
    description:
      'Another name is given to every event that has it, as ordinary changes by the administrator, which clients synchronise: this value of `CATEGORIES` changes, and other values and lines stay. A rename of many events may continue after the response, which then says `renaming`. Feed links of the category follow. With `position` it moves to this place in the order.',
    success: {
      status: 200,
      headers: ['ETag'],
      isForIfMatchOnly: true,
      description: 'The category.',
      data: ManagedCategoryItem,
    },
    errors: ['category_not_found', 'category_exists', 'service_unavailable'],
    takesPrecondition: 'required',
  },
  remove: {
    id: 'deleteCategory',
    summary: 'Delete a category',
    description:
      'Events keep its name as text, which is shown without a colour. An internal one that events have is refused: it is made public first, because everyone sees its name then.',
    success: { status: 204, description: 'It is not managed any more.' },
    errors: ['category_not_found', 'category_in_use'],
    takesPrecondition: 'required',
  },
} satisfies Record<string, RouteDocs>
