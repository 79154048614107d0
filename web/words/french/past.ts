// Words of the trash and of histories of events in French.
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/past.ts'

const plural = createPlural('fr')

export const trash: typeof english.trash = {
  title: 'Corbeille',
  lead: 'Les événements supprimés peuvent être restaurés jusqu’à leur suppression définitive.',
  notKept: 'Les événements supprimés ne sont pas conservés dans ce calendrier.',
  nothing: 'La corbeille est vide.',
  nothingFound: 'La corbeille ne contient aucun événement de ce genre.',
  deletedBy: 'Supprimé par',
  anyone: 'Tout compte',
  you: (name) => `${name} (vous)`,
  someone: 'Le compte choisi',
  deletedSince: 'Supprimé depuis',
  apply: 'Afficher',
  onlyWith: (withWhat) => `Seulement les événements supprimés ${withWhat}.`,
  onlyOne: 'Seulement les événements supprimés avec un certain appareil ou programme.',
  onlyUntil: (time) => `Seulement les événements supprimés avant ce moment : ${time}.`,
  showAll: 'Afficher tous les événements supprimés',
  selectAll: (count) => `Tout sélectionner sur cette page (${count})`,
  select: (title) => `Sélectionner : ${title}`,
  noneSelected: 'Restaurer la sélection',
  restoreSelected: (count) => `Restaurer la sélection (${count})`,
  restoreAll: (count) => `Tout restaurer (${count})…`,
  restoreSure: (count) =>
    plural(count, {
      one: `${count} événement sera restauré pour tout le monde.`,
      other: `${count} événements seront restaurés pour tout le monde.`,
    }),
  restoreYes: (count) => (count === 1 ? 'Oui, restaurer' : `Oui, en restaurer ${count}`),
  wouldConflict: (count) =>
    plural(count, {
      one: `${count} autre reste dans la corbeille, car il a été créé de nouveau entre-temps.`,
      other: `${count} autres restent dans la corbeille, car ils ont été créés de nouveau entre-temps.`,
    }),
  restored: (count) =>
    plural(count, { one: `${count} événement a été restauré.`, other: `${count} événements ont été restaurés.` }),
  conflicts: (count) =>
    plural(count, {
      one: `${count} est encore dans la corbeille, car il a été créé de nouveau entre-temps.`,
      other: `${count} sont encore dans la corbeille, car ils ont été créés de nouveau entre-temps.`,
    }),
  notFound: (count) =>
    plural(count, {
      one: `${count} avait déjà été restauré ou supprimé définitivement.`,
      other: `${count} avaient déjà été restaurés ou supprimés définitivement.`,
    }),
  notStored: (count) =>
    plural(count, {
      one: `${count} n’a pas pu être restauré. Réessayez.`,
      other: `${count} n’ont pas pu être restaurés. Réessayez.`,
    }),
  restore: 'Restaurer',
  replace: 'Restaurer cette version',
  replacedNote:
    'L’événement a été créé de nouveau entre-temps. Restaurer cette version met le nouveau dans la corbeille.',
  showOther: 'Le voir',
  refusals: { event_not_found: 'Cet événement a déjà été restauré ou supprimé définitivement.' },
  deleted: 'Supprimé le',
  until: 'Peut être restauré jusqu’au',
  by: (entry) => `par ${entry.deleted_by_name ?? 'un compte supprimé'} ${withWords(entry)}`,
  withWords,
  sameSince: (entry) => {
    if (entry.credential_name !== null) return `Tout ce que « ${entry.credential_name} » a supprimé depuis`
    return SAME_SINCE[entry.deleted_with]
  },
  empty: 'Vider la corbeille…',
  emptySure: (count) =>
    count === 1
      ? 'L’événement de la corbeille sera supprimé définitivement. Cette opération ne peut pas être annulée.'
      : `Les ${count} événements de la corbeille seront supprimés définitivement. Cette opération ne peut pas être annulée.`,
  emptyYes: 'Oui, vider la corbeille',
  emptied: 'La corbeille a été vidée.',
}

const SAME_SINCE = {
  session: 'Tout ce que le même navigateur a supprimé depuis',
  password: 'Tout ce qui a été supprimé depuis avec ce mot de passe',
  app_password: 'Tout ce que le même appareil a supprimé depuis',
  token: 'Tout ce que le même jeton a supprimé depuis',
  operator: 'Tout ce qui a été supprimé depuis sur le serveur',
}

