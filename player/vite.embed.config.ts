import { defineConfig } from 'vite'

/** The one-line script, apart from the player: pages load it as it is, so it must be no module and leave no names behind. */
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
