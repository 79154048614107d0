// An empty test at the head of each file of a batch: records the costs up to here. Loaded as ?file=….
import { test } from 'node:test'
import { MARK, noteFileStart } from './file-costs.ts'

const file = new URL(import.meta.url).searchParams.get('file')!
test(MARK + file, () => noteFileStart(file))
