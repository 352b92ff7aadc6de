// The entry of a hashing thread: one job in, its hash out, until it is ended. Built as a bundle of its own.
import { parentPort } from "node:worker_threads"
import { argon2id, type Argon2Job } from "./Argon2.ts"

parentPort?.on("message", (job: Argon2Job) => {
  const hash = argon2id(job)
  job.password.fill(0)
  parentPort?.postMessage(hash)
})
