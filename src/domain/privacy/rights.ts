// Rights of roles and of token scopes. Pure data, also for the web app.
import type { Role } from '../account/account.ts'

/** `own_account` covers an account's own passwords, sessions and tokens. */
export type Verb = 'read_full' | 'write' | 'administer' | 'own_account'

export const SCOPES = ['events:read', 'events:write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

const RIGHTS: Record<Role, readonly Verb[]> = {
  reader: ['read_full', 'own_account'],
  writer: ['read_full', 'write', 'own_account'],
  admin: ['read_full', 'write', 'administer', 'own_account'],
}

export const hasRight = (role: Role, verb: Verb): boolean => RIGHTS[role].includes(verb)

/** What each scope allows a token to do, within the rights of its owner. */
export const VERB_OF: Record<Scope, Verb> = { 'events:read': 'read_full', 'events:write': 'write', admin: 'administer' }

/** The scopes that a token of this role can use. */
export const scopesOf = (role: Role): Scope[] => SCOPES.filter((scope) => hasRight(role, VERB_OF[scope]))
