// Entry point of the thread that reads a file: gets compressed chunks over a port and answers each with rows. Built as
// a separate bundle.
import { type MessagePort, parentPort } from "node:worker_threads"
import { zstdDecompressSync } from "node:zlib"
import type { Question, ThreadAnswer } from "./ReadingThread.ts"
import { FileReading } from "./FileReading.ts"

parentPort?.on("message", ({ port }: { readonly port: MessagePort }) => {
  const reading = new FileReading()
  const answerOf = (question: Question) => {
    if (question === "end") return reading.end()
    return question === "more" ? reading.more() : reading.write(zstdDecompressSync(question))
  }
  port.on("message", (question: Question) => {
    const { done, error, parts } = answerOf(question)
    const answer: ThreadAnswer = { parts, done, ...(error && { error: { reason: error.reason, entry: error.entry } }) }
    port.postMessage(answer)
  })
  // The other side closes the port at the end of the file, or when it gives up.
  port.on("close", () => parentPort?.postMessage("done"))
})
