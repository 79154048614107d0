// Words of the administration of the server and its data in French.
import { createPlural } from '../../../src/words/plural.ts'
import type * as english from '../english/server.ts'
import { service } from './service.ts'

const plural = createPlural('fr')

const eventsOf = (count: number): string => plural(count, { one: `${count} événement`, other: `${count} événements` })

export const admin: typeof english.admin = {
  service,
  healthPage: {
    lead: 'Contrôles du serveur, tels que les fait « daybook doctor » sur la machine elle-même. Consulter cette page ne change rien.',
    again: 'Contrôler de nouveau',
    checking: 'Contrôle en cours…',
    checked: 'Contrôlé',
    summary: (problems, warnings) => {
      const parts = [
        problems > 0 && plural(problems, { one: `${problems} problème`, other: `${problems} problèmes` }),
        warnings > 0 && plural(warnings, { one: `${warnings} avertissement`, other: `${warnings} avertissements` }),
      ].filter(Boolean)
      return parts.length > 0 ? `${parts.join(' et ')}. Ce qu’il faut faire est indiqué plus bas.` : 'Tout va bien.'
    },
    levels: { ok: 'OK', warning: 'Avertissement', problem: 'Problème' },
    areas: {
      configuration: 'Paramètres',
      files: 'Fichiers',
      disk: 'Disque',
      database: 'Base de données',
      index: 'Index',
      time: 'Heure',
      mail: 'Messagerie',
      service: 'Service',
      public_url: 'Adresse publique',
      certificate: 'Certificat',
      proxy: 'Proxy',
      backup: 'Sauvegarde',
    },
  },
  diagnosticsPage: {
    lead: 'Les dernières requêtes, les plus récentes d’abord. Le contenu des requêtes n’est pas enregistré, seulement les noms, types et tailles des champs.',
    live: 'Mis à jour toutes les quelques secondes.',
    pause: 'Suspendre',
    goOn: 'Reprendre',
    paused: 'Suspendu.',
    latest: (count) => plural(count, { one: `${count} nouvelle requête.`, other: `${count} nouvelles requêtes.` }),
    answers: 'Réponses',
    anyAnswer: 'Toutes les réponses',
    refused: 'Refusées (4xx)',
    failed: 'Échouées (5xx)',
    fine: 'Réussies (moins de 400)',
    who: 'Accès par',
    anyWho: 'Tous les moyens',
    auths: { anonymous: 'sans connexion', session: 'un navigateur', basic: 'un mot de passe', token: 'un jeton' },
    search: 'L’adresse ou l’erreur contient',
    ownOut: 'Masquer les fichiers des pages et les requêtes de cette page',
    table: 'Requêtes',
    time: 'Heure',
    request: 'Requête',
    answer: 'Réponse',
    duration: 'Durée',
    net: 'Réseau',
    unknownRoute: 'adresse inconnue',
    details: 'Détails de cette requête',
    milliseconds: (ms) => `${Math.round(ms)} ms`,
    empty: 'Aucune requête ne correspond. Changez les filtres, ou attendez la prochaine.',
    rebuilding: (done, total) =>
      `L’index des dates est en cours de reconstruction : ${done} événements sur ${total}. Vous pouvez continuer à utiliser le calendrier.`,
    unreadable: (count) =>
      plural(count, {
        one: `${count} événement enregistré est illisible. Le journal du service le nomme ; \`daybook reindex\` le signale de nouveau.`,
        other: `${count} événements enregistrés sont illisibles. Le journal du service les nomme ; \`daybook reindex\` les signale de nouveau.`,
      }),
    clockInDoubt:
      'L’horloge du serveur est à plusieurs jours de la dernière utilisation du calendrier. Les données expirées ne sont pas retirées tant que l’horloge n’est pas corrigée, ou confirmée avec `daybook reindex --accept-clock`.',
    backupFailing: 'La dernière sauvegarde programmée a échoué. Le journal du service indique pourquoi.',
    skipped: (count) =>
      plural(count, {
        one: `${count} requête n’a pas été notée, car le serveur était surchargé.`,
        other: `${count} requêtes n’ont pas été notées, car le serveur était surchargé.`,
      }),
    inClear:
      'Au cours des sept derniers jours, un mot de passe ou un lien de flux personnel a été envoyé par http non chiffré. Cherchez « Envoi d’identifiants par http non chiffré » dans le journal d’audit.',
    loopbackHttp:
      'Le paramètre allow_loopback_http est activé : http non chiffré est accepté sur le serveur lui-même, bien que l’adresse publique soit en https.',
    id: 'Identifiant de la requête',
    node: 'Nœud',
    user: 'Personne',
    query: 'Paramètres',
    headers: 'En-têtes de la requête',
    body: 'Champs envoyés',
    answerHeaders: 'En-têtes de la réponse',
    bytes: 'Octets reçus, envoyés',
    error: 'Erreur',
    limit: 'Refusée par la limite',
  },
  rewindPage: {
    head: 'Ramener le calendrier en arrière',
    lead: 'Les événements créés depuis un certain moment vont à la corbeille, ceux modifiés depuis reprennent leur texte d’alors, et ceux supprimés depuis reviennent, pour tout le monde. Un aperçu s’affiche d’abord, et vous pouvez annuler l’opération.',
    to: 'Tel qu’il était le',
    toHint: (zone) => `Dans le fuseau horaire ${zone}.`,
    by: 'Seulement les modifications de',
    byHint: 'L’adresse e-mail d’un compte. Les événements qu’un autre compte a modifiés plus tard restent inchangés.',
    badMoments: {
      invalid_format: 'Saisissez une date et une heure.',
      not_allowed: 'Ce moment est dans le futur.',
    },
    preview: 'Afficher l’aperçu',
    looking: 'Comparaison des événements…',
    working: 'Retour en arrière du calendrier… Laissez cette page ouverte.',
    wouldHead: 'Ce qui se passerait',
    didHead: 'Ce qui s’est passé',
    counts: ({ deleted, changed, restored, skipped }) =>
      `À la corbeille : ${deleted} ; état antérieur rétabli : ${changed} ; restaurés : ${restored}${
        skipped > 0 ? ` ; laissés inchangés : ${skipped}` : ''
      }.`,
    published: (count, isDryRun) => {
      const [is, are] = isDryRun
        ? ['redeviendrait public', 'redeviendraient publics']
        : ['est de nouveau public', 'sont de nouveau publics']
      return plural(count, { one: `${count} événement privé ${is}.`, other: `${count} événements privés ${are}.` })
    },
    publicAgain: '– de nouveau public',
    notKept:
      'Les versions antérieures et les événements supprimés ne sont pas conservés assez longtemps pour ramener le calendrier en arrière : le serveur règle history_days ou trash_days sur 0.',
    nothing: 'Le calendrier est tel qu’il était à ce moment ; il n’y a rien à faire.',
    now: (count) => `Ramener ${eventsOf(count)} en arrière…`,
    sure: (count) =>
      plural(count, {
        one: `${count} événement redevient ce qu’il était, pour tout le monde. Vous pourrez annuler cette opération.`,
        other: `${count} événements redeviennent ce qu’ils étaient, pour tout le monde. Vous pourrez annuler cette opération.`,
      }),
    yes: (count) => `Oui, ramener ${eventsOf(count)} en arrière`,
    undo: 'Aperçu de l’annulation de ce retour en arrière',
    events: 'Événements',
    event: 'Événement',
    result: 'Résultat',
    results: {
      deleted: { would: 'vers la corbeille', did: 'dans la corbeille' },
      changed: { would: 'état antérieur rétabli', did: 'état antérieur rétabli' },
      restored: { would: 'restauré', did: 'restauré' },
      skipped: { would: 'laissé inchangé', did: 'laissé inchangé' },
    },
    reasons: {
      changed_later: 'un autre compte l’a modifié plus tard',
      changed_meanwhile: 'il a été modifié pendant le retour en arrière',
      not_kept: 'son texte d’alors n’est pas conservé',
      uid_conflict: 'il a été créé de nouveau entre-temps',
      not_stored: 'il n’a pas pu être enregistré',
    },
    truncated: 'Seuls les 1 000 premiers événements sont énumérés. Les nombres ci-dessus les comprennent tous.',
    refusals: {
      user_not_found: 'Aucun compte n’a cette adresse e-mail.',
      rewind_too_early: 'L’état du calendrier à ce moment n’est plus conservé. Choisissez un moment plus récent.',
    },
  },
  transferPage: {
    importHead: 'Importer un fichier de calendrier',
    importLead:
      'Importe un fichier .ics d’un autre programme, de 10 Mio au plus. Les événements sont reconnus à leur UID : ceux qui existent sont mis à jour, les nouveaux sont ajoutés, et aucun n’est supprimé. Aucun e-mail n’est envoyé. Un aperçu s’affiche d’abord.',
    file: 'Fichier de calendrier (.ics)',
    tooLarge: (size, command) =>
      `Ce fichier fait ${size} ; la limite est ici de 10 Mio. Sur le serveur, vous pouvez importer un fichier de n’importe quelle taille : ${command} import calendar.ics`,
    rehearse: 'Aperçu de l’import',
    uploading: 'Envoi du fichier…',
    looking: 'Lecture du fichier…',
    importing: 'Import des événements… Un gros fichier demande une minute ou deux ; laissez cette page ouverte.',
    wouldHead: 'Ce qui se passerait',
    didHead: 'Ce qui s’est passé',
    importNow: (count) => `Importer ${eventsOf(count)}`,
    nothing: 'Ce fichier ne contient rien de nouveau ; il n’y a donc rien à importer.',
    done: 'L’import est terminé.',
    unreadable: (line) =>
      `Ce n’est pas un fichier de calendrier, ou il est incomplet (ligne ${line}). Rien n’a été importé.`,
    notCalendar: 'Ce n’est pas un fichier de calendrier en UTF-8. Rien n’a été importé.',
    results: {
      created: { would: 'nouveaux', did: 'nouveaux' },
      updated: { would: 'seraient modifiés', did: 'modifiés' },
      unchanged: { would: 'inchangés', did: 'inchangés' },
      skipped: { would: 'seraient ignorés', did: 'ignorés' },
    },
    show: 'Afficher',
    all: 'Toutes les entrées',
    entries: 'Entrées du fichier',
    line: 'Ligne',
    event: 'Événement',
    result: 'Résultat',
    continues: 'Il avait été supprimé ; la version supprimée est encore dans la corbeille.',
    more: (count) => `… et ${count} de plus. Les nombres ci-dessus comprennent toutes les entrées.`,
    exportHead: 'Tout exporter',
    exportLead:
      'Tous les événements avec tous leurs détails, y compris les événements privés, dans un seul fichier. Gardez-le là où vous seul pouvez le lire.',
    export: 'Télécharger calendar.ics',
  },
  settingsPage: {
    lead: 'Les modifications s’appliquent aussitôt, et sur chaque nœud en moins de dix secondes. Elles figurent dans le journal d’audit.',
    calendar: 'Calendrier',
    accounts: 'Comptes',
    backups: 'Sauvegardes',
    save: 'Enregistrer',
    saved: 'Les paramètres ont été enregistrés.',
    nothing: 'Il n’y a rien à enregistrer.',
    reset: 'Réinitialiser',
    resetOf: (label) => `Réinitialiser : ${label}`,
    defaultIs: (value) => (value ? `Par défaut : ${value}` : 'Modifié ici'),
    overruled: (value) => `Réglé ici sur « ${value} », sans effet.`,
    empty: 'non défini',
    fields: {
      site_name: { label: 'Nom du calendrier', hint: 'En tête de chaque page, dans les e-mails et les flux.' },
      timezone: {
        label: 'Fuseau horaire',
        hint: 'Pour les dates et heures sans fuseau propre. Les événements d’une journée entière gardent leurs dates, les autres leurs heures.',
      },
      week_start: {
        label: 'La semaine commence le',
        hint: 'Selon la langue, les lecteurs américains voient des semaines à partir du dimanche et les français à partir du lundi.',
      },
      language: {
        label: 'Langue',
        hint: 'Pour les e-mails, et pour les lecteurs dont le navigateur ne demande aucune des langues proposées.',
      },
      default_visibility: { label: 'Les nouveaux événements sont', hint: 'Sauf choix contraire lors de la création.' },
      embed_sites: {
        label: 'Sites autorisés à afficher le calendrier dans un cadre',
        hint: 'Des adresses comme https://www.example.org, séparées par des virgules ; * désigne tout site.',
      },
      registration: {
        label: 'Demandes de compte',
        hint: 'Celles en attente peuvent être acceptées dans les deux cas.',
      },
      notify_admins: { label: 'Lors d’une demande de compte', hint: '' },
      mail_from: { label: 'Expéditeur des e-mails', hint: 'Une adresse que le serveur de messagerie accepte.' },
      backup_every: { label: 'Fréquence des sauvegardes', hint: 'En heures ou en jours, par exemple 6h ou 1d.' },
      backup_keep: {
        label: 'Sauvegardes conservées',
        hint: 'La dernière de chacun de ces jours, semaines et mois, au moins 7d 4w 12m.',
      },
    },
    problems: {
      site_name: { invalid_format: 'Le nom doit tenir sur une ligne de 1 à 100 caractères.' },
      embed_sites: {
        invalid_format: 'Chaque site doit avoir une adresse comme https://www.example.org, sans chemin.',
      },
      backup_every: { invalid_format: 'Il faut des heures ou des jours, par exemple 6h ou 1d.' },
      backup_keep: {
        invalid_format: 'Il faut des jours, des semaines et des mois, par exemple 7d 4w 12m.',
        not_allowed: 'Il faut au moins 7d 4w 12m. L’exploitant peut fixer moins sur le serveur.',
      },
    },
    refusals: {
      version_mismatch:
        'Une autre personne a modifié des paramètres entre-temps. Les champs que vous n’avez pas changés le montrent maintenant ; vérifiez-les et enregistrez de nouveau.',
      email_not_verified:
        'Avec un serveur de messagerie, les comptes doivent avoir une adresse confirmée, et la vôtre ne l’est pas. Demandez à un autre administrateur de la marquer comme confirmée dans la page « Personnes ».',
    },
    weekStartAuto: 'selon la langue du lecteur',
    visibilities: { private: 'privés', public: 'publics' },
    registrations: { open: 'ouvertes', closed: 'fermées' },
    notifications: { on: 'envoyer un e-mail aux administrateurs', off: 'n’envoyer aucun e-mail' },
    noBackupFolder:
      'Aucune sauvegarde n’est faite, car aucun dossier n’est défini pour elles : l’exploitant règle backup_dir sur le serveur.',
    mailServer: {
      title: 'E-mail',
      lead: 'Sans serveur de messagerie, les e-mails sont des fichiers sur le serveur. Avec lui, les comptes doivent avoir une adresse confirmée, sauf si l’exploitant en a décidé autrement.',
      server: 'Serveur de messagerie',
      serverHint: 'Son nom, par exemple mail.example.org.',
      port: 'Port',
      encryption: 'Chiffrement',
      encryptions: {
        starttls: 'STARTTLS (habituel, port 587)',
        tls: 'TLS dès le début (port 465)',
        none: 'aucun, seulement sur la même machine ou le même réseau',
      },
      user: 'Identifiant',
      password: 'Mot de passe',
      stored: 'laisser vide pour le garder',
      passwordEnds:
        'Le mot de passe enregistré est celui de l’ancien serveur et de l’ancien identifiant, et disparaît avec cette modification. Saisissez-le de nouveau.',
      remove: 'Retirer le serveur de messagerie',
      ownPasswordHint:
        'Pour modifier ces paramètres, car les e-mails contiennent des liens qui réinitialisent les mots de passe.',
      problems: {
        invalid_format: 'Ce n’est pas un nom de serveur, ou le port n’est pas un nombre.',
        not_allowed: 'Un mot de passe nécessite un identifiant.',
      },
      test: 'M’envoyer un e-mail d’essai',
      testing: 'Envoi…',
      saveFirst: 'Enregistrez d’abord vos modifications.',
      tested: (to) => `L’e-mail d’essai à ${to} a été accepté. Vérifiez qu’il arrive.`,
      testedFile:
        'Il n’y a pas de serveur de messagerie ; l’e-mail d’essai a donc été écrit dans un fichier sur le serveur.',
      testFailed: (why) => `L’e-mail d’essai n’a pas été envoyé : ${why}.`,
    },
    machine: 'Sur le serveur',
    machineLead:
      'Ces paramètres sont modifiés par l’exploitant, dans daybook.json ou l’environnement, et s’appliquent au prochain démarrage.',
    origins: {
      environment: 'de l’environnement',
      file: 'de daybook.json',
      database: 'modifié ici',
      default: 'par défaut',
    },
  },
}
