// Describes the configured database: its file, or server and name on PostgreSQL; no password.
import { join } from 'node:path'
import type { Config } from '../../config.ts'

export function describeDatabase({ databaseUrl, dataDir }: Config): string {
  if (!databaseUrl) return join(dataDir, 'daybook.db')
  const { pathname, username } = parseServerUrl(databaseUrl)
  // Without a name PostgreSQL takes that of the user.
  const name = decodeURIComponent(pathname.slice(1) || username)
  return `the PostgreSQL database ${name ? `${name} ` : ''}on ${describeServer(databaseUrl)}`
}

export function describeServer(databaseUrl: string): string {
  const { hostname, port, searchParams } = parseServerUrl(databaseUrl)
  return `${searchParams.get('host') || hostname || 'localhost'}:${port || 5432}`
}

export const isServerUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(withHost(text))

const parseServerUrl = (databaseUrl: string): URL => new URL(withHost(databaseUrl))

/** The host may be in the query, as the folder of a socket is. */
const withHost = (databaseUrl: string): string => databaseUrl.replace('@/', '@localhost/')
