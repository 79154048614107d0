// Words of the first run and of the page about embedding in French.
import type * as english from '../english/setup.ts'

export const setup: typeof english.setup = {
  title: 'Bienvenue dans Daybook',
  lead: 'Votre calendrier sera prêt dans deux minutes : créez votre compte et donnez un nom au calendrier.',
  you: 'Vous, l’administrateur',
  emailHint: 'Elle vous sert à vous connecter. Seuls les administrateurs peuvent la voir.',
  name: 'Votre nom',
  calendar: 'Le calendrier',
  siteName: 'Nom du calendrier',
  zone: 'Fuseau horaire',
  zoneHint: 'Pour les dates et heures sans fuseau horaire propre. Par exemple : Europe/Paris.',
  weekStart: 'La semaine commence le',
  weekStartAuto: 'selon la langue du lecteur',
  submit: 'Créer le calendrier',
  codeWrong:
    'Le code de ce lien est incorrect, a déjà servi ou a expiré. Le dernier lien est affiché là où Daybook a été démarré ; redémarrez-le pour en obtenir un nouveau.',
  doneTitle: 'Ce calendrier est déjà configuré',
  done: 'Il a un administrateur ; il n’y a donc rien à faire ici.',
  noCodeTitle: 'Ce lien est incomplet',
  noCode: [
    'Ce calendrier n’a pas encore d’administrateur. Pour le devenir, ouvrez le lien complet affiché au démarrage de Daybook. Il se termine par :',
    'Vous ne le trouvez pas ? Redémarrez Daybook, et il en affichera un nouveau.',
    'Ou exécutez cette commande sur le serveur :',
  ],
  readyTitle: 'Votre calendrier est prêt',
  ready: 'Vous en êtes l’administrateur, et votre session est ouverte.',
  kept: (names) =>
    `Votre choix n’a pas été appliqué, car l’exploitant a fixé ces valeurs dans les paramètres du serveur : ${names}.`,
  next: 'Et maintenant ?',
  toCalendar: 'Ouvrir le calendrier',
  toImport: 'Importer les événements d’un autre calendrier',
  demo: 'Simple visite ? Cette commande remplit le calendrier avec les événements d’une maison de quartier :',
}

export const embed: typeof english.embed = {
  title: 'Intégrer ce calendrier',
  lead: 'Affichez ce calendrier sur n’importe quelle page web : copiez deux lignes et collez-les là où il doit apparaître. Les visiteurs ne reçoivent aucun cookie, et les événements privés ne montrent que leur horaire.',
  choices: 'Que doit-il afficher ?',
  theme: 'Couleurs',
  themes: [
    ['', 'Comme la page'],
    ['light', 'Claires'],
    ['dark', 'Sombres'],
  ],
  limit: 'Nombre d’événements',
  upcomingTitle: 'À venir',
  upcomingAbout:
    'Une courte liste pour une colonne latérale ou une page d’accueil. Elle ne pèse que quelques kilo-octets.',
  calendarTitle: 'Le calendrier complet',
  calendarAbout:
    'Mois, semaine, jour, liste ou année, avec ses propres boutons. La grille n’est chargée que là où elle sert.',
  code: 'À copier dans votre page',
  frameTitle: 'Dans un cadre',
  frameAbout:
    'Pour les sites qui n’acceptent pas les scripts. Votre site doit figurer dans le paramètre embed_sites ; adressez-vous à la personne qui gère ce calendrier.',
  wordpressTitle: 'WordPress',
  wordpressAbout:
    'Placez ce code dans le fichier functions.php de votre thème enfant, ou dans une petite extension. Il nécessite WordPress 6.5.',
  wordpressCode: 'Pour functions.php',
  wordpressUse: 'Placez ensuite ceci là où la liste doit apparaître, dans une page, un article ou un widget de texte :',
  shortcode: 'Code court',
  lookTitle: 'Couleurs et polices',
  lookAbout:
    'Définissez ces propriétés personnalisées dans la feuille de style de votre site, sur l’élément ou sur ce qui l’entoure.',
  properties: [
    ['--daybook-ink', 'Texte'],
    ['--daybook-muted', 'Texte moins important'],
    ['--daybook-accent', 'Liens, boutons, aujourd’hui'],
    ['--daybook-paper', 'Arrière-plan'],
    ['--daybook-card', 'Arrière-plan de la grille'],
    ['--daybook-line', 'Lignes'],
    ['--daybook-font', 'Police, comme la propriété CSS font'],
  ],
}
