// What the service writes in British English, for pages to say in other languages: settings of the machine, findings.
import { findings } from './findings.ts'

/** Settings that only the operator sets, by name; empty: the help text of src/settings.ts. */
const meanings = {
  host: '',
  port: '',
  public_url: '',
  url_slug: '',
  data_dir: '',
  database_url: '',
  database_pool_size: '',
  durable_commits: '',
  memory_limit: '',
  api_origins: '',
  trash_days: '',
  history_days: '',
  bulk_change_limit: '',
  caldav_blind_writes: '',
  trust_proxy: '',
  proxy_header: '',
  allow_loopback_http: '',
  tls_certificate: '',
  tls_key: '',
  hsts_subdomains: '',
  backup_dir: '',
  require_verified_email: '',
  basic_passwords: '',
  proof_of_work: '',
  revoke_exposed_credentials: '',
  rate_limits: '',
  log_level: '',
  metrics_token: '',
  metrics_port: '',
}

/** Why a setting cannot be changed in the browser. */
const reasons = {
  environment: (name: string) => `The operator has set it in the environment (${name}).`,
  others: {
    start: 'Addresses, connections and memory: set up when the service starts.',
    database: 'Database: it has to be open before the settings that are changed here can be read.',
    files: 'Files and folders of the machine.',
    protection: 'Protection of accounts and events, also against a stolen session of an administrator.',
    monitoring: 'Monitoring of the machine.',
    file: 'The operator has set it in daybook.json.',
    smtp_url: 'It belongs to the operator’s smtp_url.',
  } as Record<string, string>,
}

export const service = { findings, meanings: meanings as Record<keyof typeof meanings, string>, reasons }
