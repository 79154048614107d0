// JSON schemas of the first-run setup.

import { WEEK_STARTS } from '../domain/time/weekdays.ts'
import { enumOf, exact } from './fields.ts'
import { type Static, Type } from './json-schema.ts'

const SITE_NAME = 'The name people see.'
const ZONE = 'The IANA time zone of dates and times that are given without one.'
const WEEK_START = 'The first day of the week; `auto` is that of each reader’s language.'
const UNLESS = 'Holds unless the environment or `daybook.json` says otherwise.'

export const SetupRequest = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The one-time code printed when the service starts without an administrator.',
    }),
    email: Type.String({ maxLength: 254, description: 'What the administrator signs in with.' }),
    password: Type.String({ maxLength: 512, description: '12 to 128 characters.' }),
    display_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The name others see. Without it, the first part of the address.',
      }),
    ),
    site_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: `${SITE_NAME} ${UNLESS}` })),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: `${ZONE} ${UNLESS}` })),
    week_start: Type.Optional(enumOf(WEEK_STARTS, { description: `${WEEK_START} ${UNLESS}` })),
  },
  {
    ...exact,
    $id: 'SetupRequest',
    examples: [
      {
        code: '2c74-021q-abnq-0m4r-n8k1-a33u',
        email: 'you@example.org',
        password: 'twelve characters or more',
        site_name: 'Village hall',
        timezone: 'Europe/London',
        week_start: 'monday',
      },
    ],
  },
)

export interface SetupBody extends Static<typeof SetupRequest> {}

export const SetupAnswer = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    display_name: Type.String(),
    role: Type.String(),
    site: Type.Object(
      {
        site_name: Type.String({ description: SITE_NAME }),
        timezone: Type.String({ description: ZONE }),
        week_start: enumOf(WEEK_STARTS, { description: WEEK_START }),
      },
      { ...exact, description: 'What is in force now.' },
    ),
  },
  { ...exact, $id: 'Administrator' },
)
