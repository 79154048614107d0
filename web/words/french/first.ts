// Words of the first load in French.
import { calendarPage, frame as frameWords } from '../../../src/words/french.ts'
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/first.ts'

export { rule, times } from '../../../src/words/french.ts'

const plural = createPlural('fr')

export const frame: typeof english.frame = {
  ...frameWords,
  signOut: 'Se déconnecter',
  stillSignedIn: 'Votre session est toujours ouverte.',
  account: 'Mon compte',
  admin: 'Administration',
  newEvent: 'Nouvel événement',
  trash: 'Corbeille',
  waiting: (count) => plural(count, { one: `${count} demande en attente`, other: `${count} demandes en attente` }),
  language: 'Langue',
  brokenTitle: 'Cette page n’a pas pu être chargée',
  broken: 'Vous êtes peut-être hors connexion, ou Daybook vient d’être mis à jour.',
  tryAgain: 'Réessayer',
}

export const common: typeof english.common = {
  ownPassword: 'Votre propre mot de passe',
  ownPasswordProblems: {
    required: 'Saisissez votre propre mot de passe.',
    not_allowed: 'Ce n’est pas votre mot de passe.',
  },
  loading: 'Chargement…',
  working: 'Un instant…',
  cancel: 'Annuler',
  close: 'Fermer',
  save: 'Enregistrer',
  delete: 'Supprimer',
  copy: 'Copier',
  copied: 'Copié',
  undo: 'Annuler l’opération',
  yes: 'Oui',
  no: 'Non',
  show: 'Afficher',
  hide: 'Masquer',
  optional: 'facultatif',
  privateEvent: 'Événement privé',
  quoted: (text) => `« ${text} »`,
  tryAgainIn: (seconds) => `Trop de tentatives. Réessayez dans ${waitInWords(seconds)}.`,
}

export const calendar: typeof english.calendar = {
  ...calendarPage,
  severalDates: 'à plusieurs dates',
  allDayShort: 'journée',
  history: 'Historique',
  repeats: 'se répète',
  private: 'privé',
  tentative: 'Pas encore confirmé',
  cancelledNote: 'Annulé',
  privateNote: 'Privé : seules les personnes connectées voient autre chose que l’horaire.',
  maskedNote: 'Ce créneau est pris. Les détails sont privés.',
  days: 'Les touches fléchées font passer d’un jour à l’autre, et Entrée ouvre un jour.',
  daysForWriters:
    'Les touches fléchées font passer d’un jour à l’autre, Entrée ajoute un événement et Espace ouvre un jour.',
  slots: 'Heures de la journée. Les touches fléchées font passer d’une heure à l’autre, et Entrée ouvre le jour.',
  slotsForWriters:
    'Heures de la journée. Les touches fléchées font passer d’une heure à l’autre, et Entrée ajoute un événement.',
  timesIn: 'Fuseau horaire',
  zoneOfCalendar: (zone) => `${zone} (calendrier)`,
  zoneOfReader: (zone) => `${zone} (le vôtre)`,
  print: {
    open: calendarPage.openPrint,
    title: 'Imprimer',
    size: 'Taille du texte',
    sizes: { normal: 'Normale', large: 'Grande' },
    means: { normal: '– comme à l’écran, avec tous les événements', large: '– une liste pour un panneau d’affichage' },
    send: 'Imprimer',
    legend: 'Légende',
    private: 'Privé',
    address: (site, address) => `${site} : ${address}`,
  },
  shortcuts: {
    title: calendarPage.openShortcuts,
    today: 'Aujourd’hui',
    new: 'Nouvel événement',
    search: 'Rechercher',
    period: 'Période précédente ou suivante',
    sheet: 'Ces raccourcis',
    on: 'Utiliser ces touches seules',
    always: 'Toujours',
    move: 'Passer d’un jour à l’autre, ou d’une heure à l’autre dans une semaine ou un jour',
    add: 'Y ajouter un événement',
    open: 'Ouvrir ce jour',
    undo: 'Annuler le dernier déplacement ou la dernière suppression',
    close: 'Fermer une boîte de dialogue',
    spoken: {
      '←': 'Gauche',
      '→': 'Droite',
      '↑': 'Haut',
      '↓': 'Bas',
      '/': 'Barre oblique',
      '?': 'Point d’interrogation',
      Esc: 'Échap',
    },
  },
  newEvent: 'Nouvel événement',
  subscribeTitle: 'S’abonner à ce calendrier',
  subscribeIntro: 'Votre application de calendrier affichera ces événements et les tiendra à jour.',
  subscribeCategory: (category) => `Seulement « ${category} »`,
  withApple: 'Calendrier Apple',
  withGoogle: 'Google Agenda',
  withOutlook: 'Outlook.com',
  withOffice: 'Outlook (travail ou école)',
  withProgram: 'Une autre application de cet appareil',
  subscribeLink: 'Ou copiez cette adresse dans votre application de calendrier',
  event: 'Événement',
  when: 'Quand',
  where: 'Où',
  repeatsLabel: 'Répétition',
  link: 'Lien',
  page: 'Page de l’événement',
  take: 'Ajouter à mon calendrier',
  edit: 'Modifier',
  duplicate: 'Dupliquer',
}

