// Words of all mails in German. `name` is that of the calendar.
import type * as english from './english.ts'

export const mail: typeof english.mail = {
  hello: 'Guten Tag,',
  subjects: {
    verification: (name) => `${name}: Bitte bestätigen Sie Ihre E-Mail-Adresse`,
    already_registered: (name) => `${name}: Sie haben schon ein Konto`,
    reset: (name) => `${name}: Passwort zurücksetzen`,
    set_password: (name) => `${name}: Bitte wählen Sie Ihr Passwort`,
    password_changed: (name) => `${name}: Ihr Passwort wurde geändert`,
    approved: (name) => `${name}: Ihr Konto wurde freigegeben`,
    rejected: (name) => `${name}: Ihre Anfrage wurde nicht angenommen`,
    suspended: (name) => `${name}: Ihr Konto wurde gesperrt`,
    access_requested: (name) => `${name}: Jemand hat ein Konto angefragt`,
    backup_failed: (name) => `${name}: Sicherungen schlagen fehl`,
    bulk_changes: (name) => `${name}: Sehr viele Veranstaltungen wurden gelöscht oder geändert`,
    test: (name) => `${name}: Test-E-Mail`,
  },
  linkWorks: (until) => `Der Link funktioniert einmal, bis ${until}.`,
  ignore: 'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.',
  mistake: 'Wenn Sie das für einen Irrtum halten, wenden Sie sich bitte an die Betreiber des Kalenders.',
  verification: (name) =>
    `Für diese E-Mail-Adresse wurde ein Konto bei ${name} angefragt. Wenn Sie das waren, bestätigen Sie bitte, dass die Adresse Ihnen gehört:`,
  alreadyRegistered: {
    tried: (name) =>
      `Jemand hat versucht, sich mit dieser E-Mail-Adresse bei ${name} zu registrieren. Es gibt dort schon ein Konto für sie, und es wurde nichts geändert.`,
    signIn: 'Wenn Sie das waren, können Sie sich einfach anmelden:',
    forgotten: 'Wenn Sie Ihr Passwort vergessen haben, können Sie ein neues wählen:',
  },
  registeredAgain: {
    confirm: (name) =>
      `Für diese E-Mail-Adresse wurde erneut ein Konto bei ${name} angefragt. Die erste Anfrage besteht weiter, mit dem damals angegebenen Namen, aber die Adresse wurde nie bestätigt. Wenn Sie das waren, bestätigen Sie bitte, dass die Adresse Ihnen gehört:`,
    afterwards:
      'Danach senden wir Ihnen eine weitere E-Mail, mit der Sie ein Passwort wählen, denn das erste könnte von jemand anderem stammen.',
  },
  reset: {
    choose: (name) =>
      `Für Ihr Konto bei ${name} wurde ein neues Passwort angefordert. Wenn Sie das waren, können Sie es hier wählen:`,
    ignore: 'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist.',
    chooseUnverified: (name) =>
      `Für das Konto mit dieser E-Mail-Adresse bei ${name} wurde ein neues Passwort angefordert. Die Adresse wurde nie bestätigt. Wenn Sie das waren, können Sie sie bestätigen, indem Sie hier ein Passwort wählen:`,
    endsOthers: 'Jedes Passwort, das früher für das Konto gewählt wurde, gilt dann nicht mehr.',
    ignoreUnverified: 'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Es wurde nichts geändert.',
  },
  setPassword: {
    approved: (name) => `Ihr Konto bei ${name} wurde freigegeben.`,
    exists: (name) => `Bei ${name} gibt es ein Konto für diese E-Mail-Adresse.`,
    choose:
      'Es wurde mehr als einmal angefragt, möglicherweise von jemand anderem. Deshalb gilt das ursprüngliche Passwort nicht mehr. Bitte wählen Sie ein neues:',
    expired: 'Wenn der Link abgelaufen ist, können Sie einen anderen anfordern:',
    ignore: 'Wenn Sie kein Konto angefragt haben, können Sie diese E-Mail ignorieren.',
  },
  passwordChanged: {
    changed: (name, when) => `Das Passwort Ihres Kontos bei ${name} wurde geändert: ${when}.`,
    act: 'Wenn Sie das waren, ist nichts zu tun. Wenn nicht, wählen Sie sofort ein neues Passwort und wenden Sie sich an die Betreiber des Kalenders:',
  },
  approved: {
    approved: (name) => `Ihr Konto bei ${name} wurde freigegeben.`,
    signIn: 'Sie können sich jetzt anmelden:',
    confirm:
      'Ein Schritt fehlt noch: Ihre E-Mail-Adresse wurde nie bestätigt. Um sie zu bestätigen, wählen Sie ein neues Passwort mit einem Link, den wir Ihnen senden. Fordern Sie diesen Link hier an:',
  },
  rejected: (name) => `Ihre Anfrage für ein Konto bei ${name} wurde nicht angenommen.`,
  suspended: (name) =>
    `Ihr Konto bei ${name} wurde gesperrt. Sie können sich erst wieder anmelden, wenn ein Administrator die Sperre aufhebt.`,
  accessRequested: {
    waiting: (name, count) =>
      count === 1
        ? `Eine Person wartet auf ein Konto bei ${name}.`
        : `${count} Personen warten auf ein Konto bei ${name}.`,
    decide: (count) =>
      `Als Administrator können Sie ${count === 1 ? 'die Anfrage' : 'die Anfragen'} annehmen oder ablehnen:`,
  },
  backupFailed: {
    causes: {
      full: (problem) => `auf dem Datenträger ist kein Platz mehr (${problem})`,
      denied: (problem) => `der Dienst darf dort nicht schreiben (${problem})`,
      missing: (problem) => `der Ordner oder eine Datei fehlt (${problem})`,
      other: (problem) => `die Meldung des Servers ist „${problem}“`,
    },
    failed: (name, problem) => `Die geplante Sicherung von ${name} ist fehlgeschlagen: ${problem}`,
    again:
      'Sie wird jede Viertelstunde erneut versucht. Bis sie gelingt, gibt es Änderungen seit der letzten Sicherung nur im Kalender selbst.',
  },
  bulkChanges: {
    happened: (name, limit, means, when) =>
      `Ein Konto hat ${means} innerhalb von zehn Minuten mehr als ${limit} Veranstaltungen von ${name} gelöscht oder geändert (${when}). Weitere Änderungen auf diesem Weg werden verlangsamt.`,
    means: {
      session: 'in einem Browser',
      password: 'mit dem Passwort des Kontos',
      app_password: 'mit einem App-Passwort, wie Kalenderprogramme es verwenden,',
      token: 'mit einem API-Token',
    },
    intended: 'Wenn das beabsichtigt war, ist nichts zu tun.',
    stop: 'Wenn nicht, beenden Sie es zuerst: Sperren Sie das Konto, das im Protokoll steht.',
    rewind:
      'Holen Sie dann alles zurück, was das Konto gelöscht oder geändert hat. Diese Seite zeigt zuerst, was wieder wird, wie es war:',
    onlyDeleted: 'Um nur das wiederherzustellen, was auf diesem Weg gelöscht wurde:',
    restore: 'Stellen Sie dann wieder her, was gelöscht wurde:',
    changedFromBackup:
      'Was geändert wurde, gibt es nur noch in einer Sicherung, weil frühere Fassungen von Veranstaltungen nicht aufbewahrt werden (history_days ist 0).',
    deletedFromBackup:
      'Was gelöscht wurde, gibt es nur noch in einer Sicherung, weil gelöschte Veranstaltungen nicht aufbewahrt werden (trash_days ist 0).',
    changedFromHistory:
      'Was geändert wurde, kann auf der Seite „Verlauf“ jeder Veranstaltung wiederhergestellt werden.',
    nothingKept: 'Auch frühere Fassungen werden nicht aufbewahrt.',
  },
  test: (name) => `Das ist ein Test: E-Mail von ${name} hat Sie erreicht.`,
}
