// The JSON of first-run setup.
import Type from 'typebox'

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
  },
  {
    additionalProperties: false,
    $id: 'SetupRequest',
    examples: [
      { code: '2c74-021q-abnq-0m4r-n8k1-a33u', email: 'you@example.org', password: 'twelve characters or more' },
    ],
  },
)

export const SetupAnswer = Type.Object(
  { id: Type.String(), email: Type.String(), display_name: Type.String(), role: Type.String() },
  { additionalProperties: false, $id: 'Administrator' },
)
