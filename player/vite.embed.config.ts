import { defineConfig } from 'vite'

/**
 * Builds the embed script separately: pages load it as a classic script, so it must be no module and define
 * no globals.
 */
export default defineConfig({
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    rolldownOptions: {
      input: 'src/embed-script.ts',
      output: { format: 'iife', entryFileNames: 'embed.js' },
    },
  },
})
