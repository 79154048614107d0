// The JSON of first-run setup.
import Type from 'typebox'

export const SetupRequest = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The one-time code printed when the service starts without an administrator.',
    }),
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 512, description: '12 to 128 characters.' }),
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  { additionalProperties: false, $id: 'SetupRequest' },
)

export const SetupAnswer = Type.Object(
  { id: Type.String(), email: Type.String(), display_name: Type.String(), role: Type.String() },
  { additionalProperties: false, $id: 'Administrator' },
)
