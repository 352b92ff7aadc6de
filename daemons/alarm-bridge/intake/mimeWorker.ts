// The entry of a thread that takes large mails apart: one mail in, its words out, until it is ended. Built as a bundle
// of its own.
import { parentPort } from "node:worker_threads"
import { parse } from "./MailParser.ts"

parentPort?.on("message", async ({ maxBody, raw }: { readonly raw: Uint8Array; readonly maxBody: number }) => {
  parentPort?.postMessage(await parse(raw, maxBody))
})
