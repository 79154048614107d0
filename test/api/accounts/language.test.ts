// The language of mails to an account: given when it is requested, changed by its owner, else the calendar's.
import assert from 'node:assert/strict'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'

const languageOf = async ({ app }: World, email: string) =>
  (await app.ctx.storage.reads.selectFrom('users').select('language').where('email', '=', email).executeTakeFirst())
    ?.language

const wish = { email: 'ann@example.org', password: 'four or five words will do', display_name: 'Ann' }

forEachEngine('an account has the language in which it was requested; another request changes nothing', (engine) =>
  withWorld(engine, async (world) => {
    assert.equal((await world.anonymous.post('/users/register', { ...wish, language: 'de' })).status, 202)
    assert.equal(await languageOf(world, wish.email), 'de')
    assert.equal((await world.anonymous.post('/users/register', { ...wish, language: 'en-US' })).status, 202)
    assert.equal(await languageOf(world, wish.email), 'de')
    await world.anonymous.post('/users/register', { ...wish, email: 'bob@example.org' })
    assert.equal(await languageOf(world, 'bob@example.org'), null)
    const refused = await world.anonymous.post('/users/register', { ...wish, language: 'tlh' })
    assert.equal(refused.status, 422)
  }),
)

forEachEngine('the owner changes the language, and sees it at once', (engine) =>
  withWorld(engine, async (world) => {
    const session = async () => (await world.reader.get('/auth/session')).body.data.user.language
    assert.equal(await session(), null)
    const changed = await world.reader.patch('/auth/account', { language: 'de' })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.data.language, 'de')
    assert.equal(await session(), 'de')
    assert.equal(await languageOf(world, 'reader@example.org'), 'de')
    assert.equal(await languageOf(world, 'writer@example.org'), null)
    assert.equal((await world.reader.patch('/auth/account', { language: null })).body.data.language, null)
    assert.equal(await languageOf(world, 'reader@example.org'), null)
    assert.equal((await world.reader.patch('/auth/account', { language: 'tlh' })).status, 422)
    assert.equal((await world.anonymous.patch('/auth/account', { language: 'de' })).status, 401)
  }),
)
