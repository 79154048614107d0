// How the pages are made: an entry for the web app, one for what other sites embed, and pieces loaded when needed.
import { join } from 'node:path'
import { defineConfig } from 'vite'

const web = import.meta.dirname

export default defineConfig({
  root: web,
  // Pieces are found beside the one that asks for them, whatever the slug.
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(web, 'dist'),
    emptyOutDir: true,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { app: join(web, 'app/main.tsx'), embed: join(web, 'embed/embed.ts') },
      output: {
        // Other sites write this one name into their pages.
        entryFileNames: ({ name }) => (name === 'embed' ? 'embed.js' : 'assets/[name]-[hash].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})
