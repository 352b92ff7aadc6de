/** Child processes of a benchmark: start, request and answer by messages, end. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/**
 * Starts a program of this folder without the parent's Node options. Its standard output is ignored, because only the
 * figures go to standard output.
 */
export const start = (program: string, args: ReadonlyArray<string> = []): ChildProcess =>
  fork(fileURLToPath(new URL(program, import.meta.url)), args, {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })

/** Sends a message and waits for the next message from the child. */
export const ask = <Answer>(child: ChildProcess, message: unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`a process of the rig ended with ${code}`))
    child.once("exit", gone)
    child.once("message", (said) => {
      child.off("exit", gone)
      resolve(said as Answer)
    })
    child.send(message as object)
  })

/** Ends the child and waits for its exit. */
export const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill("SIGTERM")
  await gone
}
