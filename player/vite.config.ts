import { defineConfig } from 'vite'

export default defineConfig({
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    cssCodeSplit: false,
    // The page names one script, which loads the rest on play.
    modulePreload: false,
    // hls.js alone exceeds the default limit.
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
