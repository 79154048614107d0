// How the pages are made. Two builds, so that what other sites load holds nothing of the web app.
import { join } from 'node:path'
import { defineConfig } from 'vite'

const web = import.meta.dirname

const ENTRIES: Record<string, Record<string, string>> = {
  app: { app: join(web, 'app/main.tsx') },
  embed: { embed: join(web, 'embed/embed.ts'), frame: join(web, 'embed/frame.ts') },
}

export const BUILDS = Object.keys(ENTRIES)

export default defineConfig(({ mode }) => ({
  root: web,
  // Pieces are found beside the one that asks for them, whatever the slug.
  base: './',
  publicDir: join(web, 'public'),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(web, 'dist'),
    emptyOutDir: mode === 'app',
    manifest: mode === 'app' && 'manifest.json',
    // Other sites' pages get no elements of ours but those they asked for.
    modulePreload: mode === 'app' && { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ENTRIES[mode]!,
      output: {
        // Other sites write these names into their pages.
        entryFileNames: mode === 'app' ? 'assets/[name]-[hash].js' : '[name].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
}))
