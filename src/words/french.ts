// Words of pages in French.
import type * as english from './english.ts'
import { createJoin } from './join.ts'
import { createPlural } from './plural.ts'
import type { RuleWords } from './rule-words.ts'

const plural = createPlural('fr')

export const times: typeof english.times = {
  locale: 'fr',
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  /** Intl writes the first of a month as a plain number. */
  day: (text) => text.replace(/(?<!\d)1 (?=\p{L})/u, '1er '),
  to: 'à',
  toDay: 'au',
  allDay: 'toute la journée',
}

const days = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']
const months = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
]
const ordinals = ['premier', 'deuxième', 'troisième', 'quatrième', 'cinquième']
const and = createJoin('fr')
const units = {
  DAILY: { all: 'tous les', name: 'jours' },
  WEEKLY: { all: 'toutes les', name: 'semaines' },
  MONTHLY: { all: 'tous les', name: 'mois' },
  YEARLY: { all: 'tous les', name: 'ans' },
}
const dayNumber = (day: number): string => (day === 1 ? '1er' : `${day}`)

export const rule: RuleWords = {
  custom: 'selon une règle personnalisée',
  days,
  shortDays: days.map((title) => `${title.slice(0, 3)}.`),
  months,
  and,
  everyWeekday: 'tous les jours du lundi au vendredi',
  every: (interval, unit) => {
    const { all, name } = units[unit]
    return interval === 1 ? `${all} ${name}` : `${all} ${interval === 2 ? 'deux' : interval} ${name}`
  },
  everyDays: (some) => `tous les ${and(some.map((day) => `${days[day]}s`))}`,
  everySecondDay: (day) => `un ${days[day]} sur deux`,
  weekOn: (every, some) => `${every} ${and(some.map((day) => `le ${days[day]}`))}`,
  weekdaysOf: (every) => `${every} du lundi au vendredi`,
  allDaysOf: (every) => `${every}, chaque jour de la semaine`,
  monthDay: (day) => `le ${dayNumber(day)}`,
  lastDay: 'le dernier jour',
  place: (which, day) =>
    `le ${which === -1 ? 'dernier' : ordinals[which - 1]} ${day === 'weekday' ? 'jour de semaine' : days[day]}`,
  on: (every, phrase, interval, unit) =>
    interval === 1 && unit === 'MONTHLY' ? `${phrase} de chaque mois` : `${every} ${phrase}`,
  in: (every, month) => `${every} en ${months[month - 1]}`,
  of: (phrase, month) => {
    const name = months[month - 1]!
    // A date has no preposition: `le 1er et le 15 mai`, but `le dernier jour de mai`.
    if (/\d(?:er)?$/.test(phrase)) return `${phrase} ${name}`
    return `${phrase} ${/^[ao]/.test(name) ? 'd’' : 'de '}${name}`
  },
  date: (day, month, year) => `${dayNumber(day)} ${months[month - 1]}${year === undefined ? '' : ` ${year}`}`,
  onDate: (every, date) => `${every} le ${date}`,
  until: (date) => ` jusqu’au ${date}`,
  times: (count) => (count === 1 ? ', une fois' : `, ${count} fois`),
}

export const appPage: typeof english.appPage = {
  description: (site) => `${site} : les événements à consulter, à rechercher et à suivre par abonnement.`,
  needsScript:
    'Cette page a besoin de JavaScript, qui est désactivé ici. Il reste possible de s’abonner au calendrier :',
}

export const eventPage: typeof english.eventPage = {
  missing: 'Cet événement n’existe pas',
  missingHint: 'Il a peut-être été supprimé, ou le lien est incomplet.',
  busy: 'Trop de demandes en ce moment',
  busyHint: 'Veuillez réessayer dans quelques minutes.',
  languages: 'Autres langues',
  skip: 'Aller au contenu',
  calendar: 'Calendrier',
  timesIn: (zone) => `Les heures sont celles du fuseau ${zone}.`,
  repeats: (rule) => `Se répète ${rule}`,
  severalDates: 'À plusieurs dates',
  partOf: 'Une des dates d’un événement qui se répète.',
  allDates: 'Toutes les dates',
  cancelled: 'Cet événement est annulé.',
  movedFrom: (when) => `Déplacé ; date d’origine : ${when}.`,
  cancelledMark: 'Annulé',
  tentative: 'Cet événement n’est pas encore certain.',
  isCancelled: 'annulé',
  privateEvent: 'Événement privé',
  masked: 'Cet événement est privé : seul son horaire est affiché.',
  nextDates: 'Prochaines dates',
  noMoreDates: 'Aucune dans les deux années à venir.',
  where: 'Lieu',
  map: 'Voir sur une carte',
  category: 'Catégorie',
  link: 'Lien',
  add: 'Ajouter à mon calendrier',
  file: 'Fichier de calendrier (.ics)',
  fileOfDate: 'Cette date (.ics)',
  fileOfAll: 'Toutes les dates (.ics)',
  google: 'Google Agenda',
  outlook: 'Outlook',
  subscribe: 'S’abonner à tout le calendrier',
  open: 'Voir dans le calendrier',
  picture: (title, when) => `${title}, ${when}`,
  inYourZone: (times, zone) => `Dans votre fuseau horaire (${zone}) : ${times}`,
  share: 'Partager',
  copyLink: 'Copier le lien',
  linkCopied: 'Lien copié',
  edit: 'Modifier',
  changedBy: (name, date) => `Dernière modification par ${name} le ${date}`,
  changed: (date) => `Dernière modification le ${date}`,
}

