// Words of sign-in, registration and the account pages in French.
import type * as english from '../english/account.ts'

export const account: typeof english.account = {
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  showPassword: 'Afficher le mot de passe',
  hidePassword: 'Masquer le mot de passe',
  passwordHint: 'Au moins 12 caractères. Quelques mots sans rapport entre eux conviennent bien.',
  passwordProblems: {
    required: 'Choisissez un mot de passe.',
    too_short: 'Ce mot de passe est trop court. Utilisez au moins 12 caractères.',
    too_long: 'Ce mot de passe est trop long. Utilisez au plus 128 caractères.',
  },
  emailProblems: {
    required: 'Saisissez votre adresse e-mail.',
    invalid_format: 'Cela ne ressemble pas à une adresse e-mail.',
  },

  signInFirst: 'Connectez-vous pour voir cette page.',
  stay: 'Garder ma session ouverte.',
  stayHint:
    'Pendant 30 jours au plus. À éviter sur un ordinateur partagé. La session d’un administrateur se ferme tout de même après deux heures d’inactivité.',
  forgotten: 'Mot de passe oublié ?',
  noAccount: 'Pas encore de compte ? Demandez-en un',
  signedInAs: (email) => `Vous utilisez le compte ${email}.`,
  carryOn: 'Continuer',
  refusals: {
    invalid_credentials: 'La connexion a échoué. Vérifiez l’adresse e-mail et le mot de passe.',
    account_pending:
      'Votre mot de passe est correct, mais votre demande attend encore l’accord d’un administrateur. Réessayez dès que vous aurez reçu sa réponse.',
    account_rejected:
      'Un administrateur a refusé votre demande ; vous ne pouvez donc pas vous connecter. Adressez-vous à lui si vous pensez qu’il s’agit d’une erreur.',
    account_suspended:
      'Ce compte est suspendu. Vous ne pourrez pas vous connecter avant qu’un administrateur ne le rétablisse. Adressez-vous à lui pour en connaître la raison.',
    email_not_verified:
      'Votre mot de passe est correct, mais votre adresse e-mail n’est pas encore confirmée : le lien contenu dans l’e-mail n’a pas été ouvert.',
  },
  unopened:
    'Votre mot de passe est correct, mais le lien de l’e-mail qui confirme votre adresse n’a pas encore été ouvert. Ouvrez-le d’abord ; un administrateur examinera ensuite votre demande.',
  perhapsUnopened:
    'Ou avez-vous demandé un compte sans avoir encore ouvert le lien contenu dans l’e-mail ? Vous pourrez vous connecter après cela.',
  newLinkForAddress: 'M’envoyer un nouveau lien',
  unverifiedNoMail:
    'Votre mot de passe est correct, mais votre adresse e-mail n’est pas confirmée. Demandez à un administrateur de la confirmer.',
  againTitle: 'Veuillez vous reconnecter',
  again:
    'Votre session a été fermée. La page derrière cette fenêtre est telle que vous l’avez laissée. Reconnectez-vous pour continuer.',
  againOther: 'Se connecter avec un autre compte',
  otherTitle: 'Une autre personne est maintenant connectée ici',
  other: (user, other) =>
    `Vous avez ouvert cette page avec le compte de ${user}, mais ${other} s’est connecté entre-temps dans ce navigateur. Rien de ce que vous avez saisi ici n’a été envoyé.`,
  otherReload: (other) => `Recharger la page avec le compte de ${other}`,
  otherStay: 'Laisser tel quel',

  registerTitle: 'Demander un compte',
  registerLead:
    'Avec un compte, vous voyez aussi les événements privés, et vous pourrez peut-être ajouter et modifier des événements.',
  steps: [
    'Remplissez ce formulaire.',
    'Ouvrez le lien que nous vous envoyons par e-mail, pour confirmer que l’adresse est bien la vôtre.',
    'Un administrateur examine votre demande. Dès qu’elle est acceptée, vous pouvez vous connecter.',
  ],
  stepsNoMail: [
    'Remplissez ce formulaire.',
    'Un administrateur examine votre demande. Ce calendrier n’envoie pas d’e-mail : demandez-lui si vous pouvez vous connecter.',
  ],
  nameHint: 'Seuls les administrateurs peuvent le voir.',
  message: 'Message à l’administrateur',
  messageHint: 'Qui vous êtes, et ce que vous souhaitez faire ici.',
  trap: 'Laissez ce champ vide',
  register: 'Envoyer ma demande',
  proving: 'Un instant : votre navigateur résout un petit problème, pour écarter les robots…',
  checkMailTitle: 'Consultez votre messagerie',
  checkMail: (email) => `Nous avons envoyé un e-mail à ${email}.`,
  checkMailNext: [
    'Ouvrez le lien qu’il contient dans les 24 heures et appuyez sur le bouton.',
    'Un administrateur examinera ensuite votre demande. Cela peut prendre un jour ou deux.',
    'Rien n’est arrivé ? Regardez dans le dossier des indésirables et vérifiez que l’adresse est bien écrite.',
  ],
  receivedTitle: 'Votre demande a été reçue',
  received: 'Un administrateur va l’examiner. Cela peut prendre un jour ou deux.',
  receivedNoMail:
    'Ce calendrier n’envoie pas d’e-mail. Adressez-vous à un administrateur, ou essayez de vous connecter plus tard.',
  resend: 'Envoyer un autre lien',
  resent: (email) =>
    `Si ${email} est encore à confirmer, un autre e-mail est en route. Son lien confirme l’adresse et vous permet de choisir à nouveau votre mot de passe. Il est envoyé au plus une fois par jour.`,
  registerOther: 'Utiliser une autre adresse',

  verifyTitle: 'Confirmer votre adresse e-mail',
  verifyLead: 'Appuyez sur le bouton pour confirmer que cette adresse est la vôtre.',
  verify: 'Confirmer mon adresse',
  verified: 'Votre adresse e-mail est confirmée.',
  verifiedWaiting:
    'Votre adresse e-mail est confirmée. Un administrateur va examiner votre demande, et vous recevrez une réponse.',
  verifiedPassword:
    'Votre adresse e-mail est confirmée. Le compte a été demandé plusieurs fois ; nous vous envoyons donc un autre e-mail pour choisir votre mot de passe.',
  verifiedPasswordNoMail:
    'Votre adresse e-mail est confirmée. Le compte a été demandé plusieurs fois ; il vous faut donc un lien pour choisir votre mot de passe. Ce calendrier n’envoie pas d’e-mail : demandez le lien à un administrateur.',
  incompleteLink: 'Ce lien est incomplet. Ouvrez-le de nouveau depuis l’e-mail.',

  forgotTitle: 'Mot de passe oublié',
  forgotLead:
    'Si cette adresse a un compte, nous vous enverrons un lien pour choisir un nouveau mot de passe. Le lien confirme aussi l’adresse, si cela reste à faire.',
  forgotLeadNoMail:
    'Ce calendrier n’envoie pas d’e-mail. Si cette adresse a un compte, un lien pour choisir un nouveau mot de passe est enregistré sur le serveur, et un administrateur peut vous le donner.',
  sendLink: 'M’envoyer un lien',
  sendLinkNoMail: 'Demander un lien',
  linkSent: 'Si cette adresse a un compte, un e-mail est en route. Le lien qu’il contient est valable une heure.',
  linkStored:
    'Si cette adresse a un compte, le lien est sur le serveur pendant une heure. Demandez-le à un administrateur.',
  resetTitle: 'Choisir un nouveau mot de passe',
  resetLead:
    'Il remplace l’ancien. Toutes vos sessions seront fermées, et vos appareils auront besoin de nouveaux mots de passe d’application.',
  reset: 'Changer mon mot de passe',
  resetDone: 'Votre mot de passe a été changé. Connectez-vous avec le nouveau.',
  newLink: 'Demander un nouveau lien',

  parts: 'Pages du compte',
  overview: 'Vue d’ensemble',
  role: 'Rôle',
  roles: {
    reader: 'Lecture : voit tous les événements, y compris privés',
    writer: 'Écriture : voit, ajoute et modifie tous les événements',
    admin: 'Administration : voit, ajoute et modifie tous les événements, et gère les comptes',
  },
  mailLanguage: 'Langue des e-mails',
  mailLanguageLead:
    'Les e-mails qui vous sont destinés sont écrits dans cette langue. Les pages suivent votre navigateur, ou votre choix au bas de chaque page.',
  mailLanguageSaved: 'La langue a été enregistrée.',
  calendarLanguage: 'La langue du calendrier',
  currentPassword: 'Mot de passe actuel',
  currentProblems: {
    not_allowed: 'Ce n’est pas votre mot de passe actuel.',
    required: 'Saisissez votre mot de passe actuel.',
  },
  changeLead:
    'Toutes vos autres sessions seront fermées. Les mots de passe d’application, les liens de flux et les jetons restent inchangés.',
  changed: 'Votre mot de passe a été changé. Toutes vos autres sessions ont été fermées.',
  outLead:
    'Ferme toutes vos sessions, y compris celle-ci. Utile si une session est restée ouverte sur un ordinateur qui n’est pas le vôtre.',
  out: 'Se déconnecter partout',

  name: 'Nom',
  none: 'Il n’y en a pas encore.',
  neverUsed: 'Jamais utilisé',
  lastUsed: (when) => `Dernière utilisation : ${when}`,
  made: (when) => `Créé le ${when}`,
  shownOnce: 'Affiché une seule fois. Copiez-le avant de continuer.',
  tookIt: 'Je l’ai copié',
  keep: 'Conserver',
  noMore: 'Vous avez atteint la limite. Supprimez-en un que vous n’utilisez plus.',

  devicesTitle: 'Mots de passe d’application',
  devicesLead:
    'Un mot de passe d’application permet à l’application de calendrier de votre téléphone ou de votre ordinateur d’utiliser ce calendrier. Créez-en un par appareil. Si vous perdez un appareil, supprimez son mot de passe ici ; les autres continueront de fonctionner.',
  deviceName: 'Appareil ou application',
  deviceHint: 'Par exemple : mon téléphone.',
  makeDevice: 'Créer un mot de passe d’application',
  deviceMade: (name) => `Le mot de passe d’application pour « ${name} »`,
  devicesYours: 'Vos mots de passe d’application',
  deviceGoes: (name) =>
    `« ${name} » perdra l’accès immédiatement. Les événements ajoutés par ce moyen restent dans le calendrier.`,
  deleted: (name) => `« ${name} » a été supprimé.`,
  deleteNamed: (name) => `Supprimer ${name}`,
  deleteTitle: (name) => `Supprimer « ${name} » ?`,

  guideTitle: 'Configurer votre application de calendrier',
  guideLead: 'Toute application n’a besoin que de ces trois informations :',
  guideServer: 'Adresse du serveur',
  guideUser: 'Nom d’utilisateur',
  guidePassword: 'Mot de passe : un des mots de passe d’application ci-dessus.',
  guides: ({ server, host, email }) => [
    {
      name: 'iPhone et iPad',
      steps: [
        'Réglages › Apps › Calendrier › Comptes Calendrier › Ajouter un compte › Autre › Ajouter un compte CalDAV.',
        `Serveur : ${host}`,
        `Nom d’utilisateur : ${email}`,
        'Mot de passe : le mot de passe d’application. La description est libre.',
        'Réglez la fréquence de vérification dans « Nouvelles données ».',
      ],
    },
    {
      name: 'Mac (Calendrier Apple)',
      steps: [
        'Réglages Système › Comptes Internet › Ajouter un compte › Ajouter un autre compte › Compte CalDAV.',
        'Type de compte : Manuel.',
        `Nom d’utilisateur : ${email}`,
        'Mot de passe : le mot de passe d’application.',
        `Adresse du serveur : ${host}`,
      ],
    },
    {
      name: 'Thunderbird',
      steps: [
        'Agenda › Nouvel agenda › Sur le réseau.',
        `Nom d’utilisateur : ${email}`,
        `Adresse : ${server}`,
        'Appuyez sur « Rechercher des agendas », choisissez celui qui est trouvé et saisissez le mot de passe d’application quand il est demandé.',
        'Cochez « Prise en charge hors connexion », pour que seules les modifications soient chargées.',
      ],
    },
    {
      name: 'Android (DAVx⁵)',
      steps: [
        'Appuyez sur + et choisissez « Connexion avec une URL et un nom d’utilisateur ».',
        `URL de base : ${server}`,
        `Nom d’utilisateur : ${email}`,
        'Mot de passe : le mot de passe d’application.',
        'Cochez le calendrier sous CalDAV. Il apparaît alors dans toute application de calendrier du téléphone.',
      ],
    },
    {
      name: 'Evolution et GNOME',
      steps: [
        'Evolution : Fichier › Nouveau › Calendrier, type CalDAV.',
        `URL : ${server}`,
        `Utilisateur : ${email} ; puis Rechercher les calendriers, et le mot de passe d’application quand il est demandé.`,
        'GNOME : Paramètres › Comptes en ligne › Calendrier, contacts et fichiers (WebDAV), avec les mêmes informations.',
      ],
    },
    {
      name: 'vdirsyncer',
      steps: ['Dans son fichier de configuration, avec le mot de passe d’application dans votre trousseau :'],
      code: `[storage calendar]
type = "caldav"
url = "${server}"
username = "${email}"
password.fetch = ["command", "secret-tool", "lookup", "service", "daybook"]`,
    },
  ],

  feedsTitle: 'Liens de flux',
  feedsLead:
    'Un lien de flux permet d’afficher ce calendrier dans une application qui ne peut pas se connecter, comme Google Agenda. Toute personne qui a le lien peut s’en servir : traitez-le comme un mot de passe.',
  feedHint: 'Par exemple : Google Agenda.',
  detail: 'Ce qu’il montre',
  details: {
    full: 'Tout, y compris les détails des événements privés',
    masked: 'Ce que voit le public : les événements privés seulement comme « Private Event »',
  },
  detailChoices: { full: 'Tout', masked: 'Ce que voit le public' },
  detailHints: {
    full: 'Y compris les détails des événements privés.',
    masked: 'Les événements privés seulement comme « Private Event ».',
  },
  category: 'Seulement cette catégorie',
  makeFeed: 'Créer un lien',
  feedMade: (name) => `Le lien pour « ${name} »`,
  feedAddress: 'Adresse d’abonnement',
  feedsYours: 'Vos liens',
  feedGoes: (name) => `Les applications qui utilisent « ${name} » ne recevront immédiatement plus d’événements.`,
  onlyCategory: (category) => `Seulement « ${category} »`,
  rename: 'Renommer',
  renameNamed: (name) => `Renommer ${name}`,
  renameTitle: (name) => `Renommer « ${name} »`,

  tokensTitle: 'Jetons d’API',
  tokensLead:
    'Pour les programmes que vous écrivez ou exécutez vous-même. Un jeton ne permet que ce que vous cochez ici, et jamais plus que ce que vous pouvez faire.',
  apiDocs: 'Comment utiliser l’API',
  tokenHint: 'Par exemple : notre site web.',
  scopesLabel: 'Ce qu’il permet',
  scopes: {
    'events:read': 'Lire tous les événements, y compris privés',
    'events:write': 'Ajouter, modifier et supprimer des événements',
    admin: 'Administrer : personnes, import, export',
  },
  scopesNeeded: 'Cochez au moins une case.',
  expiry: 'Valable pendant',
  expiries: { '30': '30 jours', '90': '90 jours', '365': 'un an', '730': 'deux ans' },
  makeToken: 'Créer un jeton',
  tokenLabel: 'Jeton',
  tokenMade: (name) => `Le jeton « ${name} »`,
  tokensYours: 'Vos jetons',
  tokenGoes: (name) => `Les programmes qui utilisent « ${name} » perdront l’accès immédiatement.`,
  endsWith: (last) => `Se termine par …${last}`,
  expires: (when) => `Valable jusqu’au ${when}`,
  expired: (when) => `Expiré le ${when}`,

  sessions: 'Sessions',
  sessionsTitle: 'Mes sessions ouvertes',
  sessionsLead: 'Si vous n’en reconnaissez pas une, fermez-la et changez votre mot de passe.',
  sessionsYours: 'Vos sessions',
  current: 'Ce navigateur',
  browserOn: (browser, system) => `${browser} sous ${system}`,
  someBrowser: 'Navigateur inconnu',
  signedInAt: (when) => `Connexion : ${when}`,
  lastSeen: (when) => `dernière utilisation : ${when}`,
  from: (network) => `Depuis le réseau ${network}`,
  endsAt: (when) => `Expire sans utilisation le ${when}`,
  end: 'Fermer la session',
  endNamed: (name) => `Fermer la session : ${name}`,
  ended: 'La session a été fermée.',
  endOthers: 'Fermer toutes les autres sessions',
  othersEnded: 'Toutes les autres sessions ont été fermées.',
  noOthers: 'Vous n’avez aucune autre session ouverte.',
}
