import { defineConfig } from 'vite'

export default defineConfig({
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    cssCodeSplit: false,
    // The page names one script; what that needs only when there is something to play, it loads by itself.
    modulePreload: false,
    // hls.js is as large as it is.
    chunkSizeWarningLimit: 700,
    // The server gives each build its own address by content hash, so the names stay plain.
    rolldownOptions: {
      input: 'src/player.ts',
      output: {
        entryFileNames: 'player.js',
        chunkFileNames: '[name].js',
        assetFileNames: 'player[extname]',
      },
    },
  },
})
