// Entry point of a sanitising thread: receives a page and posts the cleaned page. Built as a separate bundle.
import { parentPort } from "node:worker_threads"
import { sanitise, type SanitiseOptions } from "./Sanitise.ts"

parentPort?.on("message", ({ html, options }: { readonly html: string; readonly options: SanitiseOptions }) => {
  parentPort?.postMessage(sanitise(html, options))
})
