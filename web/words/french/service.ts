// What the service writes, in French: settings of the machine, findings.
import type * as english from '../english/service.ts'
import { findings } from './findings.ts'

const meanings: typeof english.service.meanings = {
  host: 'Où le service écoute. `localhost` : cette machine seulement ; `0.0.0.0` : toutes les adresses.',
  port: 'Le port d’écoute.',
  public_url:
    'L’adresse que les personnes utilisent, par exemple `https://agenda.example.org`. Vide : `http://localhost:<port>`.',
  url_slug: 'Un premier segment pour tous les chemins, par exemple `ville` dans `/ville/api-root/calendar/v1`.',
  data_dir: 'Le dossier du fichier SQLite, et des e-mails tant qu’aucun serveur de messagerie n’est défini.',
  database_url: 'Une adresse PostgreSQL (`postgres://…`). Vide : SQLite dans `data_dir`.',
  database_pool_size:
    'Nombre de connexions d’un nœud à PostgreSQL, en plus de quatre pour les lectures coûteuses, les flux et les exports : la moitié, quatre au plus, pour les écritures, les autres pour les lectures. Il y en a au moins une de chaque.',
  durable_commits:
    '`off` autorise un PostgreSQL dont `fsync` ou `synchronous_commit` est désactivé ; des événements confirmés peuvent alors être perdus.',
  memory_limit:
    'Mémoire que le service peut occuper, en Mio, à partir de 128. La taille de ses caches et du tas en découle.',
  api_origins:
    'Autres sites dont les pages peuvent appeler l’API avec un jeton : des adresses https comme `https://plugin.example.org`, ou http de cette machine, séparées par des virgules ; 50 au plus.',
  trash_days: 'Pendant combien de jours les événements supprimés peuvent être restaurés. `0` n’en garde aucun.',
  history_days: 'Pendant combien de jours les versions antérieures des événements sont gardées. `0` n’en garde aucune.',
  bulk_change_limit:
    'Combien d’événements un appareil, un programme ou une session peut supprimer ou modifier en dix minutes avant d’être ralenti et que les administrateurs reçoivent un e-mail. `0` : jamais.',
  caldav_blind_writes:
    'Si un PUT CalDAV peut remplacer un événement existant sans `If-Match` : `served` si le programme a reçu la version actuelle, `on` toujours, `off` jamais.',
  trust_proxy: 'Proxys dont les en-têtes sont crus : adresses ou réseaux, séparés par des virgules.',
  proxy_header:
    'Les en-têtes que ces proxys définissent : `x-forwarded` (X-Forwarded-For, -Proto) ou `forwarded` (RFC 7239).',
  allow_loopback_http:
    '`on` répond en http sur la machine elle-même bien que `public_url` soit en https. Pas derrière un proxy sur la même machine.',
  tls_certificate: 'Un fichier PEM avec la chaîne de certificats, pour servir HTTPS directement.',
  tls_key: 'Le fichier PEM avec sa clé.',
  hsts_subdomains: '`off` omet `includeSubDomains` dans HSTS.',
  backup_dir: 'Le dossier des sauvegardes programmées, de préférence sur un autre disque. Vide : aucune.',
  require_verified_email:
    'Si un compte approuvé a besoin d’une adresse confirmée, `on` ou `off`. Vide : `on` avec un serveur de messagerie, `off` sans.',
  basic_passwords:
    '`off` refuse les mots de passe des comptes en HTTP Basic : les programmes ont alors besoin de mots de passe d’application.',
  proof_of_work:
    '`on` : une inscription ou un nouveau mot de passe coûte au navigateur une seconde de calcul ; `auto` seulement tant que de nombreuses demandes remplissent leurs limites ; `off` jamais.',
  revoke_exposed_credentials:
    '`on` met fin aux sessions, jetons, mots de passe d’application et liens de flux envoyés en http non chiffré. Vérifiez d’abord `trust_proxy`.',
  rate_limits:
    '`off` désactive les limites de requêtes, pour des essais de charge seulement ; un avertissement s’affiche au démarrage.',
  log_level:
    'Ce qui est écrit sur la sortie d’erreur : `error`, `warn`, `info` (avec une ligne par requête) ou `silent`.',
  metrics_token:
    'Sert `GET /metrics` aux programmes qui envoient ce jeton en `Authorization: Bearer` : au moins 16 caractères sans espace. Vide : non.',
  metrics_port: 'Sert `GET /metrics` sans jeton sur ce port de 127.0.0.1. Vide : non.',
}

const reasons: typeof english.service.reasons = {
  environment: (name) => `L’exploitant l’a défini dans l’environnement (${name}).`,
  others: {
    start: 'Adresses, connexions et mémoire : mises en place au démarrage du service.',
    database: 'Base de données : elle doit être ouverte avant que les paramètres modifiés ici puissent être lus.',
    files: 'Fichiers et dossiers de la machine.',
    protection: 'Protection des comptes et des événements, aussi contre une session d’administrateur volée.',
    monitoring: 'Surveillance de la machine.',
    file: 'L’exploitant l’a défini dans daybook.json.',
    smtp_url: 'Cela fait partie du smtp_url de l’exploitant.',
  },
}

export const service: typeof english.service = { findings, meanings, reasons }
