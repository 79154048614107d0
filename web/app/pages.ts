// Maps each path to its page module, which is loaded on first visit.
import type { PagePath } from '../../src/contract/site.ts'
import type { PageModule } from './router.tsx'

const pages: Record<PagePath, () => Promise<PageModule>> = {
  '/': () => import('../pages/calendar/calendar-page.tsx'),
  '/setup': () => import('../pages/setup/setup-page.tsx'),
  '/sign-in': () => import('../pages/sign-in/sign-in-page.tsx'),
  '/register': () => import('../pages/sign-in/register-page.tsx'),
  '/verify': () => import('../pages/sign-in/verify-page.tsx'),
  '/forgot-password': () => import('../pages/sign-in/forgot-password-page.tsx'),
  '/reset-password': () => import('../pages/sign-in/reset-password-page.tsx'),
  '/event/new': () => import('../pages/editor/new-event-page.tsx'),
  '/event/edit': () => import('../pages/editor/edit-event-page.tsx'),
  '/event/history': () => import('../pages/history/history-page.tsx'),
  '/trash': () => import('../pages/trash/trash-page.tsx'),
  '/account': () => import('../pages/account/account-page.tsx'),
  '/account/app-passwords': () => import('../pages/account/app-passwords-page.tsx'),
  '/account/feeds': () => import('../pages/account/feeds-page.tsx'),
  '/account/tokens': () => import('../pages/account/tokens-page.tsx'),
  '/account/sessions': () => import('../pages/account/sessions-page.tsx'),
  '/admin': () => import('../pages/admin/requests-page.tsx'),
  '/admin/people': () => import('../pages/admin/accounts-page.tsx'),
  '/admin/categories': () => import('../pages/admin/categories/categories-page.tsx'),
  '/admin/health': () => import('../pages/admin/health-page.tsx'),
  '/admin/diagnostics': () => import('../pages/admin/diagnostics-page.tsx'),
  '/admin/audit': () => import('../pages/admin/audit-page.tsx'),
  '/admin/transfer': () => import('../pages/admin/transfer-page.tsx'),
  '/admin/rewind': () => import('../pages/admin/rewind-page.tsx'),
  '/admin/settings': () => import('../pages/admin/settings-page.tsx'),
  '/embed': () => import('../pages/embed/embed-page.tsx'),
}

export const findPage = (path: string): (() => Promise<PageModule>) | undefined =>
  Object.hasOwn(pages, path) ? pages[path as PagePath] : undefined
