// Words of the first run and of the page about embedding in Spanish.
import type * as english from '../english/setup.ts'

export const setup: typeof english.setup = {
  title: 'Le damos la bienvenida a Daybook',
  lead: 'Su calendario estará listo en dos minutos: cree su cuenta y póngale nombre al calendario.',
  you: 'Usted, el administrador',
  emailHint: 'Sirve para iniciar sesión. Solo los administradores pueden verla.',
  name: 'Su nombre',
  calendar: 'El calendario',
  siteName: 'Nombre del calendario',
  zone: 'Zona horaria',
  zoneHint: 'Para las fechas y horas sin zona horaria propia. Por ejemplo: Europe/Madrid.',
  weekStart: 'La semana empieza el',
  weekStartAuto: 'según el idioma del lector',
  submit: 'Crear el calendario',
  codeWrong:
    'El código de este enlace no es correcto, ya se ha usado o ha caducado. El último enlace aparece donde se inició Daybook; vuelva a iniciarlo para obtener uno nuevo.',
  doneTitle: 'Este calendario ya está configurado',
  done: 'Ya tiene un administrador, así que aquí no hay nada que hacer.',
  noCodeTitle: 'Este enlace está incompleto',
  noCode: [
    'Este calendario todavía no tiene administrador. Para serlo, abra el enlace completo que se mostró donde se inició Daybook. Termina en:',
    '¿No lo encuentra? Vuelva a iniciar Daybook y mostrará uno nuevo.',
    'O ejecute esto en el servidor:',
  ],
  readyTitle: 'Su calendario está listo',
  ready: 'Usted es su administrador y su sesión está iniciada.',
  kept: (names) =>
    `Su elección no se ha aplicado, porque el operador ha fijado estos valores en la configuración del servidor: ${names}.`,
  next: '¿Y ahora qué?',
  toCalendar: 'Abrir el calendario',
  toImport: 'Importar eventos de otro calendario',
  demo: '¿Solo está de visita? Esta orden llena el calendario con los eventos de un centro cívico:',
}

export const embed: typeof english.embed = {
  title: 'Insertar este calendario',
  lead: 'Muestre este calendario en cualquier página web: copie dos líneas y péguelas donde deba aparecer. Los visitantes no reciben cookies y los eventos privados solo muestran su horario.',
  choices: '¿Qué debe mostrar?',
  theme: 'Colores',
  themes: [
    ['', 'Como la página'],
    ['light', 'Claros'],
    ['dark', 'Oscuros'],
  ],
  limit: 'Número de eventos',
  upcomingTitle: 'Próximamente',
  upcomingAbout: 'Una lista corta para una barra lateral o una portada. Solo ocupa unos pocos kilobytes.',
  calendarTitle: 'El calendario completo',
  calendarAbout: 'Mes, semana, día, lista o año, con sus propios botones. La cuadrícula solo se carga donde se usa.',
  code: 'Copie esto en su página',
  frameTitle: 'En un marco',
  frameAbout:
    'Para sitios que no permiten scripts. Su sitio debe figurar en el ajuste embed_sites; consulte a la persona que gestiona este calendario.',
  wordpressTitle: 'WordPress',
  wordpressAbout:
    'Ponga esto en el archivo functions.php de su tema hijo o en un pequeño plugin. Necesita WordPress 6.5.',
  wordpressCode: 'Para functions.php',
  wordpressUse: 'Después, ponga esto donde deba aparecer la lista, en cualquier página, entrada o widget de texto:',
  shortcode: 'Shortcode',
  lookTitle: 'Colores y tipos de letra',
  lookAbout:
    'Defina estas propiedades personalizadas en la hoja de estilo de su sitio, en el elemento o en cualquiera que lo rodee.',
  properties: [
    ['--daybook-ink', 'Texto'],
    ['--daybook-muted', 'Texto menos importante'],
    ['--daybook-accent', 'Enlaces, botones, hoy'],
    ['--daybook-paper', 'Fondo'],
    ['--daybook-card', 'Fondo de la cuadrícula'],
    ['--daybook-line', 'Líneas'],
    ['--daybook-font', 'Tipo de letra, como la propiedad CSS font'],
  ],
}
