// Words of the first load in Welsh.
import { createPlural } from '../../../src/words/plural.ts'
import { calendarPage, frame as frameWords } from '../../../src/words/welsh.ts'
import type * as english from '../english/first.ts'

export { rule, times } from '../../../src/words/welsh.ts'

const plural = createPlural('cy')

export const frame: typeof english.frame = {
  ...frameWords,
  signOut: 'Allgofnodi',
  stillSignedIn: 'Rydych wedi mewngofnodi o hyd.',
  account: 'Fy nghyfrif',
  admin: 'Gweinyddu',
  newEvent: 'Digwyddiad newydd',
  trash: 'Sbwriel',
  waiting: (count) => `${count} ${plural(count, { two: 'gais', few: 'chais', many: 'chais', other: 'cais' })} yn aros`,
  language: 'Iaith',
  brokenTitle: 'Doedd dim modd llwytho’r dudalen hon',
  broken: 'Efallai nad oes cysylltiad â’r rhyngrwyd, neu fod Daybook newydd gael ei ddiweddaru.',
  tryAgain: 'Ceisio eto',
}

export const common: typeof english.common = {
  ownPassword: 'Eich cyfrinair eich hun',
  ownPasswordProblems: {
    required: 'Rhowch eich cyfrinair eich hun.',
    not_allowed: 'Nid dyma eich cyfrinair eich hun.',
  },
  loading: 'Wrthi’n llwytho…',
  working: 'Un eiliad…',
  cancel: 'Canslo',
  close: 'Cau',
  save: 'Cadw',
  delete: 'Dileu',
  copy: 'Copïo',
  copied: 'Wedi’i gopïo',
  undo: 'Dadwneud',
  yes: 'Ie',
  no: 'Na',
  show: 'Dangos',
  hide: 'Cuddio',
  optional: 'dewisol',
  privateEvent: 'Digwyddiad preifat',
  quoted: (text) => `“${text}”`,
  tryAgainIn: (seconds) => `Gormod o ymdrechion. Ceisiwch eto ymhen ${waitInWords(seconds)}.`,
}

