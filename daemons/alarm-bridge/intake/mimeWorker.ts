// Entry point of the worker thread that parses large mails: receives a mail and posts its parsed form. Built as a
// separate bundle.
import { parentPort } from "node:worker_threads"
import { parse } from "./MailParser.ts"

parentPort?.on("message", async ({ maxBody, raw }: { readonly raw: Uint8Array; readonly maxBody: number }) => {
  parentPort?.postMessage(await parse(raw, maxBody))
})
