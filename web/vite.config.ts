// Vite config: builds of their own, so that the scripts of other pages contain nothing of the web app.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const web = import.meta.dirname

const ENTRIES: Record<string, Record<string, string>> = {
  app: { app: join(web, 'app/main.tsx') },
  embed: { embed: join(web, 'embed/embed.ts'), frame: join(web, 'embed/frame.ts') },
  manual: { manual: join(web, 'manual/manual.ts') },
  // The service writes it into pages. No module: it runs before the page is drawn.
  language: { language: join(web, 'app/reopen-in-chosen-language.ts') },
  // By itself: the page of an event loads one file.
  'event-page': { 'event-page': join(web, 'event-page/event-page.ts') },
  'event-card': { 'event-card': join(web, 'event-page/event-card.ts') },
}

export const BUILDS = Object.keys(ENTRIES)

/** Files of what pages share: each is a request before a page can be used. */
const GROUPS = [
  { name: 'base', tags: ['$initial' as const], priority: 3 },
  {
    name: 'common',
    test: /[\\/](?:contract|time)[\\/](?!zone\.)|words[\\/](?:formats|calendar-times|format-times|search-marks|plural|join|load|use-words)\.ts$|(?:ui[\\/]field|use-loaded|use-online|last-calendar-view|link|calendar[\\/]fields|tones|category|page-colors|color-rules|grid-span|item-words|saved-mark|print-size)\.tsx?$/,
    minShareCount: 2,
    priority: 2,
  },
  // With the page of the calendar, which is the first to load it.
  {
    name: 'grid',
    test: /node_modules[\\/](?:fullcalendar|@full-ui|preact)[\\/]/,
    minShareCount: 2,
    priority: 1,
  },
  // What the calendar needs only when a reader does something.
  {
    name: 'parts',
    test: /[\\/]ui[\\/]|(?:recurrence[/]rule|rule-in-words|words[/]rules|read-event|restore-event|event-store)\.ts$/,
    minShareCount: 2,
    priority: 0,
  },
]

const AS_AMERICAN = '?american'

/** American English is English with a few words of its own: with a copy of the rest, it is one file too. */
const copyEnglish: Plugin = {
  name: 'copy-english',
  enforce: 'pre',
  async resolveId(source, importer = '') {
    const isCopied = importer.endsWith(AS_AMERICAN) || /words[\\/]american[\\/.]/.test(importer)
    if (!isCopied || !/english(?:\.ts|[\\/])/.test(source)) return undefined
    const found = await this.resolve(source, importer.replace(AS_AMERICAN, ''), { skipSelf: true })
    return found && `${found.id}${AS_AMERICAN}`
  },
  load: (id) =>
    id.endsWith(AS_AMERICAN)
      ? { code: readFileSync(id.slice(0, -AS_AMERICAN.length), 'utf8'), moduleType: 'ts' }
      : undefined,
}

export default defineConfig(({ mode }) => ({
  root: web,
  // Relative paths, so that chunks load under any URL slug.
  base: './',
  publicDir: join(web, 'public'),
  plugins: [copyEnglish],
  // FullCalendar uses five functions of the polyfill, which brings all of Temporal along.
  resolve: {
    alias: [
      { find: /^temporal-polyfill\/fns\/\w+$/, replacement: join(web, 'calendar/fullcalendar/zone-functions.ts') },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // All builds write to one folder, which is empty before the first.
    emptyOutDir: false,
    manifest: mode === 'app' && 'manifest.json',
    // No preload tags in other sites' pages.
    modulePreload: mode === 'app' && { polyfill: false },
    assetsInlineLimit: 0,
    // The first with light-dark(). For older ones the build replaces it by the visitor’s system setting, which other
    // sites may not follow.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      input: ENTRIES[mode]!,
      output: {
        ...(mode === 'app' && { codeSplitting: { groups: GROUPS } }),
        // Other sites refer to the embed files by name, and the service to the others, so those have no hash.
        entryFileNames: mode === 'app' ? 'assets/[name]-[hash].js' : '[name].js',
        ...(mode === 'language' && { format: 'iife' as const }),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
}))
