// Maps each path to its page module and the words it uses, which are loaded on first visit.
import type { PagePath } from '../../src/contract/site.ts'
import { loadWords, type PagePart } from '../words/load.ts'
import type { PageModule } from './router.tsx'

type PageLoader = () => Promise<PageModule>

/** The words come first: modules read them when they are evaluated. */
const withWords =
  (parts: readonly PagePart[], load: PageLoader): PageLoader =>
  () =>
    loadWords(...parts).then(load)

const pages: Record<PagePath, PageLoader> = {
  '/': () => import('../pages/calendar/calendar-page.tsx'),
  '/setup': withWords(['setup', 'account'], () => import('../pages/setup/setup-page.tsx')),
  '/sign-in': withWords(['account'], () => import('../pages/sign-in/sign-in-page.tsx')),
  '/register': withWords(['account'], () => import('../pages/sign-in/register-page.tsx')),
  '/verify': withWords(['account'], () => import('../pages/sign-in/verify-page.tsx')),
  '/forgot-password': withWords(['account'], () => import('../pages/sign-in/forgot-password-page.tsx')),
  '/reset-password': withWords(['account'], () => import('../pages/sign-in/reset-password-page.tsx')),
  '/event/new': withWords(['editor'], () => import('../pages/editor/new-event-page.tsx')),
  '/event/edit': withWords(['editor'], () => import('../pages/editor/edit-event-page.tsx')),
  '/event/history': withWords(['past', 'people', 'editor'], () => import('../pages/history/history-page.tsx')),
  '/trash': withWords(['past', 'people', 'editor'], () => import('../pages/trash/trash-page.tsx')),
  '/account': withWords(['account'], () => import('../pages/account/account-page.tsx')),
  '/account/app-passwords': withWords(['account'], () => import('../pages/account/app-passwords-page.tsx')),
  '/account/feeds': withWords(['account'], () => import('../pages/account/feeds-page.tsx')),
  '/account/tokens': withWords(['account'], () => import('../pages/account/tokens-page.tsx')),
  '/account/sessions': withWords(['account'], () => import('../pages/account/sessions-page.tsx')),
  '/admin': withWords(['people'], () => import('../pages/admin/requests-page.tsx')),
  '/admin/people': withWords(['people', 'account'], () => import('../pages/admin/accounts-page.tsx')),
  '/admin/categories': withWords(['people'], () => import('../pages/admin/categories/categories-page.tsx')),
  '/admin/health': withWords(['people', 'server'], () => import('../pages/admin/health-page.tsx')),
  '/admin/diagnostics': withWords(['people', 'server'], () => import('../pages/admin/diagnostics-page.tsx')),
  '/admin/audit': withWords(['people', 'server'], () => import('../pages/admin/audit-page.tsx')),
  '/admin/transfer': withWords(['people', 'server'], () => import('../pages/admin/transfer-page.tsx')),
  '/admin/rewind': withWords(['people', 'server'], () => import('../pages/admin/rewind-page.tsx')),
  '/admin/settings': withWords(['people', 'server', 'account'], () => import('../pages/admin/settings-page.tsx')),
  '/embed': withWords(['setup'], () => import('../pages/embed/embed-page.tsx')),
}

export const findPage = (path: string): PageLoader | undefined =>
  Object.hasOwn(pages, path) ? pages[path as PagePath] : undefined