export const calendar: typeof english.calendar = {
  ...calendarPage,
  severalDates: 'ar sawl dyddiad',
  allDayShort: 'drwy’r dydd',
  history: 'Hanes',
  repeats: 'yn ailadrodd',
  private: 'preifat',
  tentative: 'Heb ei gadarnhau eto',
  cancelledNote: 'Wedi’i ganslo',
  privateNote: 'Preifat: dim ond pobl sydd wedi mewngofnodi sy’n gallu gweld mwy na’r amser.',
  maskedNote: 'Mae’r amser hwn yn brysur. Mae’r manylion yn breifat.',
  days: 'Defnyddiwch y bysellau saeth i symud rhwng dyddiau, ac Enter i agor diwrnod.',
  daysForWriters:
    'Defnyddiwch y bysellau saeth i symud rhwng dyddiau, Enter i ychwanegu digwyddiad, a’r bylchwr i agor diwrnod.',
  slots: 'Amserau’r dydd. Defnyddiwch y bysellau saeth i symud rhwng amserau, ac Enter i agor y diwrnod.',
  slotsForWriters:
    'Amserau’r dydd. Defnyddiwch y bysellau saeth i symud rhwng amserau, ac Enter i ychwanegu digwyddiad.',
  timesIn: 'Amserau yng nghylchfa',
  zoneOfCalendar: (zone) => `${zone} (y calendr)`,
  zoneOfReader: (zone) => `${zone} (eich un chi)`,
  print: {
    open: calendarPage.openPrint,
    title: 'Argraffu',
    size: 'Maint y testun',
    sizes: { normal: 'Arferol', large: 'Mawr' },
    means: { normal: '– fel ar y sgrin, gyda phob digwyddiad', large: '– rhestr ar gyfer hysbysfwrdd' },
    send: 'Argraffu',
    legend: 'Allwedd',
    private: 'Preifat',
    address: (site, address) => `${site}: ${address}`,
  },
  shortcuts: {
    title: calendarPage.openShortcuts,
    today: 'Heddiw',
    new: 'Digwyddiad newydd',
    search: 'Chwilio',
    period: 'Y cyfnod blaenorol neu nesaf',
    sheet: 'Y bysellau brys hyn',
    on: 'Defnyddio’r bysellau unigol hyn',
    always: 'Bob amser',
    move: 'Symud rhwng dyddiau, neu rhwng amserau mewn wythnos neu ddiwrnod',
    add: 'Ychwanegu digwyddiad yno',
    open: 'Agor y diwrnod hwnnw',
    undo: 'Dadwneud y symud neu’r dileu diwethaf',
    close: 'Cau blwch deialog',
    spoken: {
      '←': 'Chwith',
      '→': 'De',
      '↑': 'I fyny',
      '↓': 'I lawr',
      '/': 'Blaenslaes',
      '?': 'Gofynnod',
      Esc: 'Escape',
    },
  },
  newEvent: 'Digwyddiad newydd',
  subscribeTitle: 'Tanysgrifio i’r calendr hwn',
  subscribeIntro: 'Bydd eich ap calendr yn dangos y digwyddiadau hyn ac yn eu diweddaru.',
  subscribeCategory: (category) => `Dim ond “${category}”`,
  withApple: 'Apple Calendar',
  withGoogle: 'Google Calendar',
  withOutlook: 'Outlook.com',
  withOffice: 'Outlook gwaith neu ysgol',
  withProgram: 'Ap arall ar y ddyfais hon',
  subscribeLink: 'Neu copïwch y cyfeiriad hwn i’ch ap calendr',
  event: 'Digwyddiad',
  when: 'Pryd',
  where: 'Ble',
  repeatsLabel: 'Ailadrodd',
  link: 'Dolen',
  page: 'Tudalen y digwyddiad',
  take: 'Ychwanegu at fy nghalendr',
  edit: 'Golygu',
  duplicate: 'Dyblygu',
}

