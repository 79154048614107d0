// What the service writes, in Welsh: settings of the machine, findings.
import type * as english from '../english/service.ts'
import { findings } from './findings.ts'

const meanings: typeof english.service.meanings = {
  host: 'Ble mae’r gwasanaeth yn gwrando. `localhost` yw’r peiriant hwn yn unig; `0.0.0.0` yw pob cyfeiriad.',
  port: 'Y porth i wrando arno.',
  public_url:
    'Y cyfeiriad y mae pobl yn ei ddefnyddio, megis `https://calendr.example.org`. Gwag: `http://localhost:<port>`.',
  url_slug: 'Rhan gyntaf pob llwybr, megis `tref` yn `/tref/api-root/calendar/v1`.',
  data_dir: 'Ffolder y ffeil SQLite, a’r negeseuon e-bost tra nad oes gweinydd post wedi’i osod.',
  database_url: 'Cyfeiriad PostgreSQL (`postgres://…`). Gwag: SQLite yn `data_dir`.',
  database_pool_size:
    'Nifer cysylltiadau nod â PostgreSQL, heblaw pedwar ar gyfer darlleniadau costus, ffrydiau ac allforion: eu hanner, pedwar ar y mwyaf, ar gyfer ysgrifennu, a’r lleill ar gyfer darllen. Agorir o leiaf un o bob un.',
  durable_commits:
    'Mae `off` yn caniatáu PostgreSQL â `fsync` neu `synchronous_commit` wedi’i ddiffodd, a all golli digwyddiadau a gadarnhawyd.',
  memory_limit:
    'Y cof y caiff y gwasanaeth ei ddefnyddio, mewn MiB, o 128 ymlaen. Mae maint ei storfeydd a’r domen yn dilyn ohono.',
  api_origins:
    'Gwefannau eraill y caiff eu tudalennau alw’r API â thocyn: cyfeiriadau https megis `https://plugin.example.org`, neu rai http y peiriant hwn, wedi’u gwahanu gan atalnodau; 50 ar y mwyaf.',
  trash_days: 'Am sawl diwrnod y gellir adfer digwyddiadau a ddilëwyd. Nid yw `0` yn cadw dim.',
  history_days: 'Am sawl diwrnod y cedwir fersiynau cynharach o ddigwyddiadau. Nid yw `0` yn cadw dim.',
  bulk_change_limit:
    'Sawl digwyddiad y caiff un ddyfais, rhaglen neu sesiwn eu dileu neu eu newid mewn deng munud cyn iddi gael ei harafu ac i weinyddwyr gael e-bost. `0`: byth.',
  caldav_blind_writes:
    'A yw PUT CalDAV dros ddigwyddiad sy’n bod yn cael ei dderbyn heb `If-Match`: `served` os yw’r rhaglen wedi cael y fersiwn cyfredol, `on` bob amser, `off` byth.',
  trust_proxy: 'Dirprwyon yr ymddiriedir yn eu penynnau: cyfeiriadau neu rwydweithiau, wedi’u gwahanu gan atalnodau.',
  proxy_header:
    'Pa benynnau y mae’r dirprwyon hynny’n eu gosod: `x-forwarded` (X-Forwarded-For, -Proto) neu `forwarded` (RFC 7239).',
  allow_loopback_http:
    'Mae `on` yn ateb http plaen ar y peiriant ei hun er bod `public_url` yn https. Nid y tu ôl i ddirprwy ar yr un peiriant.',
  tls_certificate: 'Ffeil PEM â’r gadwyn dystysgrifau, i weini HTTPS yn uniongyrchol.',
  tls_key: 'Y ffeil PEM â’i allwedd.',
  hsts_subdomains: 'Mae `off` yn hepgor `includeSubDomains` o HSTS.',
  backup_dir: 'Ffolder y copïau wrth gefn a drefnwyd, ar ddisg arall os oes modd. Gwag: ni wneir yr un.',
  require_verified_email:
    'A oes angen cyfeiriad wedi’i gadarnhau ar gyfrif a gymeradwywyd, `on` neu `off`. Gwag: `on` gyda gweinydd post, `off` hebddo.',
  basic_passwords:
    'Mae `off` yn gwrthod cyfrineiriau cyfrifon mewn HTTP Basic, fel bod ar raglenni angen cyfrineiriau ap.',
  proof_of_work:
    '`on`: mae cofrestru neu ofyn am gyfrinair newydd yn costio eiliad o waith i’r porwr; `auto` dim ond tra bo llawer o geisiadau’n llenwi eu terfynau; `off` byth.',
  revoke_exposed_credentials:
    'Mae `on` yn dirymu sesiynau, tocynnau, cyfrineiriau ap a dolenni ffrwd a anfonwyd dros http plaen. Gwiriwch `trust_proxy` yn gyntaf.',
  rate_limits:
    'Mae `off` yn diffodd terfynau ceisiadau, ar gyfer profion llwyth yn unig; dangosir rhybudd wrth gychwyn.',
  log_level: 'Yr hyn a ysgrifennir i’r allbwn gwallau: `error`, `warn`, `info` (â llinell am bob cais) neu `silent`.',
  metrics_token:
    'Yn gweini `GET /metrics` i raglenni sy’n anfon y tocyn hwn fel `Authorization: Bearer`: o leiaf 16 nod heb fylchau. Gwag: na.',
  metrics_port: 'Yn gweini `GET /metrics` heb docyn ar y porth hwn o 127.0.0.1. Gwag: na.',
}

const reasons: typeof english.service.reasons = {
  environment: (name) => `Y gweithredwr a’i gosododd yn yr amgylchedd (${name}).`,
  others: {
    start: 'Cyfeiriadau, cysylltiadau a chof: fe’u trefnir pan fydd y gwasanaeth yn cychwyn.',
    database: 'Cronfa ddata: rhaid iddi fod ar agor cyn y gellir darllen y gosodiadau a newidir yma.',
    files: 'Ffeiliau a ffolderi’r peiriant.',
    protection: 'Diogelu cyfrifon a digwyddiadau, hefyd rhag sesiwn gweinyddwr a ddygwyd.',
    monitoring: 'Monitro’r peiriant.',
    file: 'Y gweithredwr a’i gosododd yn daybook.json.',
    smtp_url: 'Mae’n perthyn i smtp_url y gweithredwr.',
  },
}

export const service: typeof english.service = { findings, meanings, reasons }
