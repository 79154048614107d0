// Words of the administration of the server and its data in Welsh.
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/server.ts'
import { service } from './service.ts'

const plural = createPlural('cy')

const countEvents = (count: number): string => `${count} ${plural(count, { two: 'ddigwyddiad', other: 'digwyddiad' })}`

export const admin: typeof english.admin = {
  service,
  healthPage: {
    lead: 'Gwiriadau o’r gweinydd, fel y mae “daybook doctor” yn eu gwneud ar y peiriant ei hun. Nid yw edrych yn newid dim.',
    again: 'Gwirio eto',
    checking: 'Wrthi’n gwirio…',
    checked: 'Gwiriwyd',
    summary: (problems, warnings) => {
      const parts = [
        problems > 0 &&
          `${problems} ${plural(problems, { one: 'broblem', two: 'broblem', many: 'phroblem', other: 'problem' })}`,
        warnings > 0 && `${warnings} ${plural(warnings, { two: 'rybudd', other: 'rhybudd' })}`,
      ].filter(Boolean)
      return parts.length > 0 ? `${parts.join(', ')}. Mae’r hyn y dylid ei wneud isod.` : 'Mae popeth yn iawn.'
    },
    levels: { ok: 'Iawn', warning: 'Rhybudd', problem: 'Problem' },
    areas: {
      configuration: 'Gosodiadau',
      files: 'Ffeiliau',
      disk: 'Disg',
      database: 'Cronfa ddata',
      index: 'Mynegai',
      time: 'Amser',
      mail: 'Post',
      service: 'Gwasanaeth',
      public_url: 'Cyfeiriad cyhoeddus',
      certificate: 'Tystysgrif',
      proxy: 'Dirprwy',
      backup: 'Copi wrth gefn',
    },
  },
  diagnosticsPage: {
    lead: 'Y ceisiadau diweddaraf, y rhai mwyaf newydd yn gyntaf. Ni chedwir cynnwys ceisiadau, dim ond enwau, mathau a meintiau meysydd.',
    live: 'Yn diweddaru bob ychydig eiliadau.',
    pause: 'Oedi',
    goOn: 'Ailddechrau',
    paused: 'Wedi oedi.',
    latest: (count) => `${count} ${plural(count, { two: 'gais', few: 'chais', many: 'chais', other: 'cais' })} newydd.`,
    answers: 'Ymatebion',
    anyAnswer: 'Pob ymateb',
    refused: 'Gwrthodwyd (4xx)',
    failed: 'Methodd (5xx)',
    fine: 'Llwyddodd (o dan 400)',
    who: 'Dull mewngofnodi',
    anyWho: 'Unrhyw ddull',
    auths: { anonymous: 'heb fewngofnodi', session: 'porwr', basic: 'cyfrinair', token: 'tocyn' },
    search: 'Mae’r cyfeiriad neu’r gwall yn cynnwys',
    ownOut: 'Cuddio ffeiliau tudalennau a cheisiadau’r dudalen hon ei hun',
    table: 'Ceisiadau',
    time: 'Amser',
    request: 'Cais',
    answer: 'Ymateb',
    duration: 'Hyd',
    net: 'Rhwydwaith',
    unknownRoute: 'cyfeiriad anhysbys',
    details: 'Manylion y cais hwn',
    milliseconds: (ms) => `${Math.round(ms)} ms`,
    empty: 'Nid oes ceisiadau sy’n cyfateb. Newidiwch yr hidlwyr, neu arhoswch am yr un nesaf.',
    rebuilding: (done, total) =>
      `Mae mynegai’r dyddiadau’n cael ei ailadeiladu: ${done} o ${total} digwyddiad. Gallwch ddal i ddefnyddio’r calendr.`,
    unreadable: (count) =>
      count === 1
        ? 'Nid oes modd darllen un digwyddiad a gadwyd. Mae wedi’i enwi yn y log; mae `daybook reindex` yn ei restru eto.'
        : `Nid oes modd darllen ${countEvents(count)} a gadwyd. Maent wedi’u henwi yn y log; mae \`daybook reindex\` yn eu rhestru eto.`,
    clockInDoubt:
      'Mae cloc y gweinydd ddyddiau i ffwrdd o’r adeg y defnyddiwyd y calendr ddiwethaf. Ni chaiff data sydd wedi dod i ben ei dynnu nes i’r cloc gael ei gywiro, neu ei gadarnhau â `daybook reindex --accept-clock`.',
    backupFailing: 'Methodd y copi wrth gefn diwethaf a drefnwyd. Mae log y gwasanaeth yn dweud pam.',
    skipped: (count) =>
      `Ni chofnodwyd ${count} ${plural(count, { two: 'gais', few: 'chais', many: 'chais', other: 'cais' })}, oherwydd bod y gweinydd yn brysur.`,
    inClear:
      'Yn ystod y saith diwrnod diwethaf anfonwyd cyfrinair neu ddolen ffrwd bersonol dros http plaen. Chwiliwch am “Anfonwyd manylion mewngofnodi dros http plaen” yn y trywydd archwilio.',
    loopbackHttp:
      'Mae’r gosodiad allow_loopback_http ymlaen: derbynnir http plaen ar y gweinydd ei hun, er mai https yw’r cyfeiriad cyhoeddus.',
    id: 'Dynodydd y cais',
    node: 'Nod',
    user: 'Person',
    query: 'Paramedrau',
    headers: 'Penynnau’r cais',
    body: 'Meysydd a anfonwyd',
    answerHeaders: 'Penynnau’r ymateb',
    bytes: 'Beitiau a dderbyniwyd, a anfonwyd',
    error: 'Gwall',
    limit: 'Gwrthodwyd gan derfyn',
  },
  rewindPage: {
    head: 'Weindio’r calendr yn ôl',
    lead: 'Mae digwyddiadau a grëwyd ers eiliad benodol yn mynd i’r sbwriel, mae’r rhai a newidiwyd ers hynny yn cael eu testun blaenorol, ac mae’r rhai a ddilëwyd ers hynny yn dod yn ôl, i bawb. Byddwch yn gweld rhagolwg yn gyntaf, a gallwch ei ddadwneud.',
    to: 'Fel yr oedd ar',
    toHint: (zone) => `Yng nghylchfa amser ${zone}.`,
    by: 'Dim ond newidiadau gan',
    byHint:
      'Cyfeiriad e-bost cyfrif. Bydd digwyddiadau a newidiwyd yn ddiweddarach gan gyfrif arall yn aros fel y maent.',
    badMoments: {
      invalid_format: 'Rhowch ddyddiad ac amser.',
      not_allowed: 'Mae’r eiliad hon yn y dyfodol.',
    },
    preview: 'Dangos rhagolwg',
    looking: 'Wrthi’n cymharu’r digwyddiadau…',
    working: 'Wrthi’n weindio’r calendr yn ôl… Gadewch y dudalen hon ar agor.',
    wouldHead: 'Beth fyddai’n digwydd',
    didHead: 'Beth ddigwyddodd',
    counts: ({ deleted, changed, restored, skipped, dry_run: isDryRun }) =>
      `I’r sbwriel: ${deleted}, wedi’u newid yn ôl: ${changed}, wedi’u hadfer: ${restored}${
        skipped > 0 ? `, ${isDryRun ? 'i’w gadael fel y maent' : 'wedi’u gadael fel y maent'}: ${skipped}` : ''
      }.`,
    published: (count, isDryRun) => {
      const events = count === 1 ? 'un digwyddiad preifat' : `${countEvents(count)} preifat`
      return `${isDryRun ? 'Byddai' : 'Mae'} ${events} yn gyhoeddus eto.`
    },
    publicAgain: '– yn gyhoeddus eto',
    notKept:
      'Nid yw fersiynau cynharach a digwyddiadau a ddilëwyd yn cael eu cadw’n ddigon hir i weindio’r calendr yn ôl: mae’r gweinydd yn gosod history_days neu trash_days i 0.',
    nothing: 'Mae’r calendr fel yr oedd ar yr eiliad honno, felly does dim i’w weindio’n ôl.',
    now: (count) => (count === 1 ? 'Weindio un digwyddiad yn ôl…' : `Weindio ${countEvents(count)} yn ôl…`),
    sure: (count) =>
      count === 1
        ? 'Bydd un digwyddiad fel yr oedd eto, i bawb. Gallwch ddadwneud hyn wedyn.'
        : `Bydd ${countEvents(count)} fel yr oeddent eto, i bawb. Gallwch ddadwneud hyn wedyn.`,
    yes: (count) => (count === 1 ? 'Ie, ei weindio’n ôl' : `Ie, weindio ${countEvents(count)} yn ôl`),
    undo: 'Rhagolwg o ddadwneud hyn',
    events: 'Digwyddiadau',
    event: 'Digwyddiad',
    result: 'Canlyniad',
    results: {
      deleted: { would: 'i’r sbwriel', did: 'yn y sbwriel' },
      changed: { would: 'ei newid yn ôl', did: 'wedi’i newid yn ôl' },
      restored: { would: 'ei adfer', did: 'wedi’i adfer' },
      skipped: { would: 'ei adael fel y mae', did: 'wedi’i adael fel y mae' },
    },
    reasons: {
      changed_later: 'newidiwyd ef yn ddiweddarach gan gyfrif arall',
      changed_meanwhile: 'newidiwyd ef tra oedd y calendr yn cael ei weindio’n ôl',
      not_kept: 'nid yw ei destun ar y pryd yn cael ei gadw',
      uid_conflict: 'crëwyd ef eto yn y cyfamser',
      not_stored: 'doedd dim modd ei gadw',
    },
    truncated: 'Dim ond y 1,000 digwyddiad cyntaf sydd wedi’u rhestru. Mae’r rhifau uchod yn cynnwys pob un.',
    refusals: {
      user_not_found: 'Nid oes cyfrif â’r cyfeiriad e-bost hwn.',
      rewind_too_early:
        'Nid yw’r calendr fel yr oedd ar yr eiliad hon yn cael ei gadw mwyach. Dewiswch un ddiweddarach.',
    },
  },
  transferPage: {
    importHead: 'Mewnforio ffeil calendr',
    importLead:
      'Yn mewnforio ffeil .ics o raglen arall, hyd at 10 MiB. Caiff digwyddiadau eu paru yn ôl eu UID: diweddarir y rhai sy’n bodoli, ychwanegir rhai newydd, ac ni ddilëir dim. Nid anfonir e-byst. Byddwch yn gweld rhagolwg yn gyntaf.',
    file: 'Ffeil calendr (.ics)',
    tooLarge: (size, command) =>
      `Maint y ffeil hon yw ${size}; y terfyn yma yw 10 MiB. Ar y gweinydd gallwch fewnforio ffeil o unrhyw faint: ${command} import calendar.ics`,
    rehearse: 'Rhagolwg o’r mewnforio',
    uploading: 'Wrthi’n uwchlwytho’r ffeil…',
    looking: 'Wrthi’n darllen y ffeil…',
    importing:
      'Wrthi’n mewnforio’r digwyddiadau… Mae ffeil fawr yn cymryd munud neu ddau; gadewch y dudalen hon ar agor.',
    wouldHead: 'Beth fyddai’n digwydd',
    didHead: 'Beth ddigwyddodd',
    importNow: (count) => `Mewnforio ${countEvents(count)}`,
    nothing: 'Nid oes dim newydd yn y ffeil hon, felly does dim i’w fewnforio.',
    done: 'Mae’r mewnforio wedi’i gwblhau.',
    unreadable: (line) => `Nid ffeil calendr yw hon, neu mae’n anghyflawn (llinell ${line}). Ni fewnforiwyd dim.`,
    notCalendar: 'Nid ffeil calendr mewn UTF-8 yw hon. Ni fewnforiwyd dim.',
    results: {
      created: { would: 'newydd', did: 'newydd' },
      updated: { would: 'i’w newid', did: 'wedi’u newid' },
      unchanged: { would: 'heb eu newid', did: 'heb eu newid' },
      skipped: { would: 'i’w hepgor', did: 'wedi’u hepgor' },
    },
    show: 'Dangos',
    all: 'Pob cofnod',
    entries: 'Cofnodion y ffeil',
    line: 'Llinell',
    event: 'Digwyddiad',
    result: 'Canlyniad',
    continues: 'Cafodd ei ddileu o’r blaen; mae’r fersiwn a ddilëwyd yn dal yn y sbwriel.',
    more: (count) => `… a ${count} arall. Mae’r rhifau uchod yn cynnwys pob cofnod.`,
    exportHead: 'Allforio popeth',
    exportLead:
      'Pob digwyddiad gyda’i holl fanylion, gan gynnwys rhai preifat, mewn un ffeil. Cadwch hi lle mai dim ond chi sy’n gallu ei darllen.',
    export: 'Llwytho calendar.ics i lawr',
  },
  settingsPage: {
    lead: 'Daw newidiadau i rym ar unwaith, ac ar bob nod o fewn deg eiliad. Maent wedi’u rhestru yn y trywydd archwilio.',
    calendar: 'Calendr',
    accounts: 'Cyfrifon',
    backups: 'Copïau wrth gefn',
    save: 'Cadw',
    saved: 'Cadwyd y gosodiadau.',
    nothing: 'Does dim i’w gadw.',
    reset: 'Ailosod',
    resetOf: (label) => `Ailosod: ${label}`,
    defaultIs: (value) => (value ? `Rhagosodiad: ${value}` : 'Newidiwyd yma'),
    overruled: (value) => `Gosodwyd yma i “${value}”, heb effaith.`,
    empty: 'heb ei osod',
    fields: {
      site_name: { label: 'Enw’r calendr', hint: 'Ym mhennyn pob tudalen, mewn e-byst ac mewn ffrydiau.' },
      timezone: {
        label: 'Cylchfa amser',
        hint: 'Ar gyfer dyddiadau ac amserau heb eu cylchfa eu hunain. Mae digwyddiadau drwy’r dydd yn aros ar eu dyddiadau, a digwyddiadau eraill ar eu hamserau.',
      },
      week_start: {
        label: 'Diwrnod cyntaf yr wythnos',
        hint: 'Yn ôl iaith, mae darllenwyr Americanaidd yn gweld wythnosau o ddydd Sul a rhai Cymraeg o ddydd Llun.',
      },
      language: {
        label: 'Iaith',
        hint: 'Ar gyfer e-byst, ac ar gyfer darllenwyr nad yw eu porwr yn enwi unrhyw un o’r ieithoedd a gynigir.',
      },
      default_visibility: { label: 'Gwelededd digwyddiadau newydd', hint: 'Oni bai bod yr awdur yn dewis fel arall.' },
      embed_sites: {
        label: 'Gwefannau sy’n cael dangos y calendr mewn ffrâm',
        hint: 'Cyfeiriadau fel https://www.example.org, wedi’u gwahanu gan atalnodau; ystyr * yw unrhyw wefan.',
      },
      registration: {
        label: 'Ceisiadau am gyfrifon',
        hint: 'Gellir cymeradwyo ceisiadau sy’n aros y naill ffordd neu’r llall.',
      },
      notify_admins: { label: 'Pan ofynnir am gyfrif', hint: '' },
      mail_from: { label: 'Anfonwr e-byst', hint: 'Rhaid i’r gweinydd post dderbyn y cyfeiriad hwn fel anfonwr.' },
      backup_every: { label: 'Pa mor aml y gwneir copi wrth gefn', hint: 'Oriau neu ddyddiau, fel 6h neu 1d.' },
      backup_keep: {
        label: 'Pa gopïau wrth gefn a gedwir',
        hint: 'Yr un olaf o bob un o hyn a hyn o ddyddiau, wythnosau a misoedd, o leiaf 7d 4w 12m.',
      },
    },
    problems: {
      site_name: { invalid_format: 'Rhaid i’r enw fod yn un llinell o 1 i 100 nod.' },
      embed_sites: {
        invalid_format: 'Mae angen cyfeiriad fel https://www.example.org ar bob gwefan, heb lwybr.',
      },
      backup_every: { invalid_format: 'Rhaid i hyn fod yn oriau neu’n ddyddiau, fel 6h neu 1d.' },
      backup_keep: {
        invalid_format: 'Rhaid i hyn fod yn ddyddiau, wythnosau a misoedd, fel 7d 4w 12m.',
        not_allowed: 'Rhaid i hyn fod o leiaf 7d 4w 12m. Gall y gweithredwr osod llai ar y gweinydd.',
      },
    },
    refusals: {
      version_mismatch:
        'Mae rhywun arall wedi newid gosodiadau yn y cyfamser. Mae’r meysydd nad ydych wedi’u newid yn dangos hynny nawr; gwiriwch nhw a chadwch eto.',
      email_not_verified:
        'Gyda gweinydd post, mae angen cyfeiriad wedi’i gadarnhau ar gyfrifon, ac nid yw eich un chi wedi’i gadarnhau. Gofynnwch i weinyddwr arall ei nodi fel un wedi’i gadarnhau ar y dudalen “Pobl”.',
    },
    weekStartAuto: 'yn dibynnu ar iaith y darllenydd',
    visibilities: { private: 'preifat', public: 'cyhoeddus' },
    registrations: { open: 'ar agor', closed: 'ar gau' },
    notifications: { on: 'anfon e-bost at weinyddwyr', off: 'peidio ag anfon e-bost' },
    noBackupFolder:
      'Ni wneir copïau wrth gefn, oherwydd nad oes ffolder wedi’i gosod ar eu cyfer: y gweithredwr sy’n gosod backup_dir ar y gweinydd.',
    mailServer: {
      title: 'E-bost',
      lead: 'Heb weinydd post, ffeiliau ar y gweinydd yw e-byst. Gydag un, mae angen cyfeiriad wedi’i gadarnhau ar gyfrifon oni bai bod y gweithredwr wedi gosod fel arall.',
      server: 'Gweinydd post',
      serverHint: 'Ei enw, fel mail.example.org.',
      port: 'Porth',
      encryption: 'Amgryptio',
      encryptions: {
        starttls: 'STARTTLS (arferol, porth 587)',
        tls: 'TLS o’r dechrau (porth 465)',
        none: 'dim, ar yr un peiriant neu rwydwaith yn unig',
      },
      user: 'Enw mewngofnodi',
      password: 'Cyfrinair',
      stored: 'mae gwag yn ei gadw',
      passwordEnds:
        'Mae’r cyfrinair a gadwyd yn perthyn i’r gweinydd a’r enw mewngofnodi blaenorol, ac yn dod i ben gyda’r newid hwn. Rhowch ef eto.',
      remove: 'Tynnu’r gweinydd post',
      ownPasswordHint: 'I newid y gosodiadau hyn, oherwydd bod e-byst yn cynnwys dolenni sy’n ailosod cyfrineiriau.',
      problems: {
        invalid_format: 'Nid enw gweinydd yw hwn, neu nid rhif yw’r porth.',
        not_allowed: 'Mae angen enw mewngofnodi gyda chyfrinair.',
      },
      test: 'Anfon e-bost prawf ataf',
      testing: 'Wrthi’n anfon…',
      saveFirst: 'Cadwch eich newidiadau yn gyntaf.',
      tested: (to) => `Derbyniwyd yr e-bost prawf at ${to}. Edrychwch a yw’n cyrraedd.`,
      testedFile: 'Nid oes gweinydd post, felly ysgrifennwyd yr e-bost prawf i ffeil ar y gweinydd.',
      testFailed: (why) => `Nid anfonwyd yr e-bost prawf: ${why}.`,
    },
    machine: 'Ar y gweinydd',
    machineLead:
      'Y gweithredwr sy’n newid y gosodiadau hyn, yn daybook.json neu yn yr amgylchedd, a dônt i rym wrth gychwyn nesaf.',
    origins: {
      environment: 'o’r amgylchedd',
      file: 'o daybook.json',
      database: 'newidiwyd yma',
      default: 'rhagosodiad',
    },
  },
}
