#!/usr/bin/env node
// The `daybook` command: installs what is missing, then runs src/main.ts on the pinned Node.
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root, runOnOwnNode } from './launcher.mjs'

ensureInstalled('run')
// Only the service serves pages; other commands need not wait for the build.
const isService = process.argv[2] === 'start'
if (isService) ensureBuilt()
runOnOwnNode([join(root, 'src', 'main.ts'), ...process.argv.slice(2)], {
  name: isService ? 'the service' : 'the command',
  endsWithUs: true,
  // Commands print their own error messages.
  reportsFailure: isService,
  // One glibc malloc arena for all threads: the compilers of V8 leave up to 20 MiB of holes in arenas of their own.
  variables: process.argv[2] === 'import' ? { MALLOC_ARENA_MAX: '1' } : {},
})
