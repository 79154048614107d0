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

let common: ReadonlySet<string> | undefined

/**
 * Fifty thousand passwords, loaded on first use only, to save memory where no account is registered. The list is kept,
 * not its promise: if loading fails, for example during an update of the files, the next request tries again.
 */
async function listCommonPasswords(): Promise<ReadonlySet<string>> {
  if (common) return common
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  common = new Set(dictionary['passwords-common'])
  return common
}