const grouped = (count: number): string => count.toLocaleString('fr')

function countDates(count: number): string {
  if (count === 0) return 'Aucune date trouvée'
  return plural(count, { one: `${grouped(count)} date trouvée`, other: `${grouped(count)} dates trouvées` })
}

export const frame: typeof english.frame = {
  skip: 'Aller au contenu',
  ways: 'Menu principal',
  signIn: 'Se connecter',
  missingTitle: 'Page introuvable',
  missing: 'L’adresse contient peut-être une erreur, ou la page a été déplacée.',
  toCalendar: 'Aller au calendrier',
}

export const calendarPage: typeof english.calendarPage = {
  today: 'Aujourd’hui',
  goTo: 'Aller à une date',
  view: 'Vue',
  views: { month: 'Mois', week: 'Semaine', day: 'Jour', list: 'Liste', year: 'Année' },
  next: {
    month: 'Mois suivant',
    week: 'Semaine suivante',
    day: 'Jour suivant',
    list: 'Plus tard',
    year: 'Année suivante',
  },
  previous: {
    month: 'Mois précédent',
    week: 'Semaine précédente',
    day: 'Jour précédent',
    list: 'Plus tôt',
    year: 'Année précédente',
  },
  until: (clock) => `jusqu’à ${clock}`,
  allDay: times.allDay,
  cancelled: 'annulé',
  nothing: 'Il n’y a aucun événement pendant cette période.',
  nothingFound: 'Il n’y a aucun événement de cette catégorie pendant cette période.',
  searchFor: (text) => `Recherche : ${text}`,
  searchAll: 'Rechercher dans toutes les dates',
  found: {
    ahead: (count) => `${countDates(count)} à partir d’aujourd’hui.`,
    past: (count) => `${countDates(count)} avant aujourd’hui.`,
  },
  searchIn: { ahead: 'Rechercher à partir d’aujourd’hui', past: 'Rechercher dans les dates passées' },
  moreFound: (shown, total) => `Afficher la suite (${grouped(shown)} sur ${grouped(total)})`,
  cut: (shown, total) =>
    `Seuls les ${shown} premiers événements sur ${total} sont affichés. Choisissez une période plus courte pour voir les autres.`,
  more: (count) => `${count} de plus`,
  moreHint: (count) =>
    plural(count, {
      one: `${count} événement de plus ; ouvrir le jour`,
      other: `${count} événements de plus ; ouvrir le jour`,
    }),
  events: (count) => plural(count, { one: `${count} événement`, other: `${count} événements` }),
  outside:
    'Ce lien mène à une date ou à une vue que ce calendrier ne peut pas afficher ; c’est donc aujourd’hui qui est affiché.',
  search: 'Rechercher',
  category: 'Catégorie',
  allCategories: 'Toutes catégories',
  severalCategories: (count) => `${count} catégories`,
  legend: 'Catégories',
  showAll: 'Tout afficher',
  searchAndFilter: 'Rechercher et filtrer',
  whatsOn: {
    label: 'À l’affiche :',
    names: { today: 'Aujourd’hui', weekend: 'Ce week-end', week: '7 prochains jours' },
    title: (name, days) => `${name} : ${days}`,
  },
  openPrint: 'Imprimer',
  openShortcuts: 'Raccourcis clavier',
  zone: (zone) => `Fuseau horaire : ${zone}`,
  subscribe: 'S’abonner',
  period: 'Période',
  go: 'Aller',
  feeds: { calendar: 'Flux du calendrier (.ics)', news: 'Flux d’actualités (Atom)' },
}
