// The list of settings, each with default and help text; docs/settings.md is checked against it.

interface SettingDefinition {
  /** The name in daybook.json; in the environment it is upper case with the prefix DAYBOOK_. */
  name: string
  default: string
  help: string
  /** Why only the operator of the machine sets it; absent where administrators may change it in the browser. */
  needs?: keyof typeof MACHINE_REASONS
}

/** Shown beside settings that cannot be changed in the browser. */
export const MACHINE_REASONS = {
  start: 'Addresses, connections and memory: set up when the service starts.',
  database: 'Database: it has to be open before the settings that are changed here can be read.',
  files: 'Files and folders of the machine.',
  protection: 'Protection of accounts and events, also against a stolen session of an administrator.',
  monitoring: 'Monitoring of the machine.',
} as const

export const settings = [
  {
    name: 'host',
    default: 'localhost',
    help: 'Where to listen. `localhost` is this machine only; `0.0.0.0` is every address.',
    needs: 'start',
  },
  { name: 'port', default: '8080', help: 'The port to listen on.', needs: 'start' },
  {
    name: 'public_url',
    default: '',
    help: 'The address people use, such as `https://calendar.example.org`. Empty means `http://localhost:<port>`.',
    needs: 'start',
  },
  {
    name: 'url_slug',
    default: '',
    help: 'A first path segment for everything, such as `town` in `/town/api-root/calendar/v1`.',
    needs: 'start',
  },
  { name: 'site_name', default: 'Daybook', help: 'The name people see.' },
  {
    name: 'data_dir',
    default: 'data',
    help: 'The folder of the SQLite file, and of mails while no mail server is set.',
    needs: 'database',
  },
  {
    name: 'database_url',
    default: '',
    help: 'A PostgreSQL address (`postgres://…`). Empty means SQLite under `data_dir`.',
    needs: 'database',
  },
  {
    name: 'database_pool_size',
    default: '10',
    help: 'Number of PostgreSQL connections of a node, besides four for costly reads, feeds and exports: half of them, four at most, for writes, the others for reads. At least one of each is opened.',
    needs: 'database',
  },
  {
    name: 'durable_commits',
    default: 'on',
    help: '`off` allows a PostgreSQL whose `fsync` or `synchronous_commit` is off, which may lose acknowledged events.',
    needs: 'database',
  },
  {
    name: 'memory_limit',
    default: '256',
    help: 'Memory that the service may take, in MiB, from 128 on. Sizes of its caches and of the heap follow from it.',
    needs: 'start',
  },
  { name: 'timezone', default: 'Europe/London', help: 'The time zone of dates and times that are given without one.' },
  {
    name: 'week_start',
    default: 'auto',
    help: 'The first day of the week, such as `monday`; `auto` is that of the reader’s language on pages, and that of `language` in `view=week` of the API.',
  },
  {
    name: 'language',
    default: 'en-GB',
    help: 'The language of pages for readers whose browser names none that is offered, and of mails to accounts without one: `en-GB`, `en-US`, `de`, `fr`, `es`, `cy` or `pl`.',
  },
  {
    name: 'default_visibility',
    default: 'private',
    help: 'Default visibility of new events: `private` or `public`.',
  },
  {
    name: 'embed_sites',
    default: '',
    help: 'Sites that may show the calendar in a frame: addresses such as `https://www.example.org`, separated by commas; `*` is any site.',
  },
  {
    name: 'api_origins',
    default: '',
    help: 'Other sites whose pages may call the API with a token: https origins such as `https://plugin.example.org`, or http ones of this machine, separated by commas; 50 at most.',
    needs: 'protection',
  },
  {
    name: 'trash_days',
    default: '180',
    help: 'How many days deleted events can be restored. `0` keeps none.',
    needs: 'protection',
  },
  {
    name: 'history_days',
    default: '365',
    help: 'How many days earlier versions of events are kept. `0` keeps none.',
    needs: 'protection',
  },
  {
    name: 'bulk_change_limit',
    default: '200',
    help: 'How many events one device, program or sign-in may delete or change in ten minutes before it is slowed down and administrators get a mail. `0` never does.',
    needs: 'protection',
  },
  {
    name: 'caldav_blind_writes',
    default: 'served',
    help: 'Whether a CalDAV PUT over an existing event is accepted without `If-Match`: `served` if the client has received the current version, `on` always, `off` never.',
    needs: 'protection',
  },
  {
    name: 'trust_proxy',
    default: '',
    help: 'Proxies whose forwarding headers are trusted: addresses or networks, separated by commas.',
    needs: 'protection',
  },
  {
    name: 'proxy_header',
    default: 'x-forwarded',
    help: 'Which headers those proxies set: `x-forwarded` (X-Forwarded-For, -Proto) or `forwarded` (RFC 7239).',
    needs: 'protection',
  },
  {
    name: 'allow_loopback_http',
    default: 'off',
    help: '`on` answers plain http on the machine itself although `public_url` is https. Not behind a proxy on the same machine.',
    needs: 'protection',
  },
  {
    name: 'tls_certificate',
    default: '',
    help: 'A PEM file with the certificate chain, to serve HTTPS directly.',
    needs: 'files',
  },
  { name: 'tls_key', default: '', help: 'The PEM file with its key.', needs: 'files' },
  {
    name: 'hsts_subdomains',
    default: 'on',
    help: '`off` omits `includeSubDomains` from HSTS.',
    needs: 'protection',
  },
  {
    name: 'backup_dir',
    default: '',
    help: 'The folder for scheduled backups, best on another disk. Empty makes none.',
    needs: 'files',
  },
  {
    name: 'backup_every',
    default: '1d',
    help: 'How often a backup is made: hours or days, such as `6h` or `1d`.',
  },
  {
    name: 'backup_keep',
    default: '7d 4w 12m',
    help: 'Which backups are kept: the last one of each of so many days, weeks and months, which are those of UTC.',
  },
  {
    name: 'smtp_url',
    default: '',
    help: 'The mail server: `smtp://user:password@mail.example.org:587`, or `smtps://…:465`. Empty writes mails to `data_dir/mail`.',
  },
  {
    name: 'smtp_tls',
    default: 'on',
    help: '`off` sends mail without encryption, for a mail server on the same machine or network.',
  },
  { name: 'mail_from', default: '', help: 'The sender of mails. Empty means `daybook@` and the host of `public_url`.' },
  {
    name: 'require_verified_email',
    default: '',
    help: 'Whether an approved account needs a verified address, `on` or `off`. Empty means `on` with a mail server, `off` without.',
    needs: 'protection',
  },
  {
    name: 'registration',
    default: 'open',
    help: '`open` lets people request an account; `closed` refuses new requests. Those that wait can still be approved.',
  },
  {
    name: 'notify_admins',
    default: 'on',
    help: 'Mail administrators when an account is requested; with a mail server, once its address is verified.',
  },
  {
    name: 'basic_passwords',
    default: 'on',
    help: '`off` refuses account passwords in HTTP Basic, so that programs need app passwords.',
    needs: 'protection',
  },
  {
    name: 'proof_of_work',
    default: 'auto',
    help: '`on` makes registering and requesting a new password cost the browser a second of work, `auto` only while many requests fill their limits, `off` never.',
    needs: 'protection',
  },
  {
    name: 'revoke_exposed_credentials',
    default: 'off',
    help: '`on` ends sessions, tokens, app passwords and feed links that were sent over plain http. Be sure of `trust_proxy` first.',
    needs: 'protection',
  },
  {
    name: 'rate_limits',
    default: 'on',
    help: '`off` disables rate limits, for load tests only; startup prints a warning.',
    needs: 'protection',
  },
  {
    name: 'log_level',
    default: 'warn',
    help: 'What is written to standard error: `error`, `warn`, `info` (with a line for each request) or `silent`.',
    needs: 'monitoring',
  },
  {
    name: 'metrics_token',
    default: '',
    help: 'Serves `GET /metrics` to clients that send this token as `Authorization: Bearer`: at least 16 characters without spaces. Empty means no.',
    needs: 'monitoring',
  },
  {
    name: 'metrics_port',
    default: '',
    help: 'Serves `GET /metrics` without a token on this port of 127.0.0.1. Empty means no.',
    needs: 'monitoring',
  },
] as const satisfies readonly SettingDefinition[]

export type SettingName = (typeof settings)[number]['name']

/** What administrators may change in the browser. */
export type ChangeableName = Exclude<(typeof settings)[number], { needs: string }>['name']
