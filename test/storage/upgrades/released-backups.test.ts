// Backups as every released version wrote them, restored into either engine by this version.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AT, withRestored } from '../../support/storage/backups.ts'
import { forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { checkCalendar, FIXTURES, readFixture } from './fixtures.ts'

const files = readdirSync(FIXTURES)
const versions = files.flatMap((file) => /^(.+)\.backup\.br$/.exec(file)?.[1] ?? [])

for (const version of versions)
  forEachEngine(`a backup of version ${version} gives the same answers after a restore`, async (engine) => {
    const place = await makePlace('sqlite')
    const backup = join(place.folder, 'fixture.backup')
    writeFileSync(backup, readFixture(`${version}.backup`))
    try {
      await withRestored(backup, engine, { ...AT, keepsCredentials: true }, (world) => checkCalendar(world, version))
    } finally {
      await place.remove()
    }
  })

test('every released version has a fixture, and all are small', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8')
  const released = [...changelog.matchAll(/^## ([\d.]+) (?!\(unreleased\))/gm)].map(([, version]) => version!)
  for (const version of [...released, '0.1.0']) assert.ok(versions.includes(version), version)
  for (const file of files) assert.ok(statSync(join(FIXTURES, file)).size < 200_000, file)
})
