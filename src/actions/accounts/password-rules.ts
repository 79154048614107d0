// Checks new passwords against the rules, common passwords, the site name and the user's name.
import type { Context } from '../../context.ts'
import { checkPassword } from '../../domain/account/password.ts'
import type { Problems } from '../../domain/problems.ts'

export interface PasswordOwner {
  email?: string | undefined
  displayName?: string | undefined
}

export async function checkNewPassword(
  { config }: Context,
  password: string,
  { email = '', displayName = '' }: PasswordOwner,
  problems: Problems,
  field = '/password',
): Promise<void> {
  const localPart = email.slice(0, Math.max(0, email.lastIndexOf('@')))
  const context = [config.siteName, config.urlSlug, localPart, displayName]
  checkPassword(password, { common: await listCommonPasswords(), context }, problems, field)
}

let common: Promise<ReadonlySet<string>> | undefined

/** Fifty thousand passwords, loaded on first use only, to save memory where no account is registered. */
const listCommonPasswords = (): Promise<ReadonlySet<string>> => {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']))
  return common
}
