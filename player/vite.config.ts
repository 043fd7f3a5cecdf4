import { defineConfig } from 'vite'

export default defineConfig({
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The server gives each build its own address by content hash, so the names stay plain.
    rolldownOptions: {
      input: 'src/player.ts',
      output: { entryFileNames: 'player.js', assetFileNames: 'player[extname]', codeSplitting: false },
    },
  },
})
