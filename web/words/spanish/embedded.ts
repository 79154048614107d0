// Words of the embed script in Spanish.
import type * as english from '../english/embedded.ts'

export const embedded: typeof english.embedded = {
  locale: 'es',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: (text) => text.replaceAll(',', ''),
  loading: 'Cargando…',
  nothing: 'No hay próximos eventos.',
  unreachable: 'No se puede acceder al calendario en este momento.',
  tryAgain: 'Reintentar',
  upcoming: 'Próximamente',
  calendar: 'Calendario',
  zone: (name) => `Zona horaria: ${name}`,
  privateEvent: 'Evento privado',
}
