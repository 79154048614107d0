// Words of sign-in, registration and the account pages in Welsh.
import type * as english from '../english/account.ts'

export const account: typeof english.account = {
  email: 'Cyfeiriad e-bost',
  password: 'Cyfrinair',
  newPassword: 'Cyfrinair newydd',
  showPassword: 'Dangos y cyfrinair',
  hidePassword: 'Cuddio’r cyfrinair',
  passwordHint: 'O leiaf 12 nod. Mae ychydig eiriau digyswllt yn gweithio’n dda.',
  passwordProblems: {
    required: 'Dewiswch gyfrinair.',
    too_short: 'Mae’r cyfrinair hwn yn rhy fyr. Defnyddiwch o leiaf 12 nod.',
    too_long: 'Mae’r cyfrinair hwn yn rhy hir. Defnyddiwch 128 nod ar y mwyaf.',
  },
  emailProblems: {
    required: 'Rhowch eich cyfeiriad e-bost.',
    invalid_format: 'Nid yw hwn yn edrych fel cyfeiriad e-bost.',
  },

  signInFirst: 'Mewngofnodwch i weld y dudalen hon.',
  stay: 'Aros wedi mewngofnodi.',
  stayHint:
    'Am hyd at 30 diwrnod. Peidiwch â defnyddio hyn ar gyfrifiadur sy’n cael ei rannu. Bydd gweinyddwyr yn dal i gael eu hallgofnodi ar ôl dwy awr heb weithgarwch.',
  forgotten: 'Wedi anghofio eich cyfrinair?',
  noAccount: 'Dim cyfrif eto? Gofynnwch am un',
  signedInAs: (email) => `Rydych wedi mewngofnodi fel ${email}.`,
  carryOn: 'Parhau',
  refusals: {
    invalid_credentials: 'Doedd dim modd eich mewngofnodi. Gwiriwch y cyfeiriad e-bost a’r cyfrinair.',
    account_pending:
      'Mae eich cyfrinair yn gywir, ond mae eich cais yn dal i aros am weinyddwr. Ceisiwch eto ar ôl i chi glywed ganddynt.',
    account_rejected:
      'Mae gweinyddwr wedi gwrthod eich cais, felly ni allwch fewngofnodi. Cysylltwch â nhw os ydych yn meddwl mai camgymeriad yw hyn.',
    account_suspended:
      'Mae’r cyfrif hwn wedi’i atal. Ni allwch fewngofnodi nes i weinyddwr ei adfer. Cysylltwch â nhw i gael gwybod pam.',
    email_not_verified:
      'Mae eich cyfrinair yn gywir, ond nid yw eich cyfeiriad e-bost wedi’i gadarnhau eto: nid yw’r ddolen yn yr e-bost wedi’i hagor.',
  },
  unopened:
    'Mae eich cyfrinair yn gywir, ond nid yw’r ddolen yn yr e-bost sy’n cadarnhau eich cyfeiriad wedi’i hagor eto. Agorwch hi yn gyntaf; yna bydd gweinyddwr yn adolygu eich cais.',
  perhapsUnopened:
    'Neu a ydych wedi gofyn am gyfrif a heb agor y ddolen yn yr e-bost eto? Gallwch fewngofnodi ar ôl hynny.',
  newLinkForAddress: 'Anfon dolen newydd ataf',
  unverifiedNoMail:
    'Mae eich cyfrinair yn gywir, ond nid yw eich cyfeiriad e-bost wedi’i gadarnhau. Gofynnwch i weinyddwr ei gadarnhau.',
  againTitle: 'Mewngofnodwch eto',
  again:
    'Rydych wedi cael eich allgofnodi. Mae’r dudalen y tu ôl i’r ffenestr hon yn union fel y gadawsoch hi. Mewngofnodwch eto i barhau.',
  againOther: 'Mewngofnodi fel rhywun arall',
  otherTitle: 'Mae rhywun arall wedi mewngofnodi yma nawr',
  other: (user, other) =>
    `Agorwyd y dudalen hon gennych fel ${user}, ond ers hynny mae ${other} wedi mewngofnodi yn y porwr hwn. Ni anfonwyd dim o’r hyn a deipiwyd gennych yma.`,
  otherReload: (other) => `Ail-lwytho’r dudalen fel ${other}`,
  otherStay: 'Ei gadael fel y mae',

  registerTitle: 'Gofyn am gyfrif',
  registerLead:
    'Gyda chyfrif gallwch weld digwyddiadau preifat hefyd, ac efallai y cewch ychwanegu a golygu digwyddiadau.',
  steps: [
    'Llenwch y ffurflen hon.',
    'Agorwch y ddolen y byddwn yn ei he-bostio atoch, i gadarnhau mai eich cyfeiriad chi ydyw.',
    'Bydd gweinyddwr yn adolygu eich cais. Ar ôl iddo gael ei gymeradwyo, gallwch fewngofnodi.',
  ],
  stepsNoMail: [
    'Llenwch y ffurflen hon.',
    'Bydd gweinyddwr yn adolygu eich cais. Nid yw’r calendr hwn yn anfon e-byst, felly gofynnwch i’r gweinyddwr a allwch fewngofnodi.',
  ],
  nameHint: 'Dim ond gweinyddwyr sy’n gallu ei weld.',
  message: 'Neges i’r gweinyddwr',
  messageHint: 'Pwy ydych chi, a beth hoffech chi ei wneud yma.',
  trap: 'Gadewch hwn yn wag',
  register: 'Anfon fy nghais',
  proving: 'Un eiliad: mae eich porwr yn datrys pos bach, i gadw botiau draw…',
  checkMailTitle: 'Edrychwch ar eich e-bost',
  checkMail: (email) => `Anfonwyd e-bost at ${email}.`,
  checkMailNext: [
    'Agorwch y ddolen ynddo o fewn 24 awr a phwyswch y botwm.',
    'Yna bydd gweinyddwr yn adolygu eich cais. Gall hyn gymryd diwrnod neu ddau.',
    'Dim byd wedi cyrraedd? Edrychwch yn eich ffolder sbam, a gwiriwch fod y cyfeiriad wedi’i sillafu’n gywir.',
  ],
  receivedTitle: 'Mae eich cais wedi cyrraedd',
  received: 'Bydd gweinyddwr yn ei adolygu. Gall hyn gymryd diwrnod neu ddau.',
  receivedNoMail:
    'Nid yw’r calendr hwn yn anfon e-byst. Gofynnwch i weinyddwr, neu ceisiwch fewngofnodi yn nes ymlaen.',
  resend: 'Anfon dolen arall',
  resent: (email) =>
    `Os oes angen cadarnhau’r cyfeiriad ${email} o hyd, mae e-bost arall ar ei ffordd. Mae’r ddolen ynddo yn cadarnhau’r cyfeiriad ac yn gadael i chi ddewis eich cyfrinair eto. Mae’n cael ei anfon unwaith y dydd ar y mwyaf.`,
  registerOther: 'Defnyddio cyfeiriad arall',

  verifyTitle: 'Cadarnhau eich cyfeiriad e-bost',
  verifyLead: 'Pwyswch y botwm i gadarnhau mai eich cyfeiriad chi yw hwn.',
  verify: 'Cadarnhau fy nghyfeiriad',
  verified: 'Mae eich cyfeiriad e-bost wedi’i gadarnhau.',
  verifiedWaiting:
    'Mae eich cyfeiriad e-bost wedi’i gadarnhau. Bydd gweinyddwr yn adolygu eich cais, a byddwch yn clywed ganddynt.',
  verifiedPassword:
    'Mae eich cyfeiriad e-bost wedi’i gadarnhau. Gofynnwyd am y cyfrif fwy nag unwaith, felly rydym yn anfon e-bost arall atoch i ddewis eich cyfrinair.',
  verifiedPasswordNoMail:
    'Mae eich cyfeiriad e-bost wedi’i gadarnhau. Gofynnwyd am y cyfrif fwy nag unwaith, felly mae angen dolen arnoch i ddewis eich cyfrinair. Nid yw’r calendr hwn yn anfon e-byst: gofynnwch i weinyddwr am y ddolen.',
  incompleteLink: 'Mae’r ddolen hon yn anghyflawn. Agorwch hi o’r e-bost eto.',

  forgotTitle: 'Wedi anghofio’r cyfrinair',
  forgotLead:
    'Os oes gan y cyfeiriad hwn gyfrif, byddwn yn e-bostio dolen atoch i ddewis cyfrinair newydd. Mae’r ddolen hefyd yn cadarnhau’r cyfeiriad, os oes angen gwneud hynny o hyd.',
  forgotLeadNoMail:
    'Nid yw’r calendr hwn yn anfon e-byst. Os oes gan y cyfeiriad hwn gyfrif, bydd dolen i ddewis cyfrinair newydd yn cael ei storio ar y gweinydd, a gall gweinyddwr ei rhoi i chi.',
  sendLink: 'Anfon dolen ataf',
  sendLinkNoMail: 'Gofyn am ddolen',
  linkSent: 'Os oes gan y cyfeiriad hwn gyfrif, mae e-bost ar ei ffordd. Mae’r ddolen ynddo yn gweithio am awr.',
  linkStored:
    'Os oes gan y cyfeiriad hwn gyfrif, bydd y ddolen ar y gweinydd am awr. Gofynnwch i weinyddwr ei rhoi i chi.',
  resetTitle: 'Dewis cyfrinair newydd',
  resetLead:
    'Mae’n cymryd lle eich hen un. Byddwch yn cael eich allgofnodi ym mhobman, a bydd angen cyfrineiriau ap newydd ar eich dyfeisiau.',
  reset: 'Newid fy nghyfrinair',
  resetDone: 'Mae eich cyfrinair wedi’i newid. Mewngofnodwch â’r un newydd.',
  newLink: 'Gofyn am ddolen newydd',

  parts: 'Tudalennau’r cyfrif',
  overview: 'Trosolwg',
  role: 'Rôl',
  roles: {
    reader: 'Darllenydd: gall weld pob digwyddiad, gan gynnwys rhai preifat',
    writer: 'Ysgrifennwr: gall weld, ychwanegu a newid pob digwyddiad',
    admin: 'Gweinyddwr: gall weld, ychwanegu a newid pob digwyddiad, a rheoli cyfrifon',
  },
  mailLanguage: 'Iaith e-byst',
  mailLanguageLead:
    'Mae e-byst atoch yn cael eu hysgrifennu yn yr iaith hon. Mae’r tudalennau’n dilyn eich porwr, neu eich dewis ar waelod pob tudalen.',
  mailLanguageSaved: 'Mae’r iaith wedi’i chadw.',
  calendarLanguage: 'Iaith y calendr',
  currentPassword: 'Cyfrinair presennol',
  currentProblems: {
    not_allowed: 'Nid dyma eich cyfrinair presennol.',
    required: 'Rhowch eich cyfrinair presennol.',
  },
  changeLead:
    'Byddwch yn cael eich allgofnodi ym mhobman arall. Bydd cyfrineiriau ap, dolenni ffrwd a thocynnau yn aros fel y maent.',
  changed: 'Mae eich cyfrinair wedi’i newid. Rydych wedi cael eich allgofnodi ym mhobman arall.',
  outLead:
    'Yn dod â phob un o’ch sesiynau i ben, gan gynnwys hon. Defnyddiwch hyn os gadawsoch eich hun wedi mewngofnodi ar gyfrifiadur rhywun arall.',
  out: 'Allgofnodi ym mhobman',

  name: 'Enw',
  none: 'Nid oes gennych un eto.',
  neverUsed: 'Heb ei ddefnyddio erioed',
  lastUsed: (when) => `Defnyddiwyd ddiwethaf: ${when}`,
  made: (when) => `Crëwyd: ${when}`,
  shownOnce: 'Dim ond unwaith y bydd hwn yn cael ei ddangos. Copïwch ef cyn parhau.',
  tookIt: 'Rwyf wedi ei gopïo',
  keep: 'Ei gadw',
  noMore: 'Rydych wedi cyrraedd y terfyn. Dilëwch un nad ydych yn ei ddefnyddio mwyach.',

  devicesTitle: 'Cyfrineiriau ap',
  devicesLead:
    'Mae cyfrinair ap yn gadael i’r ap calendr ar eich ffôn neu gyfrifiadur ddefnyddio’r calendr hwn. Crëwch un ar gyfer pob dyfais. Os byddwch yn colli dyfais, dilëwch ei chyfrinair yma; bydd y lleill yn dal i weithio.',
  deviceName: 'Dyfais neu ap',
  deviceHint: 'Er enghraifft: fy ffôn.',
  makeDevice: 'Creu cyfrinair ap',
  deviceMade: (name) => `Y cyfrinair ap ar gyfer “${name}”`,
  devicesYours: 'Eich cyfrineiriau ap',
  deviceGoes: (name) =>
    `Bydd “${name}” yn colli mynediad ar unwaith. Bydd digwyddiadau a ychwanegwyd ganddo yn aros yn y calendr.`,
  deleted: (name) => `Mae “${name}” wedi’i ddileu.`,
  deleteNamed: (name) => `Dileu: ${name}`,
  deleteTitle: (name) => `Dileu “${name}”?`,

  guideTitle: 'Gosod eich ap calendr',
  guideLead: 'Dim ond y tri manylyn hyn sydd eu hangen ar bob ap:',
  guideServer: 'Cyfeiriad y gweinydd',
  guideUser: 'Enw defnyddiwr',
  guidePassword: 'Cyfrinair: un o’r cyfrineiriau ap uchod.',
  guides: ({ server, host, email }) => [
    {
      name: 'iPhone ac iPad',
      steps: [
        'Settings › Apps › Calendar › Calendar Accounts › Add Account › Other › Add CalDAV Account.',
        `Server: ${host}`,
        `User Name: ${email}`,
        'Password: y cyfrinair ap. Eich dewis chi yw’r disgrifiad (Description).',
        'O dan “Fetch New Data”, dewiswch pa mor aml mae’n chwilio am newidiadau.',
      ],
    },
    {
      name: 'Mac (Apple Calendar)',
      steps: [
        'System Settings › Internet Accounts › Add Account › Add Other Account › CalDAV account.',
        'Account Type: Manual.',
        `User Name: ${email}`,
        'Password: y cyfrinair ap.',
        `Server Address: ${host}`,
      ],
    },
    {
      name: 'Thunderbird',
      steps: [
        'Calendar › New Calendar › On the Network.',
        `Username: ${email}`,
        `Location: ${server}`,
        'Pwyswch “Find Calendars”, dewiswch yr un a ganfyddir, a rhowch y cyfrinair ap pan ofynnir amdano.',
        'Ticiwch “Offline support”, fel mai dim ond newidiadau sy’n cael eu nôl.',
      ],
    },
    {
      name: 'Android (DAVx⁵)',
      steps: [
        'Pwyswch + a dewiswch “Login with URL and user name”.',
        `Base URL: ${server}`,
        `User name: ${email}`,
        'Password: y cyfrinair ap.',
        'Ticiwch y calendr o dan CalDAV. Yna bydd yn ymddangos mewn unrhyw ap calendr ar y ffôn.',
      ],
    },
    {
      name: 'Evolution a GNOME',
      steps: [
        'Evolution: File › New › Calendar, math CalDAV.',
        `URL: ${server}`,
        `User: ${email}; yna “Find Calendars”, a’r cyfrinair ap pan ofynnir amdano.`,
        'GNOME: Settings › Online Accounts › Calendar, Contacts and Files (WebDAV), gyda’r un manylion.',
      ],
    },
    {
      name: 'vdirsyncer',
      steps: ['Yn ei ffeil ffurfweddu, gyda’r cyfrinair ap yn eich cylch allweddi:'],
      code: `[storage calendar]
type = "caldav"
url = "${server}"
username = "${email}"
password.fetch = ["command", "secret-tool", "lookup", "service", "daybook"]`,
    },
  ],

  feedsTitle: 'Dolenni ffrwd',
  feedsLead:
    'Mae dolen ffrwd yn gadael i ap na all fewngofnodi, fel Google Calendar, ddangos y calendr hwn. Gall unrhyw un sydd â’r ddolen ei defnyddio, felly dylech ei thrin fel cyfrinair.',
  feedHint: 'Er enghraifft: Google Calendar.',
  detail: 'Beth mae’n ei ddangos',
  details: {
    full: 'Popeth, gan gynnwys manylion digwyddiadau preifat',
    masked: 'Yr hyn y mae’r cyhoedd yn ei weld: digwyddiadau preifat fel “Private Event” yn unig',
  },
  detailChoices: { full: 'Popeth', masked: 'Yr hyn y mae’r cyhoedd yn ei weld' },
  detailHints: {
    full: 'Gan gynnwys manylion digwyddiadau preifat.',
    masked: 'Digwyddiadau preifat fel “Private Event” yn unig.',
  },
  category: 'Dim ond y categori hwn',
  makeFeed: 'Creu dolen',
  feedMade: (name) => `Y ddolen ar gyfer “${name}”`,
  feedAddress: 'Cyfeiriad i danysgrifio iddo',
  feedsYours: 'Eich dolenni',
  feedGoes: (name) => `Bydd apiau sy’n defnyddio “${name}” yn peidio â derbyn digwyddiadau ar unwaith.`,
  onlyCategory: (category) => `Dim ond “${category}”`,
  rename: 'Ailenwi',
  renameNamed: (name) => `Ailenwi: ${name}`,
  renameTitle: (name) => `Ailenwi “${name}”`,

  tokensTitle: 'Tocynnau API',
  tokensLead:
    'Ar gyfer rhaglenni yr ydych yn eu hysgrifennu neu’n eu rhedeg eich hun. Dim ond yr hyn a diciwch yma y gall tocyn ei wneud, a byth fwy nag y gallwch chi.',
  apiDocs: 'Sut i ddefnyddio’r API',
  tokenHint: 'Er enghraifft: ein gwefan.',
  scopesLabel: 'Beth mae’n cael ei wneud',
  scopes: {
    'events:read': 'Darllen pob digwyddiad, gan gynnwys rhai preifat',
    'events:write': 'Ychwanegu, newid a dileu digwyddiadau',
    admin: 'Gweinyddu: pobl, mewnforio, allforio',
  },
  scopesNeeded: 'Ticiwch o leiaf un.',
  expiry: 'Yn ddilys am',
  expiries: { '30': '30 diwrnod', '90': '90 diwrnod', '365': 'blwyddyn', '730': 'dwy flynedd' },
  makeToken: 'Creu tocyn',
  tokenLabel: 'Tocyn',
  tokenMade: (name) => `Y tocyn “${name}”`,
  tokensYours: 'Eich tocynnau',
  tokenGoes: (name) => `Bydd rhaglenni sy’n defnyddio “${name}” yn colli mynediad ar unwaith.`,
  endsWith: (last) => `Yn gorffen â …${last}`,
  expires: (when) => `Yn ddilys tan: ${when}`,
  expired: (when) => `Daeth i ben: ${when}`,

  sessions: 'Sesiynau',
  sessionsTitle: 'Ble rwyf wedi mewngofnodi',
  sessionsLead: 'Os nad ydych yn adnabod un o’r rhain, dewch â hi i ben a newidiwch eich cyfrinair.',
  sessionsYours: 'Eich sesiynau',
  current: 'Y porwr hwn',
  browserOn: (browser, system) => `${browser} ar ${system}`,
  someBrowser: 'Porwr anhysbys',
  signedInAt: (when) => `Mewngofnodwyd: ${when}`,
  lastSeen: (when) => `defnyddiwyd ddiwethaf: ${when}`,
  from: (network) => `O’r rhwydwaith ${network}`,
  endsAt: (when) => `Yn dod i ben os na chaiff ei defnyddio: ${when}`,
  end: 'Dod â hi i ben',
  endNamed: (name) => `Dod â hi i ben: ${name}`,
  ended: 'Mae’r sesiwn wedi dod i ben.',
  endOthers: 'Dod â phob sesiwn arall i ben',
  othersEnded: 'Mae pob sesiwn arall wedi dod i ben.',
  noOthers: 'Nid ydych wedi mewngofnodi yn unman arall.',
}
