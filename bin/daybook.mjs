#!/usr/bin/env node
// The `daybook` command: installs and builds what is missing, then becomes the service or command on the pinned Node.
import { becomeNode, builtMain, ensureBuilt, ensureInstalled, findMain } from './launcher.mjs'
import { memoryOptions } from './memory-options.mjs'

const args = process.argv.slice(2)
ensureInstalled('run')
// Only the service serves pages; other commands need not wait for the builds.
const isService = args[0] === 'start'
if (isService) ensureBuilt({ withService: true })
const { variables, flags } = memoryOptions(args[0])
becomeNode(isService ? builtMain : findMain(), args, {
  name: isService ? 'the service' : 'the command',
  // Commands print their own error messages.
  reportsFailure: isService,
  variables,
  flags,
})
