import { defineConfig } from "vite"

/** Source of the console to what a browser loads, under `dist/console`. One page, everything from our own address. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  publicDir: "public",
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    target: "es2023",
    // Small files, too, are files: the policy admits no data URLs for scripts and styles.
    assetsInlineLimit: 0,
    // Its text would stand in the page itself, which the policy does not admit.
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  },
  logLevel: "warn"
})
