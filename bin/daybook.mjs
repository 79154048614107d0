#!/usr/bin/env node
// The command people type: installs what is missing, then hands over to src/main.ts on the pinned Node.
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root, runOnOwnNode } from './launcher.mjs'

ensureInstalled('run')
// Only the service shows pages; other commands need not wait for them.
const isService = process.argv[2] === 'start'
if (isService) ensureBuilt()
runOnOwnNode([join(root, 'src', 'main.ts'), ...process.argv.slice(2)], {
  name: isService ? 'the service' : 'the command',
  endsWithUs: true,
  // Commands say themselves what went wrong.
  reportsFailure: isService,
  // One pool of glibc's malloc for all threads: the compilers of V8 leave up to 20 MiB of holes in pools of their own.
  variables: process.argv[2] === 'import' ? { MALLOC_ARENA_MAX: '1' } : {},
})