export const errors: typeof english.errors = {
  unknown: 'Une erreur s’est produite. Réessayez plus tard.',
  offline: 'Le serveur est injoignable pour le moment. Vérifiez votre connexion et réessayez.',
  rate_limited: 'Trop de tentatives. Attendez un peu avant de réessayer.',
  another_person: 'Une autre personne s’est connectée dans ce navigateur. Rien n’a été envoyé.',
  credential_not_found: 'Cet élément n’existe plus.',
  session_expired:
    'Votre session est fermée. Reconnectez-vous pour continuer ; rien de ce que vous avez saisi n’est perdu.',
  authentication_required: 'Connectez-vous d’abord.',
  invalid_credentials: 'L’adresse e-mail ou le mot de passe est incorrect.',
  insufficient_capability: 'Votre compte n’a pas l’autorisation de faire cela.',
  admin_required: 'Seul un administrateur peut faire cela.',
  account_pending: 'Votre compte attend encore l’accord d’un administrateur.',
  account_rejected: 'Un administrateur a refusé ce compte.',
  account_suspended: 'Ce compte est suspendu. Adressez-vous à un administrateur.',
  email_not_verified:
    'Votre adresse e-mail n’est pas encore confirmée. Ouvrez le lien contenu dans l’e-mail que nous avons envoyé.',
  registration_closed: 'Ce calendrier n’accepte pas de demande de compte pour le moment.',
  https_required: 'Cette page nécessite une connexion sécurisée. Ouvrez-la avec https.',
  token_invalid_or_expired: 'Ce lien a déjà servi ou a expiré.',
  validation_failed: 'Vérifiez les champs signalés.',
  version_mismatch: 'Une autre personne a modifié cet élément entre-temps.',
  event_not_found: 'Cet événement n’existe plus.',
  version_not_found: 'Cette version n’est plus conservée.',
  occurrence_not_found: 'Cette date ne fait pas partie de la série.',
  invalid_occurrence_key: 'Cette date ne fait pas partie de la série.',
  exception_not_found: 'Il n’y a rien à annuler pour cette date.',
  event_not_recurring: 'Cet événement ne se répète plus.',
  user_not_found: 'Ce compte n’existe plus.',
  email_taken: 'Cette adresse a déjà un compte.',
  body_too_large: 'Ce fichier est trop volumineux.',
  too_many_exceptions: 'Cette série a atteint le nombre maximal de dates modifiées.',
  too_many_overrides:
    'Il faudrait modifier plus de 1 000 dates une à une. Modifiez toute la série, ou supprimez cette date et les suivantes et créez un nouvel événement pour elles.',
  event_too_large: 'Cet événement contient trop de texte, toutes ses dates modifiées comprises.',
  last_admin: 'C’est le dernier administrateur ; nommez-en d’abord un autre.',
  invalid_state_transition: 'L’état actuel du compte ne le permet pas.',
  service_unavailable: 'Le serveur est surchargé. Réessayez dans un instant.',
  storage_unavailable: 'La base de données est injoignable pour le moment. Réessayez dans un instant.',
}

export const fields: typeof english.fields = {
  required: 'Remplissez ce champ.',
  invalid_type: 'Cette valeur n’est pas valable.',
  invalid_format: 'Cette valeur semble incorrecte.',
  too_short: 'Remplissez ce champ.',
  too_long: 'Ce texte est trop long.',
  out_of_range: 'Cette valeur est hors limites.',
  not_allowed: 'Cette valeur n’est pas autorisée ici.',
  timezone_unknown: 'Ce fuseau horaire n’existe pas.',
  end_before_start: 'La fin doit venir après le début.',
  range_too_large: 'Cette période est trop longue.',
  rrule_invalid: 'Cette répétition n’est pas valable.',
  rrule_unsupported: 'Ce type de répétition n’est pas pris en charge.',
  rrule_no_occurrences: 'Cette répétition ne donne aucune date.',
  password_common: 'Ce mot de passe est facile à deviner. Choisissez-en un autre.',
  set_by_operator: 'L’exploitant a fixé cette valeur sur le serveur.',
  url_scheme: 'Une adresse web commence par http:// ou https://.',
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return plural(seconds, { one: `${seconds} seconde`, other: `${seconds} secondes` })
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} heures`
}
