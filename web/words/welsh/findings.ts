// Findings of the health page in Welsh.

import type { FindingValues } from '../../../src/contract/health.ts'
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/findings.ts'

const plural = createPlural('cy')

const inDays = (days: unknown): string => `${days} ${plural(Number(days), { two: 'ddiwrnod', other: 'diwrnod' })}`

const EXPIRY =
  'Adnewyddwch hi. Mae Daybook yn darllen ffeiliau a adnewyddwyd ohono’i hun; efallai y bydd angen ail-lwytho dirprwy.'
const AS_SERVICE =
  'Gwiriwch berchennog a hawliau’r ffolder a’r ffeiliau (chown, chmod): rhaid i ddefnyddiwr y gwasanaeth allu eu darllen a’u hysgrifennu.'
const MAIL =
  'Gwiriwch smtp_url a smtp_tls. Mae negeseuon yn aros yn y gronfa ddata ac fe’u hanfonir pan fydd yn gweithio.'
const ROOM = 'Dilëwch ffeiliau neu ehangwch y ddisg.'

const restore = ({ command, engine }: FindingValues): string =>
  engine === 'postgres'
    ? `Stopiwch y gwasanaeth, enwch gronfa ddata wag yn database_url, ac adferwch gopi wrth gefn: ${command} restore FFEIL.`
    : `Stopiwch y gwasanaeth, symudwch daybook.db* i ffolder arall, ac adferwch gopi wrth gefn: ${command} restore FFEIL.`

const placeOf = (place: unknown): string => (place === 'backup_dir' ? 'backup_dir' : 'y ffolder data')
const fileOf = (name: unknown): string => (name === 'data_dir' ? 'Y ffolder data' : `${name}`)
const mib = (value: unknown): string => `${Number(value).toLocaleString('en-GB')} MiB`
const lastOf = (last: unknown): string => (last ? `gwnaed yr un olaf ar ${last}` : 'nid oes un eto')
const certificateOf = (isServed: unknown): string =>
  isServed ? 'tystysgrif public_url' : 'y dystysgrif yn tls_certificate'

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'nid oes dim yn ateb yno',
  ENOTFOUND: 'nid oes gwesteiwr o’r enw hwnnw',
  EAI_AGAIN: 'ni ellir chwilio am enw’r gwesteiwr ar hyn o bryd',
  ABORT_ERR: 'ni chafwyd ateb mewn pryd',
  ETIMEDOUT: 'ni chafwyd ateb mewn pryd',
  ECONNRESET: 'caewyd y cysylltiad heb ateb',
  EPROTO: 'nid yw’n siarad TLS',
}

const MAIL_PROBLEMS: Record<string, string> = {
  EAUTH: 'gwrthododd y gweinydd post yr enw defnyddiwr neu’r cyfrinair',
  EDNS: 'nid oes gwesteiwr o’r enw hwnnw',
  ENOTFOUND: 'nid oes gwesteiwr o’r enw hwnnw',
  ECONNECTION: 'ni ellid cysylltu',
  ECONNREFUSED: 'nid oes dim yn ateb yno',
  ESOCKET: 'nid oes dim yn ateb yno',
  EUNTRUSTED: 'nid oes dim yn ateb yno, neu nid ymddiriedir yn ei dystysgrif',
  ETIMEDOUT: 'ni chafwyd ateb mewn pryd',
  ETLS: 'nid yw’n cynnig amgryptio (mae smtp_tls off yn anfon hebddo)',
}

function mailProblem({ where, reason, cause }: FindingValues): string {
  const place = where || 'ffolder y negeseuon'
  const known = MAIL_PROBLEMS[`${reason}`]
  if (known) return `${place}: ${known}`
  if (reason === 'refused') return `${place}: ni dderbynnir e-bost i’r cyfeiriad hwnnw (${cause})`
  return `${place}: ni dderbyniwyd y neges (${cause})`
}

const DATABASE: Record<string, string> = {
  disk_full: 'Mae’r ddisg yn llawn, neu mae’r gronfa ddata wedi cyrraedd terfyn ei maint',
  read_only: 'Mae’r gronfa ddata yn ddarllen-yn-unig',
  io_error: 'Mae’r ddisg neu’r system ffeiliau yn adrodd gwall',
  permission_denied: 'Mae’r gronfa ddata yn gwrthod mynediad i’r defnyddiwr hwn',
  data_missing: 'Mae un o ffeiliau’r gronfa ddata ar goll',
  database_unreachable: 'Ni ellir cyrraedd y gronfa ddata',
  write_failed: 'Methodd prawf ysgrifennu i’r gronfa ddata',
  locked: 'Mae proses arall yn dal clo ysgrifennu’r gronfa ddata',
  busy: 'Mae’r gronfa ddata yn brysur',
}

