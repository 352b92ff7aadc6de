// Entry point of a thread that draws letters: receives a task and posts the PDF. Built as a separate bundle.
import { parentPort } from "node:worker_threads"
import { draw, type LetterTask } from "./LetterPdf.ts"

parentPort?.on("message", (task: LetterTask) => {
  // An error ends the thread; the pool then reports it.
  void draw(task).then((pdf) => parentPort?.postMessage(pdf))
})
