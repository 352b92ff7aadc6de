import { join } from "node:path"
import { defineConfig } from "vite"
import { texts } from "./texts/TextsPlugin.ts"

const library = join(import.meta.dirname, "wake-word")

/** Builds the console into `dist/console`: one page whose files all come from the console's own host. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  publicDir: "public",
  plugins: [texts(import.meta.dirname)],
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    target: "es2023",
    // The content security policy forbids data URLs for scripts and styles, so small files are not inlined.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, which the content security policy forbids.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Advice about the duration of plugins is no help to somebody who installs.
      checks: { pluginTimings: false },
      // The wake-word library has an address of its own, for pages outside of the console.
      input: { index: join(import.meta.dirname, "index.html"), "wake-word": join(library, "WakeWord.ts") },
      output: { entryFileNames: ({ name }) => (name === "wake-word" ? "wake-word.js" : "assets/[name]-[hash].js") },
      preserveEntrySignatures: "exports-only"
    }
  },
  // Engines of pages are modules, as in development.
  worker: { format: "es" },
  logLevel: "warn"
})
