#!/usr/bin/env node
// The command people type: installs what is missing, then hands over to src/main.ts on the pinned Node.
import { join } from 'node:path'
import { ensureInstalled, root, runOnOwnNode } from './launcher.mjs'

ensureInstalled('run')
runOnOwnNode([join(root, 'src', 'main.ts'), ...process.argv.slice(2)])