function withWords({ deleted_with: proof, credential_name: name }: english.DeletedWithWords): string {
  switch (proof) {
    case 'session':
      return 'depuis ces pages'
    case 'password':
      return 'avec le mot de passe du compte'
    case 'app_password':
      return name === null
        ? 'avec un mot de passe d’application qui n’existe plus'
        : `avec le mot de passe d’application « ${name} »`
    case 'token':
      return name === null ? 'avec un jeton d’API qui n’existe plus' : `avec le jeton d’API « ${name} »`
    case 'operator':
      return 'par une commande sur le serveur'
  }
}

export const history: typeof english.history = {
  title: 'Historique',
  lead: 'Ce que chaque modification a fait de l’événement. Les versions antérieures peuvent être restaurées jusqu’à leur suppression définitive.',
  of: 'Historique de',
  notKept: 'Les versions antérieures des événements ne sont pas conservées dans ce calendrier.',
  notFound: 'Cet événement a été supprimé.',
  inTrash: 'Il peut être restauré depuis la corbeille.',
  version: (version) => `Version ${version}`,
  current: 'version actuelle',
  by: ({ by_name, with: proof, credential_name }) => {
    if (proof === 'service') return 'automatiquement'
    const who = proof === 'operator' ? '' : `par ${by_name ?? 'un compte supprimé'}`
    const means = proof === null ? '' : withWords({ deleted_by_name: by_name, deleted_with: proof, credential_name })
    return [who, means].filter(Boolean).join(' ')
  },
  created: 'Création',
  changed: 'Modification',
  through: { import: 'Import', restore: 'Restauration', rewind: 'Retour en arrière du calendrier' },
  deletedThen: 'Supprimé ensuite, puis restauré.',
  unknown: 'La version qui précède celle-ci n’est pas conservée.',
  tooLong: 'Les modifications sont trop longues pour être énumérées ici. Comparez la version pour les voir.',
  nothing: 'Rien n’a changé dans l’événement.',
  more: (count) => plural(count, { one: `${count} autre modification`, other: `${count} autres modifications` }),
  compare: 'Comparer',
  hide: 'Masquer',
  compareLabel: (version) => `Comparer la version ${version} avec la version actuelle`,
  hideLabel: (version) => `Masquer la comparaison de la version ${version}`,
  same: 'Cette version est identique à la version actuelle.',
  field: 'Champ',
  earlier: 'Dans cette version',
  now: 'Maintenant',
  none: 'rien',
  restore: 'Restaurer cette version…',
  restoreSure:
    'L’événement redevient, pour tout le monde, ce qu’il était dans cette version. Son état actuel reste dans son historique.',
  publishes: 'Il devient public : tout le monde voit son texte.',
  restoreYes: 'Oui, restaurer',
  restored: 'La version a été restaurée.',
  stale: 'L’événement a été modifié entre-temps. Regardez d’abord sa dernière version.',
  fields: {
    title: 'Titre',
    start: 'Début',
    end: 'Fin',
    all_day: 'Toute la journée',
    timezone: 'Fuseau horaire',
    rrule: 'Répétition',
    rdates: 'Dates supplémentaires',
    location: 'Lieu',
    description: 'Description',
    category: 'Catégorie',
    url: 'Lien',
    status: 'État',
    visibility: 'Qui peut le voir',
    transparency: 'Créneau affiché comme',
    other: 'Autres détails, comme les rappels',
  },
  visibilities: {
    public: 'tout le monde (public)',
    private: 'seulement les personnes autorisées à lire le calendrier (privé)',
  },
  date: (when) => `Date du ${when}`,
  moved: (before, after) => `Déplacé du ${before} au ${after}`,
  movedTo: (after) => `déplacée au ${after}`,
  movedBack: 'de nouveau à l’heure de la série',
  // The name of a field has a gender, so none of these is a participle of it.
  fieldChanged: (field, before, after) => `${field} : ${before} devient ${after}`,
  fieldAdded: (field, after) => `${field} (ajout) : ${after}`,
  fieldRemoved: (field, before) => `${field} (suppression) : ${before}`,
  fieldSet: (field, after) => `${field} : ${after}`,
  fieldOfSeries: (field) => `${field} : de nouveau comme dans la série`,
  otherChanged: 'Autres détails modifiés, comme les rappels',
  madePublic: 'Rendu public',
  madePrivate: 'Rendu privé',
  dateDeleted: (when) => `Date du ${when} supprimée`,
  dateRestored: (when) => `Date du ${when} de nouveau comme dans la série`,
  dateEdited: (when, what) => `Date du ${when} modifiée (${what})`,
  dateStates: { deleted: 'supprimée', series: 'comme dans la série', edited: 'modifiée' },
}
