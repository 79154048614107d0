// JSON schemas of the settings: those in force, a change of them, and the result of a test mail.

import { enumOf, exact, nullable } from './fields.ts'
import { FINDING_VALUES } from './health.ts'
import { Type } from './json-schema.ts'

export const SettingItem = Type.Object(
  {
    name: Type.String({ description: 'Its key in `daybook.json`.' }),
    environment: Type.String({ description: 'The variable that sets it, too.' }),
    value: Type.String({
      description: 'What is in force, also where it follows from others; of an address with a password only the place.',
    }),
    origin: enumOf(['environment', 'file', 'database', 'default'], {
      description:
        'Where the value comes from, in order of precedence: the environment, `daybook.json`, the database, which keeps what was chosen at set-up or changed here, or the default.',
    }),
    default: Type.String({
      description: 'The value it is reset to; empty where there is none, or it follows from others.',
    }),
    stored: nullable(
      Type.String({
        description: 'The value in the database, without a password; without effect where environment or file decide.',
      }),
    ),
    changeable: Type.Boolean({ description: 'Whether `PATCH` may set it now.' }),
    reason: nullable(Type.String({ description: 'Why it is not changeable.' })),
    reason_code: nullable(
      Type.String({
        description:
          'The same for programs: `environment`, `file`, `smtp_url`, or what it belongs to, such as `start`.',
      }),
    ),
    has_password: Type.Optional(
      Type.Boolean({ description: 'Only for `smtp_url`: whether a password is in use with it.' }),
    ),
    meaning: Type.String(),
  },
  { ...exact, $id: 'Setting' },
)

const text = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })))

export const SettingsChange = Type.Object(
  {
    site_name: text(100, 'The name people see.'),
    timezone: text(64, 'An IANA name. All-day events stay on their dates; times with a zone of their own stay.'),
    week_start: text(16, 'A weekday, such as `monday`, or `auto`: that of each reader’s language.'),
    language: text(8, 'Such as `de`: of mails, and of pages for readers without a choice.'),
    default_visibility: text(16, '`public` or `private`.'),
    embed_sites: text(2_000, 'Addresses separated by commas, or `*`.'),
    registration: text(16, '`open` or `closed`.'),
    notify_admins: text(8, '`on` or `off`.'),
    backup_every: text(16, 'Such as `6h` or `1d`.'),
    backup_keep: text(64, 'Such as `7d 4w 12m`, which is the least.'),
    smtp_url: text(1_000, '`smtp://user@mail.example.org:587` or `smtps://…:465`, without the password.'),
    smtp_tls: text(8, '`on` or `off`.'),
    smtp_password: Type.Optional(
      nullable(
        Type.String({
          maxLength: 500,
          pattern: '^[^\\u0000-\\u001f\\u007f]*$',
          description:
            'The password of the mail server; never shown. It is removed when `smtp_url` or `smtp_tls` change and it is not sent again.',
        }),
      ),
    ),
    mail_from: text(254, 'The sender of mails.'),
    current_password: Type.Optional(
      Type.String({
        maxLength: 512,
        description:
          'Your own password: required in a session where `smtp_url`, `smtp_tls`, `smtp_password` or `mail_from` is changed.',
      }),
    ),
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'The version this change is based on.' })),
  },
  {
    ...exact,
    $id: 'SettingsChange',
    description: 'The settings to change, as in `daybook.json`. `null` resets one to its default.',
    examples: [{ site_name: 'Town calendar', week_start: null, version: 3 }],
  },
)

export const TestMailItem = Type.Object(
  {
    sent: Type.Boolean({ description: 'Whether the mail server accepted the mail, or it was written to a file.' }),
    to: Type.String({ description: 'Your own address.' }),
    message: Type.String({ description: 'What happened, for people.' }),
    values: Type.Optional(FINDING_VALUES),
  },
  { ...exact, $id: 'TestMail' },
)
