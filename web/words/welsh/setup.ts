// Words of the first run and of the page about embedding in Welsh.
import type * as english from '../english/setup.ts'

export const setup: typeof english.setup = {
  title: 'Croeso i Daybook',
  lead: 'Bydd eich calendr yn barod ymhen dau funud: crëwch eich cyfrif a rhowch enw i’r calendr.',
  you: 'Chi, y gweinyddwr',
  emailHint: 'Byddwch yn mewngofnodi ag ef. Dim ond gweinyddwyr sy’n gallu ei weld.',
  name: 'Eich enw',
  calendar: 'Y calendr',
  siteName: 'Enw’r calendr',
  zone: 'Cylchfa amser',
  zoneHint: 'Ar gyfer dyddiadau ac amserau heb eu cylchfa amser eu hunain. Er enghraifft: Europe/London.',
  weekStart: 'Diwrnod cyntaf yr wythnos',
  weekStartAuto: 'yn dibynnu ar iaith y darllenydd',
  submit: 'Gosod y calendr',
  codeWrong:
    'Mae’r cod yn y ddolen hon yn anghywir, eisoes wedi’i ddefnyddio, neu wedi dod i ben. Mae’r ddolen ddiweddaraf wedi’i hargraffu lle cychwynnwyd Daybook; cychwynnwch ef eto i gael un newydd.',
  doneTitle: 'Mae’r calendr hwn eisoes wedi’i osod',
  done: 'Mae ganddo weinyddwr, felly does dim i’w wneud yma.',
  noCodeTitle: 'Mae’r ddolen hon yn anghyflawn',
  noCode: [
    'Nid oes gan y calendr hwn weinyddwr eto. I ddod yn weinyddwr, agorwch y ddolen lawn a argraffwyd lle cychwynnwyd Daybook. Mae’n gorffen fel hyn:',
    'Methu dod o hyd iddi? Cychwynnwch Daybook eto, a bydd yn argraffu un newydd.',
    'Neu rhedwch hyn ar y gweinydd:',
  ],
  readyTitle: 'Mae eich calendr yn barod',
  ready: 'Chi yw ei weinyddwr, ac rydych wedi mewngofnodi.',
  kept: (names) =>
    `Ni roddwyd eich dewis ar waith, oherwydd bod y gweithredwr wedi pennu hyn yng ngosodiadau’r gweinydd: ${names}.`,
  next: 'Beth nesaf?',
  toCalendar: 'Agor y calendr',
  toImport: 'Mewnforio digwyddiadau o galendr arall',
  demo: 'Dim ond cael golwg? Mae’r gorchymyn hwn yn llenwi’r calendr â digwyddiadau canolfan gymunedol:',
}

export const embed: typeof english.embed = {
  title: 'Mewnblannu’r calendr hwn',
  lead: 'Dangoswch y calendr hwn ar unrhyw dudalen we: copïwch ddwy linell a’u gludo lle dylai ymddangos. Nid yw ymwelwyr yn cael cwcis, a dim ond eu hamser y mae digwyddiadau preifat yn ei ddangos.',
  choices: 'Beth ddylai ei ddangos?',
  theme: 'Lliwiau',
  themes: [
    ['', 'Yr un fath â’r dudalen'],
    ['light', 'Golau'],
    ['dark', 'Tywyll'],
  ],
  limit: 'Sawl digwyddiad',
  upcomingTitle: 'I ddod',
  upcomingAbout: 'Rhestr fer ar gyfer bar ochr neu dudalen flaen. Dim ond ychydig gilobeitiau yw hi.',
  calendarTitle: 'Y calendr cyfan',
  calendarAbout:
    'Mis, wythnos, diwrnod, rhestr neu flwyddyn, gyda’i fotymau ei hun. Dim ond lle mae’n cael ei ddefnyddio y llwythir y grid.',
  code: 'Copïwch hyn i’ch tudalen',
  frameTitle: 'Fel ffrâm',
  frameAbout:
    'Ar gyfer gwefannau nad ydynt yn caniatáu sgriptiau. Rhaid i’ch gwefan fod wedi’i rhestru yn y gosodiad embed_sites; gofynnwch i’r sawl sy’n rhedeg y calendr hwn.',
  wordpressTitle: 'WordPress',
  wordpressAbout: 'Rhowch hyn yn functions.php eich thema blentyn, neu mewn ategyn bach. Mae angen WordPress 6.5 arno.',
  wordpressCode: 'Ar gyfer functions.php',
  wordpressUse: 'Yna rhowch hyn lle dylai’r rhestr ymddangos, mewn unrhyw dudalen, cofnod neu widget testun:',
  shortcode: 'Cod byr',
  lookTitle: 'Lliwiau a ffontiau',
  lookAbout: 'Gosodwch y priodweddau hyn yn nalen arddulliau eich gwefan, ar yr elfen neu ar unrhyw beth o’i chwmpas.',
  properties: [
    ['--daybook-ink', 'Testun'],
    ['--daybook-muted', 'Testun llai pwysig'],
    ['--daybook-accent', 'Dolenni, botymau, heddiw'],
    ['--daybook-paper', 'Cefndir'],
    ['--daybook-card', 'Cefndir y grid'],
    ['--daybook-line', 'Llinellau'],
    ['--daybook-font', 'Ffont, fel y briodwedd CSS font'],
  ],
}
