// Entry point of a hashing thread: receives a job and posts its hash. Built as a separate bundle.
import { parentPort } from "node:worker_threads"
import { argon2id, type Argon2Job } from "./Argon2.ts"

parentPort?.on("message", (job: Argon2Job) => {
  const hash = argon2id(job)
  job.password.fill(0)
  parentPort?.postMessage(hash)
})