export const findings: typeof english.findings = {
  check_failed: ({ kind }) => [`Ni ellid gwirio hyn (${kind})`, 'Rhowch wybod amdano, gyda’r llinell hon.'],
  categories_not_managed: ({ count }) => [
    `Categorïau digwyddiadau heb eu lliw eu hunain: ${count}`,
    'Mabwysiadwch nhw ar y dudalen “Categorïau”: mae un clic yn rhoi lliw a lle i bob un.',
  ],
  config_ok: () => ['Mae’r gosodiadau’n ddilys ac yn gyson â’i gilydd'],
  config_invalid: () => [
    'tls_certificate: nid oes tystysgrif PEM yn y ffeil',
    'Enwch ffeil PEM â’r gadwyn dystysgrifau.',
  ],
  setting_without_effect: ({ name, needed }) => {
    const other = needed === 'an https public_url' ? 'cyfeiriad https yn public_url' : `${needed}`
    return [
      `Mae ${name} wedi’i osod, ond nid oes effaith iddo heb ${other}`,
      `Gosodwch ${other} hefyd, neu tynnwch ${name}.`,
    ]
  },
  https_unreachable: () => [
    'Mae public_url yn https, ond nid yw trust_proxy yn enwi dirprwy ac nid yw tls_certificate wedi’i osod: gwrthodir pob cais â https_required',
    'Gosodwch trust_proxy i gyfeiriad eich dirprwy a gadewch iddo osod X-Forwarded-Proto ac X-Forwarded-For, neu gosodwch tls_certificate a tls_key.',
  ],
  loopback_http_allowed: () => [
    'Mae allow_loopback_http ymlaen: mae dirprwy ar y peiriant hwn nad yw’n gosod penynnau yn gwneud pob ymwelydd yn lleol',
    'Gosodwch allow_loopback_http i off, oni bai fod ar raglenni ar y peiriant hwn angen http.',
  ],
  public_url_plain: () => [
    'Mae public_url yn http plaen: gwrthodir mewngofnodi ac eithrio ar y peiriant hwn',
    'Gweinwch HTTPS, drwy ddirprwy neu’n uniongyrchol, a gosodwch public_url i’r cyfeiriad https.',
  ],
  rate_limits_off: () => [
    'Mae rate_limits i ffwrdd: gellir dyfalu cyfrineiriau heb derfyn',
    'Gosodwch rate_limits i on. Dim ond profion llwyth sydd angen off.',
  ],
  commits_not_durable: () => [
    'Mae durable_commits i ffwrdd: gallai toriad trydan golli digwyddiadau a gadarnhawyd',
    'Trowch fsync a synchronous_commit ymlaen yn PostgreSQL, a gosodwch durable_commits i on.',
  ],
  mail_password_in_clear: () => [
    'Mae smtp_tls i ffwrdd: anfonir cyfrinair y gweinydd post heb ei amgryptio',
    'Gosodwch smtp_tls i on, neu defnyddiwch weinydd post ar y peiriant hwn.',
  ],
  verification_without_mail: () => [
    'Mae require_verified_email ymlaen, ond nid oes gweinydd post i anfon y dolenni',
    'Gosodwch smtp_url, neu rhowch i bobl y dolenni o’r ffeiliau yn data/mail.',
  ],
  files_ok: () => ['Dim ond y perchennog all ddarllen y data, a gall y gwasanaeth eu hysgrifennu'],
  files_not_checked: () => ['Ni wirir hawliau ffeiliau ar Windows'],
  folder_open: ({ mode }) => [
    `Gall defnyddwyr eraill y peiriant hwn fynd i mewn i’r ffolder data (modd ${mode})`,
    'Rhedwch chmod 700 ar y ffolder.',
  ],
  file_open: ({ file, mode }) => {
    if (file === 'daybook.json' || file === 'tls_key')
      return [
        file === 'tls_key'
          ? `Gall defnyddwyr eraill y peiriant hwn ddarllen allwedd y dystysgrif (modd ${mode})`
          : `Gall defnyddwyr eraill y peiriant hwn ddarllen y gosodiadau â’u cyfrineiriau a’u tocynnau (modd ${mode})`,
        'Rhedwch chmod 600 ar y ffeil, neu 640 â grŵp y gwasanaeth.',
      ]
    return [
      `Gall defnyddwyr eraill y peiriant hwn ddarllen ${file} (modd ${mode})`,
      'Rhedwch chmod 600 ar y ffeil: mae ynddi ddigwyddiadau preifat a hashiau cyfrineiriau.',
    ]
  },
  file_owner: ({ name, user, owner }) => [
    `Mae ${name} yn perthyn i ddefnyddiwr arall (${user}) na’r ffolder data (${owner})`,
    'Rhedwch chown ar y ffeil, fel bod y ddau’n perthyn i ddefnyddiwr y gwasanaeth.',
  ],
  file_not_accessible: ({ name }) => [
    `${fileOf(name)}: ni all y defnyddiwr hwn ddarllen ac ysgrifennu yno`,
    AS_SERVICE,
  ],
  disk_ok: (values) => [`Mae ${mib(values.mib)} ar ôl ar ddisg ${placeOf(values.place)}`],
  disk_low: ({ place, mib: free, files }) =>
    files === undefined
      ? [`Dim ond ${mib(free)} sydd ar ôl ar ddisg ${placeOf(place)}, ac efallai na fydd lle i gopi wrth gefn`, ROOM]
      : [
          `Mae lle i ${files} yn rhagor o ffeiliau yn system ffeiliau ${placeOf(place)}`,
          'Dilëwch ffeiliau nad oes eu hangen.',
        ],
  disk_full: (values) => [
    `Dim ond ${mib(values.mib)} sydd ar ôl ar ddisg ${placeOf(values.place)}; mae ysgrifennu’n methu`,
    `${ROOM} Bydd y gwasanaeth yn ysgrifennu eto cyn gynted ag y bydd lle.`,
  ],
  database_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'Mae PostgreSQL yn ateb, ac mae’r sgema yn eiddo i’r fersiwn hwn (ni ddarllenir rhesi a chyfeiriadau yma)'
      : 'Nid yw SQLite yn canfod difrod (gwiriad cyflym), mae’r cyfeiriadau’n gyflawn, ac mae’r sgema yn eiddo i’r fersiwn hwn',
  ],
  database_unreachable: ({ reason, code }) => [
    `${DATABASE[`${reason}`] ?? DATABASE.database_unreachable}${code}`,
    'Gwiriwch database_url, hawliau ei ddefnyddiwr, y ffolder data a’r ddisg.',
  ],
  database_unsuitable: ({ detail }) => [
    `Nid yw’r gronfa ddata’n addas: ${detail}`,
    'Nid yw’r gwasanaeth yn cychwyn nes cywiro hyn.',
  ],
  database_damaged: (values) => [`Mae’r gronfa ddata wedi’i difrodi: ${values.detail}`, restore(values)],
  references_broken: ({ tables }) => [
    `Mae rhesi’n cyfeirio at rai nad ydynt yn bod, yn: ${tables}`,
    'Adferwch gopi wrth gefn, neu rhowch wybod: nid oes fersiwn o Daybook yn ysgrifennu rhesi o’r fath.',
  ],
  database_index_invalid: ({ indexes }) => [
    `Nid yw’r mynegeion hyn yn ddilys: ${indexes}`,
    'Rhedwch REINDEX INDEX ar gyfer pob un.',
  ],
  schema_outdated: ({ count }) => [
    `Mae’r gronfa ddata o fersiwn hŷn o Daybook (camau mudo ar goll: ${count})`,
    'Gwnewch gopi wrth gefn, yna cychwynnwch y gwasanaeth: mae’n diweddaru’r gronfa ddata.',
  ],
  schema_newer: ({ migration }) => [
    `Mae’r gronfa ddata o fersiwn mwy newydd o Daybook (mudo ${migration})`,
    'Rhedwch y fersiwn hwnnw, neu adferwch gopi wrth gefn o’r un hwn.',
  ],
  index_ok: ({ checked }) => [`Mae colofnau a dyddiadau’r digwyddiadau (${checked}) yn cyfateb i’w testunau`],
  index_wrong: ({ count, ids, command }) => [
    `Digwyddiadau wedi’u mynegeio’n anghywir: ${count} (${ids})`,
    `Rhedwch ${command} reindex; mae’n eu trwsio, hefyd tra bo’r gwasanaeth yn rhedeg.`,
  ],
  index_rebuilding: () => [
    'Mae digwyddiadau’n cael eu mynegeio eto; tan hynny gall rhai fod ar goll o restrau',
    'Cadwch y gwasanaeth i redeg; mae GET /readyz yn dangos y cynnydd.',
  ],
  index_outdated: () => [
    'Mynegeiwyd digwyddiadau â data cylchfaoedd eraill, cylchfa arall neu fersiwn arall',
    'Ailgychwynnwch y gwasanaeth: mae’n eu mynegeio eto ohono’i hun.',
  ],
  events_unreadable: ({ count, ids }) => [
    `Digwyddiadau na ellir eu darllen: ${count} (${ids})`,
    'Adferwch nhw o gopi wrth gefn, neu eu dileu. Nid ydynt yn cael eu dangos i neb.',
  ],
  clock_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'Mae’r cloc yn cyd-fynd â PostgreSQL ac â defnydd diwethaf y calendr'
      : 'Mae’r cloc yn cyd-fynd â defnydd diwethaf y calendr',
  ],
  clock_in_doubt: ({ days, is_ahead, command }) => [
    `Mae’r cloc ${inDays(days)} ${is_ahead ? 'o flaen defnydd' : 'y tu ôl i ddefnydd'} diwethaf y calendr; ni ddilëir dim yn derfynol yn y cyfamser`,
    `Gosodwch y cloc ac ailgychwynnwch y gwasanaeth. Os yw’r cloc yn iawn, rhedwch ${command} reindex --accept-clock.`,
  ],
  clock_drift: ({ seconds, is_ahead }) => [
    `Mae cloc y peiriant hwn ${seconds} eiliad ${is_ahead ? 'o flaen cloc' : 'y tu ôl i gloc'} PostgreSQL`,
    'Gadewch i weinydd amser osod y ddau gloc. Mae’r gwasanaeth yn defnyddio amser PostgreSQL.',
  ],
  zone_data_ok: ({ tz, icu, timezone }) => [`Data cylchfaoedd amser ${tz}, ICU ${icu}; mae’r calendr yn ${timezone}`],
  zone_data_old: ({ tz }) => [
    `Mae’r data cylchfaoedd amser o fersiwn ${tz}`,
    'Diweddarwch Daybook; mae ei Node ei hun yn dod â’r data.',
  ],
  mail_ok: ({ server, is_encrypted, has_login }) => [
    `Mae’r gweinydd post ${server} yn ateb ${is_encrypted ? 'dros TLS' : 'heb amgryptio'}${has_login ? ' ac yn derbyn y mewngofnodi' : ''}`,
  ],
  mail_to_files: () => [
    'Nid oes gweinydd post wedi’i osod: ysgrifennir negeseuon i ffeiliau',
    'Gosodwch smtp_url at ddefnydd cyhoeddus.',
  ],
  mail_failing: (values) => [mailProblem(values), MAIL],
  mail_not_sent: (values) => [mailProblem(values), MAIL],
  service_ok: () => ['Mae’r gwasanaeth yn barod'],
  service_not_ready: ({ reason }) => [
    `Nid yw’r gwasanaeth yn barod: ${reason}`,
    'Mae docs/monitoring.md yn egluro pob rheswm; mae’r manylion yn y log.',
  ],
  public_url_ok: ({ origin }) => [`Y calendr hwn sydd yn ${origin}`],
  public_url_not_checked: () => ['Ni ellid gwirio public_url'],
  public_url_unreachable: ({ origin, reason }) => [
    `Ni ellir cyrraedd ${origin}: ${UNREACHABLE[`${reason}`] ?? `dim cysylltiad (${reason})`}`,
    'Gwiriwch public_url, DNS, y wal dân a’r dirprwy. Os dim ond y peiriant hwn na all gyrraedd ei gyfeiriad cyhoeddus ei hun, rhowch gynnig arni o un arall.',
  ],
  public_url_elsewhere: ({ origin, status }) => [
    `Mae ${origin} yn ateb â ${status}, ond nid fel y calendr hwn`,
    'Gwiriwch public_url ac url_slug, ac i ble mae’r dirprwy’n anfon ceisiadau: gwasanaeth arall, calendr arall neu fersiwn hŷn sy’n ateb.',
  ],
  certificate_ok: ({ is_served, end }) => [`Mae ${certificateOf(is_served)} yn ddilys tan ${end}`],
  certificate_expiring: ({ is_served, end, days }) => [
    `Daw ${certificateOf(is_served)} i ben ar ${end}, ymhen ${inDays(days)}`,
    EXPIRY,
  ],
  certificate_expired: ({ is_served, end }) => [`Daeth ${certificateOf(is_served)} i ben ar ${end}`, EXPIRY],
  certificate_not_valid_yet: ({ is_served }) => [
    `Nid yw ${certificateOf(is_served)} yn ddilys eto`,
    'Gwiriwch gloc y peiriant hwn.',
  ],
  certificate_wrong_name: ({ is_served, hostname }) => [
    `Nid yw ${certificateOf(is_served)} ar gyfer ${hostname}`,
    'Mynnwch dystysgrif ar gyfer enw gwesteiwr public_url.',
  ],
  certificate_untrusted: ({ reason }) => [
    `Nid yw’r peiriant hwn yn ymddiried yn nhystysgrif public_url (${reason})`,
    'Gweinwch y gadwyn gyfan, gyda’r tystysgrifau canolradd, gan awdurdod y mae porwyr yn ei adnabod.',
  ],
  proxy_ok: ({ is_proxied }) => [
    is_proxied ? 'Mae’r dirprwy’n trosglwyddo cynllun a chyfeiriad ymwelwyr' : 'Mae ceisiadau’n cyrraedd heb ddirprwy',
  ],
  proxy_bare: ({ sender, nginx }) => [
    'Mae’r dirprwy’n trosglwyddo ceisiadau heb benynnau anfon ymlaen: nid yw cynllun a chyfeiriad ymwelwyr yn hysbys',
    `Ar gyfer nginx: ${nginx} Enwch y dirprwy yn trust_proxy: ${sender}.`,
  ],
  proxy_untrusted: ({ sender }) => [
    `Mae dirprwy yn ${sender} yn gosod penynnau anfon ymlaen, ond nid yw trust_proxy yn ei enwi`,
    `Ychwanegwch ${sender} at trust_proxy.`,
  ],
  proxy_without_scheme: ({ header }) => [
    'Nid yw’r dirprwy’n dweud bod ymwelwyr yn defnyddio https, felly gwrthodir eu ceisiadau',
    header === 'Forwarded'
      ? 'Gadewch iddo osod Forwarded â proto=https.'
      : 'Gadewch iddo osod X-Forwarded-Proto i gynllun yr ymwelydd.',
  ],
  proxy_without_address: ({ header }) => [
    'Nid yw’r dirprwy’n trosglwyddo cyfeiriadau: mae pob ymwelydd yn rhannu un terfyn',
    header === 'Forwarded' ? 'Gadewch iddo osod Forwarded â for=.' : 'Gadewch iddo ychwanegu at X-Forwarded-For.',
  ],
  backup_ok: ({ last }) => [`Gwneir copïau wrth gefn yn ôl y drefn; ${lastOf(last)}`],
  backup_unknown: ({ command }) => [
    'Ni threfnwyd copïau wrth gefn, ac ni ŵyr Daybook am rai eraill',
    `Gosodwch backup_dir, neu rhedwch ${command} backup yn rheolaidd, a chadwch y ffeiliau ar beiriant arall.`,
  ],
  backup_failing: ({ last }) => [
    `Methodd y copi wrth gefn a drefnwyd; ${lastOf(last)}`,
    'Mae log y gwasanaeth yn dweud pam. A oes lle yn backup_dir, ac a gaiff y gwasanaeth ysgrifennu yno?',
  ],
  backup_overdue: ({ last }) => [
    `Mae copi wrth gefn a drefnwyd yn hwyr; ${lastOf(last)}`,
    'A yw’r gwasanaeth yn rhedeg?',
  ],
  backup_missing: ({ name }) => [
    `Nid yw’r copi wrth gefn olaf a drefnwyd, ${name}, yn backup_dir`,
    'A gafodd ei ddileu neu ei symud, neu ei wneud gan nod arall mewn ffolder ei hun?',
  ],
  backup_ahead: ({ names, more }) => [
    `Mae yn backup_dir gopïau â’u henwau yn y dyfodol: ${names}${more ? ` a ${more} arall` : ''}`,
    'Os yw’r cloc yn iawn, roedd o flaen ei amser bryd hynny. Ni chânt byth eu dileu: dilëwch nhw neu eu hailenwi.',
  ],
}
