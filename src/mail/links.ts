// Links in mails, built from the public URL; tokens are in the fragment, which servers never see.
import type { Config } from '../config.ts'

export interface Links {
  home: string
  signIn: string
  /** Where administrators decide on requests. */
  requests: string
  /** Where administrators manage accounts. */
  people: string
  forgot: string
  /** The deleted events that fulfil these conditions. */
  trash(selection: Record<string, string>): string
  /** What the calendar was at a moment, for changes of one account. */
  rewind(query: { to: string; account: string }): string
  verify(token: string): string
  reset(token: string): string
}

export function linksOf({ publicUrl, urlSlug }: Pick<Config, 'publicUrl' | 'urlSlug'>): Links {
  const root = `${publicUrl.origin}${urlSlug ? `/${urlSlug}` : ''}`
  return {
    home: `${root}/`,
    signIn: `${root}/sign-in`,
    requests: `${root}/admin`,
    people: `${root}/admin/people`,
    forgot: `${root}/forgot-password`,
    trash: (selection) => `${root}/trash?${new URLSearchParams(selection)}`,
    rewind: (query) => `${root}/admin/rewind?${new URLSearchParams(query)}`,
    verify: (token) => `${root}/verify#t=${token}`,
    reset: (token) => `${root}/reset-password#t=${token}`,
  }
}