export const errors: typeof english.errors = {
  unknown: 'Aeth rhywbeth o’i le. Ceisiwch eto yn nes ymlaen.',
  offline: 'Does dim modd cyrraedd y gweinydd ar hyn o bryd. Gwiriwch eich cysylltiad a cheisiwch eto.',
  rate_limited: 'Gormod o ymdrechion. Arhoswch ychydig a cheisiwch eto.',
  another_person: 'Mae rhywun arall wedi mewngofnodi yn y porwr hwn erbyn hyn. Ni anfonwyd dim.',
  credential_not_found: 'Nid yw hwn yn bodoli mwyach.',
  session_expired:
    'Rydych wedi cael eich allgofnodi. Mewngofnodwch eto i barhau; ni chollir dim o’r hyn a deipiwyd gennych.',
  authentication_required: 'Mewngofnodwch yn gyntaf.',
  invalid_credentials: 'Mae’r cyfeiriad e-bost neu’r cyfrinair yn anghywir.',
  insufficient_capability: 'Nid oes gan eich cyfrif ganiatâd i wneud hyn.',
  admin_required: 'Dim ond gweinyddwyr sy’n gallu gwneud hyn.',
  account_pending: 'Mae eich cyfrif yn dal i aros am weinyddwr.',
  account_rejected: 'Mae gweinyddwr wedi gwrthod y cyfrif hwn.',
  account_suspended: 'Mae’r cyfrif hwn wedi’i atal. Gofynnwch i weinyddwr.',
  email_not_verified:
    'Nid yw eich cyfeiriad e-bost wedi’i gadarnhau eto. Defnyddiwch y ddolen yn yr e-bost a anfonwyd gennym.',
  registration_closed: 'Nid yw’r calendr hwn yn derbyn ceisiadau am gyfrifon ar hyn o bryd.',
  https_required: 'Mae angen cysylltiad diogel ar y dudalen hon. Agorwch hi â https.',
  token_invalid_or_expired: 'Mae’r ddolen hon eisoes wedi’i defnyddio, neu mae wedi dod i ben.',
  validation_failed: 'Gwiriwch y meysydd sydd wedi’u marcio.',
  version_mismatch: 'Mae rhywun arall wedi newid hwn yn y cyfamser.',
  event_not_found: 'Nid yw’r digwyddiad hwn yn bodoli mwyach.',
  version_not_found: 'Nid yw’r fersiwn hwn yn cael ei gadw mwyach.',
  occurrence_not_found: 'Nid yw’r dyddiad hwn yn rhan o’r gyfres.',
  invalid_occurrence_key: 'Nid yw’r dyddiad hwn yn rhan o’r gyfres.',
  exception_not_found: 'Does dim i’w ddadwneud ar y dyddiad hwn.',
  event_not_recurring: 'Nid yw’r digwyddiad hwn yn ailadrodd mwyach.',
  user_not_found: 'Nid yw’r cyfrif hwn yn bodoli mwyach.',
  email_taken: 'Mae gan y cyfeiriad hwn gyfrif eisoes.',
  body_too_large: 'Mae’r ffeil hon yn rhy fawr.',
  too_many_exceptions: 'Mae’r gyfres hon wedi cyrraedd ei therfyn o ddyddiadau wedi’u newid.',
  too_many_overrides:
    'Byddai’n rhaid newid mwy na 1,000 o ddyddiadau fesul un. Newidiwch y gyfres gyfan, neu dilëwch y dyddiad hwn a’r rhai dilynol a chreu digwyddiad newydd ar eu cyfer.',
  event_too_large: 'Mae gormod o destun yn y digwyddiad hwn, gan gyfrif pob dyddiad sydd wedi’i newid.',
  last_admin: 'Dyma’r gweinyddwr olaf; penodwch un arall yn gyntaf.',
  invalid_state_transition: 'Nid yw statws presennol y cyfrif yn caniatáu hyn.',
  service_unavailable: 'Mae’r gweinydd yn brysur. Ceisiwch eto ymhen eiliad.',
  storage_unavailable: 'Does dim modd cyrraedd y gronfa ddata ar hyn o bryd. Ceisiwch eto ymhen eiliad.',
}

export const fields: typeof english.fields = {
  required: 'Llenwch y maes hwn.',
  invalid_type: 'Nid yw hwn yn ddilys.',
  invalid_format: 'Nid yw hwn yn edrych yn gywir.',
  too_short: 'Llenwch y maes hwn.',
  too_long: 'Mae hwn yn rhy hir.',
  out_of_range: 'Mae hwn y tu allan i’r ystod.',
  not_allowed: 'Ni chaniateir y gwerth hwn yma.',
  timezone_unknown: 'Nid oes cylchfa amser o’r fath.',
  end_before_start: 'Rhaid i’r diwedd ddod ar ôl y dechrau.',
  range_too_large: 'Mae’r cyfnod hwn yn rhy hir.',
  rrule_invalid: 'Nid yw’r ailadrodd hwn yn ddilys.',
  rrule_unsupported: 'Ni chefnogir y math hwn o ailadrodd.',
  rrule_no_occurrences: 'Nid oes gan yr ailadrodd hwn unrhyw ddyddiadau.',
  password_common: 'Mae’r cyfrinair hwn yn hawdd ei ddyfalu. Dewiswch un arall.',
  set_by_operator: 'Y gweithredwr sydd wedi gosod hyn ar y gweinydd.',
  url_scheme: 'Mae cyfeiriadau gwe’n dechrau â http:// neu https://.',
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return `${seconds} eiliad`
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `${minutes} munud` : `${Math.ceil(minutes / 60)} awr`
}
