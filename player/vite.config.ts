import { defineConfig } from 'vite'

export default defineConfig({
  base: './',
  plugins: [
    {
      // The helper loads style sheets and dependencies of a script before it. Here they are loaded already.
      name: 'no-preload-helper',
      enforce: 'pre',
      load: (id) =>
        id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null,
    },
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    cssCodeSplit: false,
    // The server names the scripts that a page needs; the rest is loaded on use.
    modulePreload: false,
    // hls.js alone exceeds the default limit.
    chunkSizeWarningLimit: 700,
    // The server gives each build its own address by content hash, so the names stay plain.
    rolldownOptions: {
      input: {
        file: 'src/file/file-script.ts',
        live: 'src/live/live-script.ts',
        problem: 'src/problem/problem-script.ts',
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        assetFileNames: 'player[extname]',
        // One file with all that several pages need, instead of one for each combination.
        codeSplitting: {
          groups: [{ name: 'shared', test: /player\/src\/|preload-helper/, minShareCount: 2 }],
        },
      },
    },
  },
})
