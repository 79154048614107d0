// Words of all mails in French. `name` is that of the calendar.
import { createPlural } from '../../words/plural.ts'
import type * as english from './english.ts'

const plural = createPlural('fr')

export const mail: typeof english.mail = {
  hello: 'Bonjour,',
  subjects: {
    verification: (name) => `${name} : confirmez votre adresse e-mail`,
    already_registered: (name) => `${name} : vous avez déjà un compte`,
    reset: (name) => `${name} : réinitialisation de votre mot de passe`,
    set_password: (name) => `${name} : choisissez votre mot de passe`,
    password_changed: (name) => `${name} : votre mot de passe a été changé`,
    approved: (name) => `${name} : votre compte a été accepté`,
    rejected: (name) => `${name} : votre demande n’a pas été acceptée`,
    suspended: (name) => `${name} : votre compte a été suspendu`,
    access_requested: (name) => `${name} : une personne a demandé un compte`,
    backup_failed: (name) => `${name} : les sauvegardes échouent`,
    bulk_changes: (name) => `${name} : de très nombreux événements ont été supprimés ou modifiés`,
    test: (name) => `${name} : e-mail d’essai`,
  },
  linkWorks: (until) => `Le lien fonctionne une seule fois, jusqu’à cette date : ${until}.`,
  ignore: 'Si ce n’était pas vous, vous pouvez ignorer cet e-mail.',
  mistake: 'Si vous pensez qu’il s’agit d’une erreur, adressez-vous aux responsables du calendrier.',
  verification: (name) =>
    `Un compte a été demandé avec cette adresse e-mail sur le calendrier « ${name} ». Si c’était vous, confirmez que l’adresse est bien la vôtre :`,
  alreadyRegistered: {
    tried: (name) =>
      `Quelqu’un a tenté de s’inscrire avec cette adresse e-mail sur le calendrier « ${name} ». Elle y a déjà un compte, et rien n’a été modifié.`,
    signIn: 'Si c’était vous, il vous suffit de vous connecter :',
    forgotten: 'Si vous avez oublié votre mot de passe, vous pouvez en choisir un nouveau :',
  },
  registeredAgain: {
    confirm: (name) =>
      `Un compte a de nouveau été demandé avec cette adresse e-mail sur le calendrier « ${name} ». La première demande reste valable, avec le nom indiqué alors, mais l’adresse n’a jamais été confirmée. Si c’était vous, confirmez que l’adresse est bien la vôtre :`,
    afterwards:
      'Nous vous enverrons ensuite un autre e-mail pour choisir un mot de passe, car le premier peut être celui d’une autre personne.',
  },
  reset: {
    choose: (name) =>
      `Un nouveau mot de passe a été demandé pour votre compte du calendrier « ${name} ». Si c’était vous, vous pouvez le choisir ici :`,
    ignore: 'Si ce n’était pas vous, vous pouvez ignorer cet e-mail : votre mot de passe reste inchangé.',
    chooseUnverified: (name) =>
      `Un nouveau mot de passe a été demandé pour le compte qui a cette adresse e-mail sur le calendrier « ${name} ». L’adresse n’a jamais été confirmée. Si c’était vous, vous pouvez la confirmer en choisissant un mot de passe ici :`,
    endsOthers: 'Tout mot de passe choisi auparavant pour ce compte cessera alors de fonctionner.',
    ignoreUnverified: 'Si ce n’était pas vous, vous pouvez ignorer cet e-mail : rien n’a été modifié.',
  },
  setPassword: {
    approved: (name) => `Votre compte du calendrier « ${name} » a été accepté.`,
    exists: (name) => `Il existe un compte pour cette adresse e-mail sur le calendrier « ${name} ».`,
    choose:
      'Il a été demandé plusieurs fois, peut-être par une autre personne ; le mot de passe d’origine ne fonctionne donc plus. Choisissez-en un nouveau :',
    expired: 'Si le lien a expiré, vous pouvez en demander un autre :',
    ignore: 'Si vous n’avez pas demandé de compte, vous pouvez ignorer cet e-mail.',
  },
  passwordChanged: {
    changed: (name, when) =>
      `Le mot de passe de votre compte du calendrier « ${name} » a été changé à cette date : ${when}.`,
    act: 'Si c’était vous, il n’y a rien à faire. Sinon, choisissez tout de suite un nouveau mot de passe et adressez-vous aux responsables du calendrier :',
  },
  approved: {
    approved: (name) => `Votre compte du calendrier « ${name} » a été accepté.`,
    signIn: 'Vous pouvez maintenant vous connecter :',
    confirm:
      'Il reste une étape : votre adresse e-mail n’a jamais été confirmée. Pour la confirmer, choisissez un nouveau mot de passe avec un lien que nous vous enverrons. Demandez ce lien ici :',
  },
  rejected: (name) => `Votre demande de compte pour le calendrier « ${name} » n’a pas été acceptée.`,
  suspended: (name) =>
    `Votre compte du calendrier « ${name} » a été suspendu. Vous ne pourrez pas vous connecter avant qu’un administrateur ne le rétablisse.`,
  accessRequested: {
    waiting: (name, count) =>
      plural(count, {
        one: `${count} personne attend un compte pour le calendrier « ${name} ».`,
        other: `${count} personnes attendent un compte pour le calendrier « ${name} ».`,
      }),
    decide: (count) =>
      `En tant qu’administrateur, vous pouvez accepter ou refuser ${count === 1 ? 'la demande' : 'les demandes'} :`,
  },
  backupFailed: {
    causes: {
      full: (problem) => `il n’y a plus de place sur le disque (${problem})`,
      denied: (problem) => `le service n’a pas le droit d’y écrire (${problem})`,
      missing: (problem) => `le dossier ou un fichier manque (${problem})`,
      other: (problem) => `le serveur indique « ${problem} »`,
    },
    failed: (name, problem) => `La sauvegarde programmée du calendrier « ${name} » a échoué : ${problem}`,
    again:
      'Elle est retentée tous les quarts d’heure. Tant qu’elle échoue, les modifications faites depuis la dernière sauvegarde n’existent que dans le calendrier lui-même.',
  },
  bulkChanges: {
    happened: (name, limit, means, when) =>
      `Un compte a supprimé ou modifié plus de ${limit} événements du calendrier « ${name} » en dix minutes, ${means} (${when}). Les modifications suivantes faites de cette façon sont ralenties.`,
    means: {
      session: 'dans un navigateur',
      password: 'avec le mot de passe du compte',
      app_password: 'avec un mot de passe d’application, comme en utilisent les programmes de calendrier',
      token: 'avec un jeton d’API',
    },
    intended: 'Si c’était voulu, il n’y a rien à faire.',
    stop: 'Sinon, arrêtez-le d’abord : suspendez le compte, que nomme le journal d’audit.',
    rewind:
      'Récupérez ensuite tout ce que le compte a supprimé ou modifié. Cette page montre d’abord ce qui redeviendra comme avant :',
    onlyDeleted: 'Pour restaurer seulement ce qui a été supprimé, et seulement de cette façon :',
    restore: 'Restaurez ensuite ce qui a été supprimé :',
    changedFromBackup:
      'Ce qui a été modifié ne se retrouve que dans une sauvegarde, car les versions antérieures des événements ne sont pas conservées (history_days vaut 0).',
    deletedFromBackup:
      'Ce qui a été supprimé ne se retrouve que dans une sauvegarde, car les événements supprimés ne sont pas conservés (trash_days vaut 0).',
    changedFromHistory: 'Ce qui a été modifié peut être restauré dans la page « Historique » de chaque événement.',
    nothingKept: 'Les versions antérieures ne sont pas conservées non plus.',
  },
  test: (name) => `Ceci est un essai : un e-mail du calendrier « ${name} » vous est parvenu.`,
}
