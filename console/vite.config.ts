import { defineConfig } from "vite"

/** Builds the console into `dist/console`: one page whose files all come from the console's own host. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  publicDir: "public",
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    target: "es2023",
    // The content security policy forbids data URLs for scripts and styles, so small files are not inlined.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, which the content security policy forbids.
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  },
  logLevel: "warn"
})
