// Findings of the health page in French.
import type { FindingValues } from '../../../src/contract/health.ts'
import type * as english from '../english/findings.ts'

const EXPIRY = 'Renouvelez-le. Daybook lit de lui-même les fichiers renouvelés ; un proxy doit parfois être rechargé.'
const AS_SERVICE =
  'Vérifiez le propriétaire et les droits du dossier et des fichiers (chown, chmod) : l’utilisateur du service doit pouvoir les lire et les écrire.'
const MAIL =
  'Vérifiez smtp_url et smtp_tls. Les e-mails attendent dans la base de données et partent dès que cela fonctionne.'
const ROOM = 'Supprimez des fichiers ou agrandissez le disque.'

const restore = ({ command, engine }: FindingValues): string =>
  engine === 'postgres'
    ? `Arrêtez le service, indiquez une base vide dans database_url et restaurez une sauvegarde : ${command} restore FICHIER.`
    : `Arrêtez le service, déplacez daybook.db* dans un autre dossier et restaurez une sauvegarde : ${command} restore FICHIER.`

const placeOf = (place: unknown): string => (place === 'backup_dir' ? 'de backup_dir' : 'du dossier de données')
const fileOf = (name: unknown): string => (name === 'data_dir' ? 'Le dossier de données' : `${name}`)
const mib = (value: unknown): string => `${Number(value).toLocaleString('fr')} Mio`
const lastOf = (last: unknown): string => (last ? `la dernière date du ${last}` : 'il n’y en a pas encore')
const certificateOf = (isServed: unknown): string =>
  isServed ? 'Le certificat de public_url' : 'Le certificat de tls_certificate'

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'rien ne répond à cet endroit',
  ENOTFOUND: 'il n’y a pas d’hôte de ce nom',
  EAI_AGAIN: 'le nom d’hôte ne peut pas être résolu pour le moment',
  ABORT_ERR: 'pas de réponse à temps',
  ETIMEDOUT: 'pas de réponse à temps',
  ECONNRESET: 'la connexion a été fermée sans réponse',
  EPROTO: 'TLS n’y est pas parlé',
}

const MAIL_PROBLEMS: Record<string, string> = {
  EAUTH: 'le serveur de messagerie a refusé le nom d’utilisateur ou le mot de passe',
  EDNS: 'il n’y a pas d’hôte de ce nom',
  ENOTFOUND: 'il n’y a pas d’hôte de ce nom',
  ECONNECTION: 'aucune connexion n’a pu être établie',
  ECONNREFUSED: 'rien ne répond à cet endroit',
  ESOCKET: 'rien ne répond à cet endroit',
  EUNTRUSTED: 'rien ne répond à cet endroit, ou le certificat n’est pas digne de confiance',
  ETIMEDOUT: 'pas de réponse à temps',
  ETLS: 'le serveur ne propose pas de chiffrement (smtp_tls off envoie sans)',
}

function mailProblem({ where, reason, cause }: FindingValues): string {
  const place = where || 'dossier des e-mails'
  const known = MAIL_PROBLEMS[`${reason}`]
  if (known) return `${place} : ${known}`
  if (reason === 'refused') return `${place} n’accepte pas d’e-mails pour cette adresse (${cause})`
  return `${place} n’a pas accepté l’e-mail (${cause})`
}

const DATABASE: Record<string, string> = {
  disk_full: 'Le disque est plein, ou la base de données a atteint sa taille limite',
  read_only: 'La base de données est en lecture seule',
  io_error: 'Le disque ou le système de fichiers signale une erreur',
  permission_denied: 'La base de données refuse l’accès à cet utilisateur',
  data_missing: 'Un fichier de la base de données manque',
  database_unreachable: 'La base de données est injoignable',
  write_failed: 'Un essai d’écriture dans la base de données a échoué',
  locked: 'Un autre processus détient le verrou d’écriture de la base de données',
  busy: 'La base de données est occupée',
}

