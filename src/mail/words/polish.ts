// Words of all mails in Polish. `name` is that of the calendar.
import { createPlural } from '../../words/plural.ts'
import type * as english from './english.ts'

const plural = createPlural('pl')

export const mail: typeof english.mail = {
  hello: 'Dzień dobry,',
  subjects: {
    verification: (name) => `${name}: potwierdź adres e-mail`,
    already_registered: (name) => `${name}: to konto już istnieje`,
    reset: (name) => `${name}: resetowanie hasła`,
    set_password: (name) => `${name}: wybierz hasło`,
    password_changed: (name) => `${name}: hasło zostało zmienione`,
    approved: (name) => `${name}: konto zostało przyjęte`,
    rejected: (name) => `${name}: prośba nie została przyjęta`,
    suspended: (name) => `${name}: konto zostało zawieszone`,
    access_requested: (name) => `${name}: ktoś poprosił o konto`,
    backup_failed: (name) => `${name}: kopie zapasowe nie powstają`,
    bulk_changes: (name) => `${name}: usunięto lub zmieniono bardzo wiele wydarzeń`,
    test: (name) => `${name}: wiadomość testowa`,
  },
  linkWorks: (until) => `Link działa jeden raz, do tej chwili: ${until}.`,
  ignore: 'Jeśli to pomyłka lub prośba kogoś innego, zignoruj tę wiadomość.',
  mistake: 'Jeśli to pomyłka, skontaktuj się z osobami, które prowadzą kalendarz.',
  verification: (name) =>
    `Ktoś podał ten adres e-mail w prośbie o konto w kalendarzu „${name}”. Jeśli ta prośba pochodzi od Ciebie, potwierdź, że adres należy do Ciebie:`,
  alreadyRegistered: {
    tried: (name) =>
      `Ktoś podał ten adres e-mail w prośbie o konto w kalendarzu „${name}”. Ten adres ma już konto i nic nie zostało zmienione.`,
    signIn: 'Jeśli ta prośba pochodzi od Ciebie, po prostu się zaloguj:',
    forgotten: 'Jeśli nie pamiętasz hasła, wybierz nowe:',
  },
  registeredAgain: {
    confirm: (name) =>
      `Ktoś ponownie podał ten adres e-mail w prośbie o konto w kalendarzu „${name}”. Pierwsza prośba pozostaje w mocy, z podaną wtedy nazwą, ale adres nigdy nie został potwierdzony. Jeśli ta prośba pochodzi od Ciebie, potwierdź, że adres należy do Ciebie:`,
    afterwards:
      'Potem wyślemy jeszcze jedną wiadomość, która pozwoli wybrać hasło, ponieważ pierwsze mogło pochodzić od kogoś innego.',
  },
  reset: {
    choose: (name) =>
      `Ktoś poprosił o nowe hasło do konta z tym adresem e-mail w kalendarzu „${name}”. Jeśli ta prośba pochodzi od Ciebie, wybierz nowe hasło tutaj:`,
    ignore: 'Jeśli to pomyłka lub prośba kogoś innego, zignoruj tę wiadomość: hasło pozostanie bez zmian.',
    chooseUnverified: (name) =>
      `Ktoś poprosił o nowe hasło do konta z tym adresem e-mail w kalendarzu „${name}”. Adres nigdy nie został potwierdzony. Jeśli ta prośba pochodzi od Ciebie, potwierdź go, wybierając hasło tutaj:`,
    endsOthers: 'Każde hasło wybrane wcześniej dla tego konta przestanie wtedy działać.',
    ignoreUnverified: 'Jeśli to pomyłka lub prośba kogoś innego, zignoruj tę wiadomość: nic nie zostało zmienione.',
  },
  setPassword: {
    approved: (name) => `Konto w kalendarzu „${name}” zostało przyjęte.`,
    exists: (name) => `W kalendarzu „${name}” istnieje konto z tym adresem e-mail.`,
    choose:
      'Poproszono o nie więcej niż raz, być może zrobił to ktoś inny, dlatego pierwotne hasło już nie działa. Wybierz nowe:',
    expired: 'Jeśli link wygasł, poproś o kolejny:',
    ignore: 'Jeśli prośba o konto nie pochodzi od Ciebie, zignoruj tę wiadomość.',
  },
  passwordChanged: {
    changed: (name, when) => `Hasło do konta w kalendarzu „${name}” zostało zmienione: ${when}.`,
    act: 'Jeśli ta zmiana pochodzi od Ciebie, nie trzeba nic robić. Jeśli nie, natychmiast wybierz nowe hasło i skontaktuj się z osobami, które prowadzą kalendarz:',
  },
  approved: {
    approved: (name) => `Konto w kalendarzu „${name}” zostało przyjęte.`,
    signIn: 'Teraz można się zalogować:',
    confirm:
      'Został jeszcze jeden krok: adres e-mail nigdy nie został potwierdzony. Aby go potwierdzić, trzeba wybrać nowe hasło za pomocą linku, który wyślemy. Poproś o ten link tutaj:',
  },
  rejected: (name) => `Prośba o konto w kalendarzu „${name}” nie została przyjęta.`,
  suspended: (name) =>
    `Konto w kalendarzu „${name}” zostało zawieszone. Nie można się zalogować, dopóki administrator go nie odblokuje.`,
  accessRequested: {
    waiting: (name, count) =>
      count === 1
        ? `Jedna osoba oczekuje na konto w kalendarzu „${name}”.`
        : `${count} ${plural(count, { few: 'osoby oczekują', other: 'osób oczekuje' })} na konto w kalendarzu „${name}”.`,
    decide: (count) => `Administrator może przyjąć lub odrzucić ${count === 1 ? 'tę prośbę' : 'te prośby'} tutaj:`,
  },
  backupFailed: {
    causes: {
      full: (problem) => `na dysku nie ma już miejsca (${problem})`,
      denied: (problem) => `usługa nie może tam zapisywać (${problem})`,
      missing: (problem) => `brakuje folderu lub pliku (${problem})`,
      other: (problem) => `komunikat serwera to „${problem}”`,
    },
    failed: (name, problem) => `Planowa kopia zapasowa kalendarza „${name}” nie powiodła się: ${problem}`,
    again:
      'Kolejna próba jest podejmowana co kwadrans. Dopóki się nie powiedzie, zmiany od ostatniej kopii zapasowej istnieją tylko w samym kalendarzu.',
  },
  bulkChanges: {
    happened: (name, limit, means, when) =>
      `W kalendarzu „${name}” z jednego konta, ${means}, usunięto lub zmieniono w ciągu dziesięciu minut więcej wydarzeń niż ${limit} (${when}). Dalsze zmiany tą drogą są spowalniane.`,
    means: {
      session: 'w jednej przeglądarce',
      password: 'przy użyciu hasła do konta',
      app_password: 'przy użyciu jednego hasła aplikacji, jakich używają programy kalendarza',
      token: 'przy użyciu jednego tokenu API',
    },
    intended: 'Jeśli to było zamierzone, nie trzeba nic robić.',
    stop: 'Jeśli nie, najpierw to powstrzymaj: zawieś konto, które jest podane w dzienniku audytu.',
    rewind:
      'Potem przywróć wszystko, co z tego konta usunięto lub zmieniono. Ta strona najpierw pokazuje, co wróci do dawnego stanu:',
    onlyDeleted: 'Aby przywrócić tylko to, co usunięto, i tylko tą drogą:',
    restore: 'Potem przywróć to, co usunięto:',
    changedFromBackup:
      'To, co zmieniono, można odzyskać tylko z kopii zapasowej, ponieważ wcześniejsze wersje wydarzeń nie są przechowywane (history_days to 0).',
    deletedFromBackup:
      'To, co usunięto, można odzyskać tylko z kopii zapasowej, ponieważ usunięte wydarzenia nie są przechowywane (trash_days to 0).',
    changedFromHistory: 'To, co zmieniono, można przywrócić na stronie „Historia” każdego wydarzenia.',
    nothingKept: 'Wcześniejsze wersje też nie są przechowywane.',
  },
  test: (name) => `To jest test: wiadomość z kalendarza „${name}” dotarła.`,
}
