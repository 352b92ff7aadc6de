// The entry of the worker thread that takes one large mail apart and ends. Built as a bundle of its own.
import { parentPort, workerData } from "node:worker_threads"
import { parse } from "./MailParser.ts"

const { maxBody, raw } = workerData as { readonly raw: Uint8Array; readonly maxBody: number }
parentPort?.postMessage(await parse(raw, maxBody))
