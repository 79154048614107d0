// Starts nginx in front of the measured nodes, with or without a cache of public responses.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { end, endWithUs, freePort, type Running } from '../service.ts'

export interface RunningProxy extends Running {
  /** Responses so far by what the cache did: HIT, MISS, REVALIDATED, EXPIRED, UPDATING; `-` without a cache. */
  countCacheStates(): Record<string, number>
}

export interface ProxyOptions {
  folder: string
  ports: readonly number[]
  /** For how many seconds a public response is sent again without a request to a node; 0 is no cache. */
  cacheSeconds: number
}

const START_LIMIT_MS = 10_000

/** Needs nginx on the machine (`NGINX` names another program); the nodes see requests as local ones. */
export async function startNginx({ folder, ports, cacheSeconds }: ProxyOptions): Promise<RunningProxy> {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'nginx.conf')
  writeFileSync(path, configOf({ folder, ports, cacheSeconds }, port))
  const child = spawn(process.env.NGINX ?? 'nginx', ['-p', folder, '-c', path, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  endWithUs(child)
  await Promise.race([waitUntilOpen(port), once(child, 'exit').then(() => Promise.reject(new Error('nginx ended')))])
  return {
    port,
    pid: child.pid!,
    stop: () => end(child),
    countCacheStates() {
      const states = readFileSync(join(folder, 'access.log'), 'utf8').trimEnd().split('\n')
      return Object.fromEntries([...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]))
    },
  }
}

async function waitUntilOpen(port: number): Promise<void> {
  const giveUpAt = performance.now() + START_LIMIT_MS
  while (performance.now() < giveUpAt) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await delay(10)
  }
  throw new Error('nginx did not listen in time')
}

function configOf({ folder, ports, cacheSeconds }: ProxyOptions, port: number): string {
  const cache = `
      proxy_cache public;
      proxy_cache_key $request_uri$http_accept_encoding;
      proxy_ignore_headers Cache-Control;
      proxy_cache_valid 200 ${cacheSeconds}s;
      proxy_cache_revalidate on;
      proxy_cache_lock on;`
  return `daemon off;
worker_processes 1;
user root;
pid ${join(folder, 'nginx.pid')};
events { worker_connections 1024; }
http {
  log_format states '$upstream_cache_status';
  access_log ${join(folder, 'access.log')} states buffer=64k flush=1s;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n  ')}
  proxy_cache_path ${join(folder, 'cache')} keys_zone=public:10m max_size=100m;
  keepalive_requests 1000000;
  upstream nodes {
    ${ports.map((node) => `server 127.0.0.1:${node};`).join('\n    ')}
    keepalive 64;
    keepalive_requests 1000000;
  }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    location / { proxy_pass http://nodes; }
    location /api-root/calendar/v1/public/ {
      proxy_pass http://nodes;${cacheSeconds > 0 ? cache : ''}
    }
  }
}
`
}
