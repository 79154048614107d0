// Words of all mails in Spanish. `name` is that of the calendar.
import { createPlural } from '../../words/plural.ts'
import type * as english from './english.ts'

const plural = createPlural('es')

export const mail: typeof english.mail = {
  hello: 'Hola:',
  subjects: {
    verification: (name) => `${name}: confirme su dirección de correo`,
    already_registered: (name) => `${name}: ya tiene una cuenta`,
    reset: (name) => `${name}: restablecimiento de su contraseña`,
    set_password: (name) => `${name}: elija su contraseña`,
    password_changed: (name) => `${name}: su contraseña se ha cambiado`,
    approved: (name) => `${name}: su cuenta se ha aprobado`,
    rejected: (name) => `${name}: su solicitud no se ha aprobado`,
    suspended: (name) => `${name}: su cuenta se ha suspendido`,
    access_requested: (name) => `${name}: alguien ha solicitado una cuenta`,
    backup_failed: (name) => `${name}: fallan las copias de seguridad`,
    bulk_changes: (name) => `${name}: se han eliminado o modificado muchísimos eventos`,
    test: (name) => `${name}: correo de prueba`,
  },
  linkWorks: (until) => `El enlace sirve una sola vez, hasta esta fecha: ${until}.`,
  ignore: 'Si no ha sido usted, puede ignorar este mensaje.',
  mistake: 'Si cree que se trata de un error, póngase en contacto con los responsables del calendario.',
  verification: (name) =>
    `Se ha solicitado una cuenta en el calendario «${name}» con esta dirección de correo. Si ha sido usted, confirme que la dirección es suya:`,
  alreadyRegistered: {
    tried: (name) =>
      `Alguien ha intentado registrarse en el calendario «${name}» con esta dirección de correo. La dirección ya tiene una cuenta y no se ha cambiado nada.`,
    signIn: 'Si ha sido usted, basta con iniciar sesión:',
    forgotten: 'Si ha olvidado su contraseña, puede elegir una nueva:',
  },
  registeredAgain: {
    confirm: (name) =>
      `Se ha vuelto a solicitar una cuenta en el calendario «${name}» con esta dirección de correo. La primera solicitud sigue en pie, con el nombre indicado entonces, pero la dirección nunca se confirmó. Si ha sido usted, confirme que la dirección es suya:`,
    afterwards:
      'Después le enviaremos otro mensaje para elegir una contraseña, porque la primera puede ser de otra persona.',
  },
  reset: {
    choose: (name) =>
      `Se ha solicitado una contraseña nueva para su cuenta del calendario «${name}». Si ha sido usted, puede elegirla aquí:`,
    ignore: 'Si no ha sido usted, puede ignorar este mensaje: su contraseña sigue como está.',
    chooseUnverified: (name) =>
      `Se ha solicitado una contraseña nueva para la cuenta del calendario «${name}» con esta dirección de correo. La dirección nunca se confirmó. Si ha sido usted, puede confirmarla eligiendo aquí una contraseña:`,
    endsOthers: 'Cualquier contraseña elegida antes para la cuenta dejará entonces de funcionar.',
    ignoreUnverified: 'Si no ha sido usted, puede ignorar este mensaje: no se ha cambiado nada.',
  },
  setPassword: {
    approved: (name) => `Su cuenta del calendario «${name}» se ha aprobado.`,
    exists: (name) => `Existe una cuenta del calendario «${name}» para esta dirección de correo.`,
    choose:
      'Se solicitó más de una vez, quizá por otra persona, así que la contraseña original ya no funciona. Elija una nueva:',
    expired: 'Si el enlace ha caducado, puede solicitar otro:',
    ignore: 'Si no ha solicitado una cuenta, puede ignorar este mensaje.',
  },
  passwordChanged: {
    changed: (name, when) => `La contraseña de su cuenta del calendario «${name}» se cambió en esta fecha: ${when}.`,
    act: 'Si ha sido usted, no hay nada que hacer. Si no, elija de inmediato una contraseña nueva y póngase en contacto con los responsables del calendario:',
  },
  approved: {
    approved: (name) => `Su cuenta del calendario «${name}» se ha aprobado.`,
    signIn: 'Ya puede iniciar sesión:',
    confirm:
      'Queda un paso: su dirección de correo nunca se confirmó. Para confirmarla, elija una contraseña nueva con un enlace que le enviaremos. Solicite ese enlace aquí:',
  },
  rejected: (name) => `Su solicitud de una cuenta en el calendario «${name}» no se ha aprobado.`,
  suspended: (name) =>
    `Su cuenta del calendario «${name}» se ha suspendido. No podrá iniciar sesión hasta que un administrador la restablezca.`,
  accessRequested: {
    waiting: (name, count) =>
      plural(count, {
        one: `Una persona espera una cuenta en el calendario «${name}».`,
        other: `${count} personas esperan una cuenta en el calendario «${name}».`,
      }),
    decide: (count) =>
      `Como administrador, puede aprobar o rechazar ${count === 1 ? 'la solicitud' : 'las solicitudes'}:`,
  },
  backupFailed: {
    causes: {
      full: (problem) => `no queda sitio en el disco (${problem})`,
      denied: (problem) => `el servicio no puede escribir ahí (${problem})`,
      missing: (problem) => `falta la carpeta o un archivo (${problem})`,
      other: (problem) => `el servidor indica «${problem}»`,
    },
    failed: (name, problem) => `La copia de seguridad programada del calendario «${name}» ha fallado: ${problem}`,
    again:
      'Se vuelve a intentar cada cuarto de hora. Hasta que funcione, los cambios hechos desde la última copia solo existen en el propio calendario.',
  },
  bulkChanges: {
    happened: (name, limit, means, when) =>
      `Una cuenta ha eliminado o modificado más de ${limit} eventos del calendario «${name}» en diez minutos, ${means} (${when}). Los siguientes cambios hechos de este modo se ralentizan.`,
    means: {
      session: 'en un navegador',
      password: 'con la contraseña de la cuenta',
      app_password: 'con una contraseña de aplicación, como las que usan los programas de calendario',
      token: 'con un token de API',
    },
    intended: 'Si era lo que se quería, no hay nada que hacer.',
    stop: 'Si no, deténgalo primero: suspenda la cuenta, que figura en el registro de auditoría.',
    rewind:
      'Después, recupere todo lo que la cuenta eliminó o modificó. Esta página muestra primero qué volverá a ser como era:',
    onlyDeleted: 'Para restaurar solo lo que se eliminó, y solo de este modo:',
    restore: 'Después, restaure lo que se eliminó:',
    changedFromBackup:
      'Lo que se modificó solo se puede tomar de una copia de seguridad, porque no se conservan versiones anteriores de los eventos (history_days es 0).',
    deletedFromBackup:
      'Lo que se eliminó solo se puede tomar de una copia de seguridad, porque no se conservan los eventos eliminados (trash_days es 0).',
    changedFromHistory: 'Lo que se modificó se puede restaurar en la página «Historial» de cada evento.',
    nothingKept: 'Tampoco se conservan las versiones anteriores.',
  },
  test: (name) => `Esto es una prueba: le ha llegado un correo del calendario «${name}».`,
}
