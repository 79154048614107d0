#!/usr/bin/env node
// The `daybook` command: installs and builds what is missing, then becomes the service or command on the pinned Node.
import { becomeNode, builtMain, ensureBuilt, ensureInstalled, findMain } from './launcher.mjs'

const args = process.argv.slice(2)
ensureInstalled('run')
// Only the service serves pages; other commands need not wait for the builds.
const isService = args[0] === 'start'
if (isService) ensureBuilt({ withService: true })
becomeNode(isService ? builtMain : findMain(), args, {
  name: isService ? 'the service' : 'the command',
  // Commands print their own error messages.
  reportsFailure: isService,
  // One glibc malloc arena for all threads: the compilers of V8 leave up to 20 MiB of holes in arenas of their own.
  variables: args[0] === 'import' ? { MALLOC_ARENA_MAX: '1' } : {},
})
