// The entry of a thread that cleans HTML: one page in, what may be shown out, until it is ended. Built as a bundle of
// its own.
import { parentPort } from "node:worker_threads"
import { sanitise, type SanitiseOptions } from "./Sanitise.ts"

parentPort?.on("message", ({ html, options }: { readonly html: string; readonly options: SanitiseOptions }) => {
  parentPort?.postMessage(sanitise(html, options))
})
