// Vite config: builds of their own, so that the scripts of other pages contain nothing of the web app.
import { join } from 'node:path'
import { defineConfig } from 'vite'

const web = import.meta.dirname

const ENTRIES: Record<string, Record<string, string>> = {
  app: { app: join(web, 'app/main.tsx') },
  embed: { embed: join(web, 'embed/embed.ts'), frame: join(web, 'embed/frame.ts') },
  manual: { manual: join(web, 'manual/manual.ts') },
  // By itself, and no module: it runs before the page is drawn.
  language: { language: join(web, 'app/reopen-in-chosen-language.ts') },
  // By itself: the page of an event loads one file.
  'event-page': { 'event-page': join(web, 'event-page/event-page.ts') },
}

export const BUILDS = Object.keys(ENTRIES)

/** What every page needs, and what the calendar shares with others: each file is a request before it can be used. */
const GROUPS = [
  { name: 'base', tags: ['$initial' as const], priority: 2 },
  {
    name: 'common',
    test: /[\\/](?:contract|time|ui)[\\/]|words[\\/](?:formats|calendar-times|format-times|rule-in-words|search-marks|load|use-words)\.ts$|recurrence[\\/]rule|(?:last-calendar-view|link|calendar[\\/]fields|tones|categor(?:y|y-colors)|color-rules|saved-mark|print-size|read-event|restore-event|event-store)\.ts$/,
    minShareCount: 2,
    priority: 1,
  },
]

export default defineConfig(({ mode }) => ({
  root: web,
  // Relative paths, so that chunks load under any URL slug.
  base: './',
  publicDir: join(web, 'public'),
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
        entryFileNames: mode === 'app' || mode === 'language' ? 'assets/[name]-[hash].js' : '[name].js',
        ...(mode === 'language' && { format: 'iife' as const }),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
}))
