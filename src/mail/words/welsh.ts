// Words of all mails in Welsh. `name` is that of the calendar.
import { createPlural } from '../../words/plural.ts'
import type * as english from './english.ts'

const plural = createPlural('cy')

export const mail: typeof english.mail = {
  hello: 'Helo,',
  subjects: {
    verification: (name) => `${name}: cadarnhewch eich cyfeiriad e-bost`,
    already_registered: (name) => `${name}: mae gennych gyfrif eisoes`,
    reset: (name) => `${name}: ailosod eich cyfrinair`,
    set_password: (name) => `${name}: dewiswch eich cyfrinair`,
    password_changed: (name) => `${name}: mae eich cyfrinair wedi’i newid`,
    approved: (name) => `${name}: mae eich cyfrif wedi’i gymeradwyo`,
    rejected: (name) => `${name}: ni chymeradwywyd eich cais`,
    suspended: (name) => `${name}: mae eich cyfrif wedi’i atal`,
    access_requested: (name) => `${name}: mae rhywun wedi gofyn am gyfrif`,
    backup_failed: (name) => `${name}: mae copïau wrth gefn yn methu`,
    bulk_changes: (name) => `${name}: dilëwyd neu newidiwyd nifer fawr iawn o ddigwyddiadau`,
    test: (name) => `${name}: e-bost prawf`,
  },
  linkWorks: (until) => `Mae’r ddolen yn gweithio unwaith, hyd at yr amser hwn: ${until}.`,
  ignore: 'Os nad chi oedd hyn, gallwch anwybyddu’r e-bost hwn.',
  mistake: 'Os ydych yn meddwl mai camgymeriad yw hyn, cysylltwch â’r bobl sy’n rhedeg y calendr.',
  verification: (name) =>
    `Gofynnwyd am gyfrif yng nghalendr “${name}” â’r cyfeiriad e-bost hwn. Os chi oedd hyn, cadarnhewch mai eich cyfeiriad chi ydyw:`,
  alreadyRegistered: {
    tried: (name) =>
      `Ceisiodd rhywun gofrestru yng nghalendr “${name}” â’r cyfeiriad e-bost hwn. Mae ganddo gyfrif eisoes, ac ni newidiwyd dim.`,
    signIn: 'Os chi oedd hyn, gallwch fewngofnodi:',
    forgotten: 'Os ydych wedi anghofio eich cyfrinair, gallwch ddewis un newydd:',
  },
  registeredAgain: {
    confirm: (name) =>
      `Gofynnwyd eto am gyfrif yng nghalendr “${name}” â’r cyfeiriad e-bost hwn. Mae’r cais cyntaf yn dal i sefyll, gyda’r enw a roddwyd bryd hynny, ond ni chadarnhawyd y cyfeiriad erioed. Os chi oedd hyn, cadarnhewch mai eich cyfeiriad chi ydyw:`,
    afterwards:
      'Ar ôl hynny byddwn yn anfon e-bost arall atoch i ddewis cyfrinair, oherwydd efallai mai un rhywun arall oedd y cyntaf.',
  },
  reset: {
    choose: (name) =>
      `Gofynnwyd am gyfrinair newydd ar gyfer eich cyfrif yng nghalendr “${name}”. Os chi oedd hyn, gallwch ddewis un yma:`,
    ignore: 'Os nad chi oedd hyn, gallwch anwybyddu’r e-bost hwn: bydd eich cyfrinair yn aros fel y mae.',
    chooseUnverified: (name) =>
      `Gofynnwyd am gyfrinair newydd ar gyfer y cyfrif yng nghalendr “${name}” sydd â’r cyfeiriad e-bost hwn. Ni chadarnhawyd y cyfeiriad erioed. Os chi oedd hyn, gallwch ei gadarnhau drwy ddewis cyfrinair yma:`,
    endsOthers: 'Yna bydd unrhyw gyfrinair a ddewiswyd ar gyfer y cyfrif yn gynharach yn peidio â gweithio.',
    ignoreUnverified: 'Os nad chi oedd hyn, gallwch anwybyddu’r e-bost hwn: ni newidiwyd dim.',
  },
  setPassword: {
    approved: (name) => `Mae eich cyfrif yng nghalendr “${name}” wedi’i gymeradwyo.`,
    exists: (name) => `Mae cyfrif yng nghalendr “${name}” ar gyfer y cyfeiriad e-bost hwn.`,
    choose:
      'Gofynnwyd amdano fwy nag unwaith, efallai gan rywun arall, felly nid yw’r cyfrinair gwreiddiol yn gweithio mwyach. Dewiswch un newydd:',
    expired: 'Os yw’r ddolen wedi dod i ben, gallwch ofyn am un arall:',
    ignore: 'Os na ofynnoch am gyfrif, gallwch anwybyddu’r e-bost hwn.',
  },
  passwordChanged: {
    changed: (name, when) => `Newidiwyd cyfrinair eich cyfrif yng nghalendr “${name}”: ${when}.`,
    act: 'Os chi oedd hyn, does dim i’w wneud. Os na, dewiswch gyfrinair newydd ar unwaith a chysylltwch â’r bobl sy’n rhedeg y calendr:',
  },
  approved: {
    approved: (name) => `Mae eich cyfrif yng nghalendr “${name}” wedi’i gymeradwyo.`,
    signIn: 'Gallwch fewngofnodi nawr:',
    confirm:
      'Mae un cam ar ôl: ni chadarnhawyd eich cyfeiriad e-bost erioed. I’w gadarnhau, dewiswch gyfrinair newydd â dolen y byddwn yn ei hanfon atoch. Gofynnwch am y ddolen honno yma:',
  },
  rejected: (name) => `Ni chymeradwywyd eich cais am gyfrif yng nghalendr “${name}”.`,
  suspended: (name) =>
    `Mae eich cyfrif yng nghalendr “${name}” wedi’i atal. Ni allwch fewngofnodi nes i weinyddwr ei adfer.`,
  accessRequested: {
    waiting: (name, count) =>
      count === 1
        ? `Mae un person yn aros am gyfrif yng nghalendr “${name}”.`
        : `Mae ${count} ${plural(count, { two: 'berson', few: 'pherson', many: 'pherson', other: 'person' })} yn aros am gyfrif yng nghalendr “${name}”.`,
    decide: (count) => `Fel gweinyddwr gallwch gymeradwyo neu wrthod ${count === 1 ? 'y cais' : 'eu ceisiadau'}:`,
  },
  backupFailed: {
    causes: {
      full: (problem) => `nid oes lle ar ôl ar y ddisg (${problem})`,
      denied: (problem) => `ni chaiff y gwasanaeth ysgrifennu yno (${problem})`,
      missing: (problem) => `mae’r ffolder neu ffeil ar goll (${problem})`,
      other: (problem) => `neges y gweinydd yw “${problem}”`,
    },
    failed: (name, problem) => `Methodd y copi wrth gefn a drefnwyd o galendr “${name}”: ${problem}`,
    again:
      'Ceisir eto bob chwarter awr. Nes iddo weithio, yn y calendr ei hun yn unig y mae newidiadau ers y copi wrth gefn diwethaf yn bodoli.',
  },
  bulkChanges: {
    happened: (name, limit, means, when) =>
      `Yng nghalendr “${name}” dilëwyd neu newidiwyd mwy na ${limit} o ddigwyddiadau gan un cyfrif o fewn deg munud, ${means} (${when}). Mae newidiadau pellach yn y modd hwn yn cael eu harafu.`,
    means: {
      session: 'mewn un porwr',
      password: 'â chyfrinair y cyfrif',
      app_password: 'ag un cyfrinair ap, fel y mae rhaglenni calendr yn ei ddefnyddio',
      token: 'ag un tocyn API',
    },
    intended: 'Os oedd hyn yn fwriadol, does dim i’w wneud.',
    stop: 'Os nad oedd, rhowch stop arno yn gyntaf: ataliwch y cyfrif sydd wedi’i enwi yn y trywydd archwilio.',
    rewind:
      'Yna dewch â phopeth a ddilëwyd neu a newidiwyd gan y cyfrif yn ôl. Mae’r dudalen hon yn dangos yn gyntaf beth fydd fel yr oedd eto:',
    onlyDeleted: 'I adfer dim ond yr hyn a ddilëwyd, a dim ond yn y modd hwn:',
    restore: 'Yna adferwch yr hyn a ddilëwyd:',
    changedFromBackup:
      'Dim ond o gopi wrth gefn y gellir cael yr hyn a newidiwyd, oherwydd nad yw fersiynau cynharach o ddigwyddiadau yn cael eu cadw (mae history_days yn 0).',
    deletedFromBackup:
      'Dim ond o gopi wrth gefn y gellir cael yr hyn a ddilëwyd, oherwydd nad yw digwyddiadau a ddilëwyd yn cael eu cadw (mae trash_days yn 0).',
    changedFromHistory: 'Gellir adfer yr hyn a newidiwyd ar dudalen “Hanes” pob digwyddiad.',
    nothingKept: 'Nid yw fersiynau cynharach yn cael eu cadw chwaith.',
  },
  test: (name) => `Prawf yw hwn: mae e-bost o galendr “${name}” wedi eich cyrraedd.`,
}
