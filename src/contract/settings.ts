// JSON schema of the settings in force, with the origin of each and without secrets.

import { enumOf, exact } from './fields.ts'
import { Type } from './json-schema.ts'

export const SettingItem = Type.Object(
  {
    name: Type.String({ description: 'Its key in `daybook.json`.' }),
    environment: Type.String({ description: 'The variable that sets it, too.' }),
    value: Type.String({
      description: 'What is in force, also where it follows from others; of an address with a password only the place.',
    }),
    origin: enumOf(['environment', 'file', 'setup', 'default'], {
      description:
        'Where the value comes from: the environment, `daybook.json`, the set-up of the calendar, or the default.',
    }),
    meaning: Type.String(),
  },
  { ...exact, $id: 'Setting' },
)
