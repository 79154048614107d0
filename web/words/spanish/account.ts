// Words of sign-in, registration and the account pages in Spanish.
import type * as english from '../english/account.ts'

export const account: typeof english.account = {
  email: 'Correo electrónico',
  password: 'Contraseña',
  newPassword: 'Nueva contraseña',
  showPassword: 'Mostrar la contraseña',
  hidePassword: 'Ocultar la contraseña',
  passwordHint: 'Al menos 12 caracteres. Unas cuantas palabras sin relación entre sí sirven bien.',
  passwordProblems: {
    required: 'Elija una contraseña.',
    too_short: 'Esta contraseña es demasiado corta. Use al menos 12 caracteres.',
    too_long: 'Esta contraseña es demasiado larga. Use como máximo 128 caracteres.',
  },
  emailProblems: {
    required: 'Escriba su dirección de correo.',
    invalid_format: 'Esto no parece una dirección de correo.',
  },

  signInFirst: 'Inicie sesión para ver esta página.',
  stay: 'Mantener la sesión iniciada.',
  stayHint:
    'Hasta 30 días. No lo use en un ordenador compartido. La sesión de un administrador se cierra de todos modos tras dos horas sin actividad.',
  forgotten: '¿Ha olvidado su contraseña?',
  noAccount: '¿Todavía no tiene cuenta? Solicite una',
  signedInAs: (email) => `Ha iniciado sesión como ${email}.`,
  carryOn: 'Continuar',
  refusals: {
    invalid_credentials: 'No se pudo iniciar sesión. Compruebe la dirección de correo y la contraseña.',
    account_pending:
      'Su contraseña es correcta, pero su solicitud sigue pendiente de un administrador. Vuelva a intentarlo cuando haya recibido su respuesta.',
    account_rejected:
      'Un administrador ha rechazado su solicitud, por lo que no puede iniciar sesión. Póngase en contacto con él si cree que es un error.',
    account_suspended:
      'Esta cuenta está suspendida. No podrá iniciar sesión hasta que un administrador la restablezca. Póngase en contacto con él para saber el motivo.',
    email_not_verified:
      'Su contraseña es correcta, pero su dirección de correo todavía no está confirmada: no se ha abierto el enlace del mensaje.',
  },
  unopened:
    'Su contraseña es correcta, pero todavía no se ha abierto el enlace del mensaje que confirma su dirección. Ábralo primero; después, un administrador revisará su solicitud.',
  perhapsUnopened:
    '¿O ha solicitado una cuenta y todavía no ha abierto el enlace del mensaje? Podrá iniciar sesión después de hacerlo.',
  newLinkForAddress: 'Enviarme un enlace nuevo',
  unverifiedNoMail:
    'Su contraseña es correcta, pero su dirección de correo no está confirmada. Pida a un administrador que la confirme.',
  againTitle: 'Inicie sesión de nuevo',
  again:
    'La sesión se ha cerrado. La página que hay detrás de esta ventana está tal como la dejó. Inicie sesión de nuevo para continuar.',
  againOther: 'Iniciar sesión con otra cuenta',
  otherTitle: 'Ahora hay otra persona con la sesión iniciada aquí',
  other: (user, other) =>
    `Abrió esta página como ${user}, pero después ${other} ha iniciado sesión en este navegador. No se ha enviado nada de lo que escribió aquí.`,
  otherReload: (other) => `Recargar la página como ${other}`,
  otherStay: 'Dejarla como está',

  registerTitle: 'Solicitar una cuenta',
  registerLead: 'Con una cuenta también se ven los eventos privados, y quizá pueda añadir y editar eventos.',
  steps: [
    'Rellene este formulario.',
    'Abra el enlace que le enviamos por correo, para confirmar que la dirección es suya.',
    'Un administrador revisa su solicitud. En cuanto la apruebe, podrá iniciar sesión.',
  ],
  stepsNoMail: [
    'Rellene este formulario.',
    'Un administrador revisa su solicitud. Este calendario no envía correo, así que pregúntele si ya puede iniciar sesión.',
  ],
  nameHint: 'Solo los administradores pueden verlo.',
  message: 'Mensaje para el administrador',
  messageHint: 'Quién es usted y qué le gustaría hacer aquí.',
  trap: 'Deje este campo vacío',
  register: 'Enviar mi solicitud',
  proving: 'Un momento: su navegador está resolviendo un pequeño problema, para evitar los robots…',
  checkMailTitle: 'Consulte su correo',
  checkMail: (email) => `Hemos enviado un mensaje a ${email}.`,
  checkMailNext: [
    'Abra el enlace que contiene en un plazo de 24 horas y pulse el botón.',
    'Después, un administrador revisará su solicitud. Puede tardar uno o dos días.',
    '¿No ha llegado nada? Mire en la carpeta de correo no deseado y compruebe que la dirección esté bien escrita.',
  ],
  receivedTitle: 'Se ha recibido su solicitud',
  received: 'Un administrador la revisará. Puede tardar uno o dos días.',
  receivedNoMail: 'Este calendario no envía correo. Pregunte a un administrador o intente iniciar sesión más tarde.',
  resend: 'Enviar otro enlace',
  resent: (email) =>
    `Si ${email} sigue sin confirmar, hay otro mensaje en camino. Su enlace confirma la dirección y permite elegir de nuevo la contraseña. Se envía como máximo una vez al día.`,
  registerOther: 'Usar otra dirección',

  verifyTitle: 'Confirmar su dirección de correo',
  verifyLead: 'Pulse el botón para confirmar que esta dirección es suya.',
  verify: 'Confirmar mi dirección',
  verified: 'Su dirección de correo está confirmada.',
  verifiedWaiting:
    'Su dirección de correo está confirmada. Un administrador revisará su solicitud y recibirá usted una respuesta.',
  verifiedPassword:
    'Su dirección de correo está confirmada. La cuenta se solicitó más de una vez, así que le enviamos otro mensaje para que elija su contraseña.',
  verifiedPasswordNoMail:
    'Su dirección de correo está confirmada. La cuenta se solicitó más de una vez, así que necesita un enlace para elegir su contraseña. Este calendario no envía correo: pida el enlace a un administrador.',
  incompleteLink: 'Este enlace está incompleto. Ábralo de nuevo desde el mensaje.',

  forgotTitle: 'Contraseña olvidada',
  forgotLead:
    'Si esta dirección tiene una cuenta, le enviaremos un enlace para elegir una contraseña nueva. El enlace también confirma la dirección, si eso sigue pendiente.',
  forgotLeadNoMail:
    'Este calendario no envía correo. Si esta dirección tiene una cuenta, se guarda en el servidor un enlace para elegir una contraseña nueva, y un administrador puede dárselo.',
  sendLink: 'Enviarme un enlace',
  sendLinkNoMail: 'Pedir un enlace',
  linkSent: 'Si esta dirección tiene una cuenta, hay un mensaje en camino. Su enlace sirve durante una hora.',
  linkStored:
    'Si esta dirección tiene una cuenta, el enlace estará en el servidor durante una hora. Pídaselo a un administrador.',
  resetTitle: 'Elegir una contraseña nueva',
  resetLead:
    'Sustituye a la anterior. Se cerrarán todas sus sesiones y sus dispositivos necesitarán nuevas contraseñas de aplicación.',
  reset: 'Cambiar mi contraseña',
  resetDone: 'Su contraseña se ha cambiado. Inicie sesión con la nueva.',
  newLink: 'Solicitar un enlace nuevo',

  parts: 'Páginas de la cuenta',
  overview: 'Resumen',
  role: 'Rol',
  roles: {
    reader: 'Lectura: ve todos los eventos, también los privados',
    writer: 'Escritura: ve, añade y modifica todos los eventos',
    admin: 'Administración: ve, añade y modifica todos los eventos, y gestiona las cuentas',
  },
  mailLanguage: 'Idioma de los correos',
  mailLanguageLead:
    'Los correos que se le envían se escriben en este idioma. Las páginas siguen a su navegador, o a lo que elija al pie de cada página.',
  mailLanguageSaved: 'El idioma se ha guardado.',
  calendarLanguage: 'El idioma del calendario',
  currentPassword: 'Contraseña actual',
  currentProblems: {
    not_allowed: 'Esta no es su contraseña actual.',
    required: 'Escriba su contraseña actual.',
  },
  changeLead:
    'Se cerrarán todas sus demás sesiones. Las contraseñas de aplicación, los enlaces de suscripción y los tokens no cambian.',
  changed: 'Su contraseña se ha cambiado. Se han cerrado todas sus demás sesiones.',
  outLead: 'Cierra todas sus sesiones, también esta. Úselo si dejó la sesión iniciada en un ordenador que no es suyo.',
  out: 'Cerrar sesión en todas partes',

  name: 'Nombre',
  none: 'Todavía no hay nada aquí.',
  neverUsed: 'Sin usar',
  lastUsed: (when) => `Último uso: ${when}`,
  made: (when) => `Creación: ${when}`,
  shownOnce: 'Esto solo se muestra una vez. Cópielo antes de continuar.',
  tookIt: 'Ya lo he copiado',
  keep: 'Conservar',
  noMore: 'Ha alcanzado el límite. Elimine algo que ya no use.',

  devicesTitle: 'Contraseñas de aplicación',
  devicesLead:
    'Una contraseña de aplicación permite que la aplicación de calendario de su teléfono u ordenador use este calendario. Cree una para cada dispositivo. Si pierde un dispositivo, elimine aquí su contraseña; las demás seguirán funcionando.',
  deviceName: 'Dispositivo o aplicación',
  deviceHint: 'Por ejemplo: mi teléfono.',
  makeDevice: 'Crear una contraseña de aplicación',
  deviceMade: (name) => `La contraseña de aplicación para «${name}»`,
  devicesYours: 'Sus contraseñas de aplicación',
  deviceGoes: (name) =>
    `«${name}» perderá el acceso de inmediato. Los eventos que se añadieron con esta contraseña permanecen en el calendario.`,
  deleted: (name) => `Se ha eliminado «${name}».`,
  deleteNamed: (name) => `Eliminar ${name}`,
  deleteTitle: (name) => `¿Eliminar «${name}»?`,

  guideTitle: 'Configurar su aplicación de calendario',
  guideLead: 'Todas las aplicaciones necesitan solo estos tres datos:',
  guideServer: 'Dirección del servidor',
  guideUser: 'Nombre de usuario',
  guidePassword: 'Contraseña: una de las contraseñas de aplicación de arriba.',
  guides: ({ server, host, email }) => [
    {
      name: 'iPhone y iPad',
      steps: [
        'Ajustes › Apps › Calendario › Cuentas de calendario › Añadir cuenta › Otra › Añadir cuenta CalDAV.',
        `Servidor: ${host}`,
        `Nombre de usuario: ${email}`,
        'Contraseña: la contraseña de aplicación. La descripción es libre.',
        'En «Obtener datos» se ajusta cada cuánto se comprueban los cambios.',
      ],
    },
    {
      name: 'Mac (Calendario de Apple)',
      steps: [
        'Ajustes del Sistema › Cuentas de Internet › Añadir cuenta › Añadir otra cuenta › Cuenta CalDAV.',
        'Tipo de cuenta: Manual.',
        `Nombre de usuario: ${email}`,
        'Contraseña: la contraseña de aplicación.',
        `Dirección del servidor: ${host}`,
      ],
    },
    {
      name: 'Thunderbird',
      steps: [
        'Calendario › Nuevo calendario › En la red.',
        `Nombre de usuario: ${email}`,
        `Dirección: ${server}`,
        'Pulse «Buscar calendarios», elija el que se encuentre y escriba la contraseña de aplicación cuando se pida.',
        'Marque «Soporte sin conexión», para que solo se descarguen los cambios.',
      ],
    },
    {
      name: 'Android (DAVx⁵)',
      steps: [
        'Pulse + y elija «Iniciar sesión con URL y nombre de usuario».',
        `URL base: ${server}`,
        `Nombre de usuario: ${email}`,
        'Contraseña: la contraseña de aplicación.',
        'Marque el calendario en CalDAV. Aparecerá entonces en cualquier aplicación de calendario del teléfono.',
      ],
    },
    {
      name: 'Evolution y GNOME',
      steps: [
        'Evolution: Archivo › Nuevo › Calendario, tipo CalDAV.',
        `URL: ${server}`,
        `Usuario: ${email}; después, Buscar calendarios, y la contraseña de aplicación cuando se pida.`,
        'GNOME: Configuración › Cuentas en línea › Calendario, contactos y archivos (WebDAV), con los mismos datos.',
      ],
    },
    {
      name: 'vdirsyncer',
      steps: ['En su archivo de configuración, con la contraseña de aplicación en el depósito de claves:'],
      code: `[storage calendar]
type = "caldav"
url = "${server}"
username = "${email}"
password.fetch = ["command", "secret-tool", "lookup", "service", "daybook"]`,
    },
  ],

  feedsTitle: 'Enlaces de suscripción',
  feedsLead:
    'Un enlace de suscripción permite mostrar este calendario en una aplicación que no puede iniciar sesión, como Google Calendar. Cualquiera que tenga el enlace puede usarlo: trátelo como una contraseña.',
  feedHint: 'Por ejemplo: Google Calendar.',
  detail: 'Qué muestra',
  details: {
    full: 'Todo, también los detalles de los eventos privados',
    masked: 'Lo que ve el público: los eventos privados solo como «Private Event»',
  },
  detailChoices: { full: 'Todo', masked: 'Lo que ve el público' },
  detailHints: {
    full: 'También los detalles de los eventos privados.',
    masked: 'Los eventos privados solo como «Private Event».',
  },
  category: 'Solo esta categoría',
  makeFeed: 'Crear un enlace',
  feedMade: (name) => `El enlace para «${name}»`,
  feedAddress: 'Dirección de suscripción',
  feedsYours: 'Sus enlaces',
  feedGoes: (name) => `Las aplicaciones que usan «${name}» dejarán de recibir eventos de inmediato.`,
  onlyCategory: (category) => `Solo «${category}»`,
  rename: 'Cambiar nombre',
  renameNamed: (name) => `Cambiar nombre de ${name}`,
  renameTitle: (name) => `Cambiar el nombre de «${name}»`,

  tokensTitle: 'Tokens de API',
  tokensLead:
    'Para programas que usted mismo escribe o ejecuta. Un token solo permite lo que se marque aquí, y nunca más de lo que usted puede hacer.',
  apiDocs: 'Cómo usar la API',
  tokenHint: 'Por ejemplo: nuestro sitio web.',
  scopesLabel: 'Qué permite',
  scopes: {
    'events:read': 'Leer todos los eventos, también los privados',
    'events:write': 'Añadir, modificar y eliminar eventos',
    admin: 'Administrar: personas, importación, exportación',
  },
  scopesNeeded: 'Marque al menos una opción.',
  expiry: 'Válido durante',
  expiries: { '30': '30 días', '90': '90 días', '365': 'un año', '730': 'dos años' },
  makeToken: 'Crear un token',
  tokenLabel: 'Token',
  tokenMade: (name) => `El token «${name}»`,
  tokensYours: 'Sus tokens',
  tokenGoes: (name) => `Los programas que usan «${name}» perderán el acceso de inmediato.`,
  endsWith: (last) => `Termina en …${last}`,
  expires: (when) => `Válido hasta el ${when}`,
  expired: (when) => `Caducó el ${when}`,

  sessions: 'Sesiones',
  sessionsTitle: 'Mis sesiones iniciadas',
  sessionsLead: 'Si no reconoce alguna de ellas, ciérrela y cambie su contraseña.',
  sessionsYours: 'Sus sesiones',
  current: 'Este navegador',
  browserOn: (browser, system) => `${browser} en ${system}`,
  someBrowser: 'Un navegador desconocido',
  signedInAt: (when) => `Inicio: ${when}`,
  lastSeen: (when) => `último uso: ${when}`,
  from: (network) => `Desde la red ${network}`,
  endsAt: (when) => `Caduca si no se usa: ${when}`,
  end: 'Cerrar la sesión',
  endNamed: (name) => `Cerrar la sesión: ${name}`,
  ended: 'La sesión se ha cerrado.',
  endOthers: 'Cerrar todas las demás sesiones',
  othersEnded: 'Se han cerrado todas las demás sesiones.',
  noOthers: 'No tiene ninguna otra sesión iniciada.',
}
