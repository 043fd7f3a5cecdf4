import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    // A policy without inline scripts forbids the polyfill; every browser that we support preloads modules.
    modulePreload: { polyfill: false },
    // As data: URLs they would need a policy of their own.
    assetsInlineLimit: 0,
  },
})
