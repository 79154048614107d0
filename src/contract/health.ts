// JSON of the health of an installation: findings for administrators, and how requests arrive.
import { enumOf, exact } from './fields.ts'
import { Type } from './json-schema.ts'

/** How a request of `daybook doctor` arrived. */
export interface SelfCheck {
  answer: string
  /** Whether the client used https, as far as trusted headers tell. */
  is_secure: boolean
  /** Whether this connection is encrypted. */
  is_tls: boolean
  /** The address of the connection, a proxy's if there is one. */
  sender: string
  is_trusted_proxy: boolean
  /** Names only. */
  forwarding_headers: string[]
}

/** What a finding names, such as a host or a number of days. */
export type FindingValues = Readonly<Record<string, string | number | boolean>>

/** Pages write findings in their reader's language from the code and these. */
export const FINDING_VALUES = Type.Unsafe<FindingValues>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  description: 'What the message names, such as a host or a number of days: for texts in other languages.',
})

export const HealthFinding = Type.Object(
  {
    code: Type.String({ description: 'Stable, such as `certificate_expiring`; docs/doctor.md lists them.' }),
    area: Type.String({ description: 'What was checked, such as `mail`.' }),
    level: enumOf(['ok', 'warning', 'problem']),
    message: Type.String({ description: 'What was found, in English, without secrets and paths.' }),
    advice: Type.Optional(Type.String({ description: 'What to do about it.' })),
    values: Type.Optional(FINDING_VALUES),
  },
  { ...exact, $id: 'HealthFinding', description: 'What one check of the installation found.' },
)

export const Health = Type.Object(
  {
    checked_at: Type.String({ format: 'date-time', description: 'UTC, when the checks began.' }),
    findings: Type.Array(HealthFinding),
  },
  { ...exact, $id: 'Health', description: 'What the checks of the installation found.' },
)