export const findings: typeof english.findings = {
  check_failed: ({ kind }) => [`Ceci n’a pas pu être vérifié (${kind})`, 'Signalez-le, avec cette ligne.'],
  categories_not_managed: ({ count }) => [
    `Catégories d’événements sans couleur propre : ${count}`,
    'Adoptez-les sur la page « Catégories » : un clic donne à chacune une couleur et une place.',
  ],
  config_ok: () => ['Les paramètres sont valides et cohérents'],
  config_invalid: () => [
    'tls_certificate : le fichier ne contient pas de certificat PEM',
    'Indiquez un fichier PEM avec la chaîne de certificats.',
  ],
  setting_without_effect: ({ name, needed }) => {
    const other = needed === 'an https public_url' ? 'une adresse https dans public_url' : `${needed}`
    return [`${name} est défini, mais sans effet sans ${other}`, `Définissez aussi ${other}, ou retirez ${name}.`]
  },
  https_unreachable: () => [
    'public_url est en https, mais trust_proxy ne nomme aucun proxy et tls_certificate n’est pas défini : chaque requête est refusée avec https_required',
    'Indiquez dans trust_proxy l’adresse de votre proxy et faites-lui définir X-Forwarded-Proto et X-Forwarded-For, ou définissez tls_certificate et tls_key.',
  ],
  loopback_http_allowed: () => [
    'allow_loopback_http est on : un proxy sur cette machine qui ne définit pas d’en-têtes rend chaque visiteur local',
    'Mettez allow_loopback_http sur off, sauf si des programmes de cette machine ont besoin de http.',
  ],
  public_url_plain: () => [
    'public_url est en http non chiffré : la connexion est refusée, sauf sur cette machine',
    'Servez HTTPS, par un proxy ou directement, et mettez l’adresse https dans public_url.',
  ],
  rate_limits_off: () => [
    'rate_limits est off : les mots de passe peuvent être devinés sans limite',
    'Mettez rate_limits sur on. Seuls des essais de charge ont besoin de off.',
  ],
  commits_not_durable: () => [
    'durable_commits est off : une coupure de courant peut faire perdre des événements confirmés',
    'Activez fsync et synchronous_commit dans PostgreSQL, et mettez durable_commits sur on.',
  ],
  mail_password_in_clear: () => [
    'smtp_tls est off : le mot de passe du serveur de messagerie est envoyé non chiffré',
    'Mettez smtp_tls sur on, ou utilisez un serveur de messagerie sur cette machine.',
  ],
  verification_without_mail: () => [
    'require_verified_email est on, mais il n’y a pas de serveur de messagerie pour envoyer les liens',
    'Définissez smtp_url, ou donnez aux personnes les liens des fichiers de data/mail.',
  ],
  files_ok: () => ['Seul le propriétaire peut lire les données, et le service peut les écrire'],
  files_not_checked: () => ['Les droits des fichiers ne sont pas vérifiés sous Windows'],
  folder_open: ({ mode }) => [
    `D’autres utilisateurs de cette machine peuvent entrer dans le dossier de données (mode ${mode})`,
    'Exécutez chmod 700 sur le dossier.',
  ],
  file_open: ({ file, mode }) => {
    if (file === 'daybook.json' || file === 'tls_key')
      return [
        file === 'tls_key'
          ? `D’autres utilisateurs de cette machine peuvent lire la clé du certificat (mode ${mode})`
          : `D’autres utilisateurs de cette machine peuvent lire les paramètres avec leurs mots de passe et jetons (mode ${mode})`,
        'Exécutez chmod 600 sur le fichier, ou 640 avec le groupe du service.',
      ]
    return [
      `D’autres utilisateurs de cette machine peuvent lire ${file} (mode ${mode})`,
      'Exécutez chmod 600 sur le fichier : il contient des événements privés et des empreintes de mots de passe.',
    ]
  },
  file_owner: ({ name, user, owner }) => [
    `${name} appartient à un autre utilisateur (${user}) que le dossier de données (${owner})`,
    'Exécutez chown sur le fichier, pour que les deux appartiennent à l’utilisateur du service.',
  ],
  file_not_accessible: ({ name }) => [`${fileOf(name)} : cet utilisateur ne peut pas y lire et écrire`, AS_SERVICE],
  disk_ok: (values) => [`Le disque ${placeOf(values.place)} a ${mib(values.mib)} libres`],
  disk_low: ({ place, mib: free, files }) =>
    files === undefined
      ? [`Le disque ${placeOf(place)} n’a que ${mib(free)} libres ; une sauvegarde pourrait ne pas y tenir`, ROOM]
      : [
          `Le système de fichiers ${placeOf(place)} n’a de la place que pour ${files} fichiers de plus`,
          'Supprimez des fichiers inutiles.',
        ],
  disk_full: (values) => [
    `Le disque ${placeOf(values.place)} n’a que ${mib(values.mib)} libres ; l’écriture échoue`,
    `${ROOM} Le service écrit de nouveau dès qu’il y a de la place.`,
  ],
  database_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'PostgreSQL répond, et le schéma est celui de cette version (lignes et références ne sont pas lues ici)'
      : 'SQLite ne trouve aucun dommage (contrôle rapide), les références sont complètes, et le schéma est celui de cette version',
  ],
  database_unreachable: ({ reason, code }) => [
    `${DATABASE[`${reason}`] ?? DATABASE.database_unreachable}${code}`,
    'Vérifiez database_url, les droits de son utilisateur, le dossier de données et le disque.',
  ],
  database_unsuitable: ({ detail }) => [
    `La base de données ne convient pas : ${detail}`,
    'Le service ne démarre pas tant que ce n’est pas corrigé.',
  ],
  database_damaged: (values) => [`La base de données est endommagée : ${values.detail}`, restore(values)],
  references_broken: ({ tables }) => [
    `Des lignes renvoient à d’autres qui n’existent pas, dans : ${tables}`,
    'Restaurez une sauvegarde, ou signalez-le : aucune version de Daybook n’écrit de telles lignes.',
  ],
  database_index_invalid: ({ indexes }) => [
    `Ces index ne sont pas valides : ${indexes}`,
    'Exécutez REINDEX INDEX pour chacun d’eux.',
  ],
  schema_outdated: ({ count }) => [
    `La base de données est d’une version antérieure de Daybook (migrations manquantes : ${count})`,
    'Faites une sauvegarde, puis démarrez le service : il met la base à jour.',
  ],
  schema_newer: ({ migration }) => [
    `La base de données est d’une version plus récente de Daybook (migration ${migration})`,
    'Utilisez cette version, ou restaurez une sauvegarde de celle-ci.',
  ],
  index_ok: ({ checked }) => [`Les colonnes et les dates de ${checked} événements sont celles de leurs textes`],
  index_wrong: ({ count, ids, command }) => [
    `Événements mal indexés : ${count} (${ids})`,
    `Exécutez ${command} reindex ; il les répare, même pendant que le service fonctionne.`,
  ],
  index_rebuilding: () => [
    'Les événements sont en cours de réindexation ; d’ici là, il peut en manquer dans les listes',
    'Laissez le service fonctionner ; GET /readyz montre l’avancement.',
  ],
  index_outdated: () => [
    'Les événements ont été indexés avec d’autres données de fuseaux, un autre fuseau ou une autre version',
    'Redémarrez le service : il les réindexe de lui-même.',
  ],
  events_unreadable: ({ count, ids }) => [
    `Événements illisibles : ${count} (${ids})`,
    'Restaurez-les depuis une sauvegarde, ou supprimez-les. Personne ne les voit.',
  ],
  clock_ok: ({ engine }) => [
    engine === 'postgres'
      ? 'L’horloge concorde avec PostgreSQL et avec la dernière utilisation du calendrier'
      : 'L’horloge concorde avec la dernière utilisation du calendrier',
  ],
  clock_in_doubt: ({ days, is_ahead, command }) => [
    `L’horloge ${is_ahead ? 'avance' : 'retarde'} de ${days} jours par rapport à la dernière utilisation du calendrier ; entre-temps, rien n’est supprimé définitivement`,
    `Réglez l’horloge et redémarrez le service. Si elle est juste, exécutez ${command} reindex --accept-clock.`,
  ],
  clock_drift: ({ seconds, is_ahead }) => [
    `L’horloge de cette machine ${is_ahead ? 'avance' : 'retarde'} de ${Number(seconds).toLocaleString('fr')} s sur PostgreSQL`,
    'Laissez un serveur de temps régler les deux horloges. Le service utilise l’heure de PostgreSQL.',
  ],
  zone_data_ok: ({ tz, icu, timezone }) => [`Données de fuseaux ${tz}, ICU ${icu} ; le calendrier est en ${timezone}`],
  zone_data_old: ({ tz }) => [
    `Les données de fuseaux sont de la version ${tz}`,
    'Mettez Daybook à jour ; son propre Node apporte ces données.',
  ],
  mail_ok: ({ server, is_encrypted, has_login }) => [
    `Le serveur de messagerie ${server} répond ${is_encrypted ? 'avec TLS' : 'sans chiffrement'}${has_login ? ' et accepte l’identification' : ''}`,
  ],
  mail_to_files: () => [
    'Aucun serveur de messagerie n’est défini : les e-mails sont écrits dans des fichiers',
    'Définissez smtp_url pour un usage public.',
  ],
  mail_failing: (values) => [mailProblem(values), MAIL],
  mail_not_sent: (values) => [mailProblem(values), MAIL],
  service_ok: () => ['Le service est prêt'],
  service_not_ready: ({ reason }) => [
    `Le service n’est pas prêt : ${reason}`,
    'docs/monitoring.md explique chaque raison ; le journal contient les détails.',
  ],
  public_url_ok: ({ origin }) => [`${origin} sert ce calendrier`],
  public_url_not_checked: () => ['public_url n’a pas pu être vérifié'],
  public_url_unreachable: ({ origin, reason }) => [
    `${origin} est injoignable : ${UNREACHABLE[`${reason}`] ?? `pas de connexion (${reason})`}`,
    'Vérifiez public_url, le DNS, le pare-feu et le proxy. Si seule cette machine n’atteint pas sa propre adresse publique, essayez depuis une autre.',
  ],
  public_url_elsewhere: ({ origin, status }) => [
    `${origin} répond ${status}, mais pas comme ce calendrier`,
    'Vérifiez public_url et url_slug, et où le proxy envoie les requêtes : un autre service, un autre calendrier ou une version antérieure répond.',
  ],
  certificate_ok: ({ is_served, end }) => [`${certificateOf(is_served)} est valable jusqu’au ${end}`],
  certificate_expiring: ({ is_served, end, days }) => [
    `${certificateOf(is_served)} expire le ${end}, dans ${days} ${Number(days) < 2 ? 'jour' : 'jours'}`,
    EXPIRY,
  ],
  certificate_expired: ({ is_served, end }) => [`${certificateOf(is_served)} a expiré le ${end}`, EXPIRY],
  certificate_not_valid_yet: ({ is_served }) => [
    `${certificateOf(is_served)} n’est pas encore valable`,
    'Vérifiez l’horloge de cette machine.',
  ],
  certificate_wrong_name: ({ is_served, hostname }) => [
    `${certificateOf(is_served)} n’est pas pour ${hostname}`,
    'Procurez-vous un certificat pour le nom d’hôte de public_url.',
  ],
  certificate_untrusted: ({ reason }) => [
    `Cette machine ne fait pas confiance au certificat de public_url (${reason})`,
    'Servez toute la chaîne, avec les certificats intermédiaires, d’une autorité que les navigateurs connaissent.',
  ],
  proxy_ok: ({ is_proxied }) => [
    is_proxied ? 'Le proxy transmet le schéma et l’adresse des visiteurs' : 'Les requêtes arrivent sans proxy',
  ],
  proxy_bare: ({ sender, nginx }) => [
    'Le proxy transmet les requêtes sans en-têtes de transfert : le schéma et l’adresse des visiteurs sont inconnus',
    `Pour nginx : ${nginx} Nommez le proxy dans trust_proxy : ${sender}.`,
  ],
  proxy_untrusted: ({ sender }) => [
    `Un proxy à l’adresse ${sender} définit des en-têtes de transfert, mais trust_proxy ne le nomme pas`,
    `Ajoutez ${sender} à trust_proxy.`,
  ],
  proxy_without_scheme: ({ header }) => [
    'Le proxy ne dit pas que les visiteurs utilisent https ; leurs requêtes sont donc refusées',
    header === 'Forwarded'
      ? 'Faites-lui définir Forwarded avec proto=https.'
      : 'Faites-lui mettre dans X-Forwarded-Proto le schéma du visiteur.',
  ],
  proxy_without_address: ({ header }) => [
    'Le proxy ne transmet pas les adresses : tous les visiteurs partagent une même limite',
    header === 'Forwarded' ? 'Faites-lui définir Forwarded avec for=.' : 'Faites-lui compléter X-Forwarded-For.',
  ],
  backup_ok: ({ last }) => [`Les sauvegardes se font comme prévu ; ${lastOf(last)}`],
  backup_unknown: ({ command }) => [
    'Aucune sauvegarde n’est programmée, et Daybook n’en connaît pas d’autres',
    `Définissez backup_dir, ou exécutez régulièrement ${command} backup, et gardez les fichiers sur une autre machine.`,
  ],
  backup_failing: ({ last }) => [
    `La sauvegarde programmée a échoué ; ${lastOf(last)}`,
    'Le journal du service dit pourquoi. Y a-t-il de la place dans backup_dir, et le service peut-il y écrire ?',
  ],
  backup_overdue: ({ last }) => [
    `Une sauvegarde programmée est en retard ; ${lastOf(last)}`,
    'Le service fonctionne-t-il ?',
  ],
  backup_missing: ({ name }) => [
    `La dernière sauvegarde programmée, ${name}, n’est pas dans backup_dir`,
    'A-t-elle été supprimée ou déplacée, ou faite par un autre nœud dans son propre dossier ?',
  ],
  backup_ahead: ({ names, more }) => [
    `backup_dir contient des sauvegardes dont le nom est dans l’avenir : ${names}${more ? ` et ${more} de plus` : ''}`,
    'Si l’horloge est juste, elle avançait alors. Elles ne sont jamais supprimées : supprimez-les ou renommez-les.',
  ],
}
