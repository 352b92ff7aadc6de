/**
 * Processes of the rig: started with a message, they answer one when they stand; and what they cost in processor time.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/**
 * Starts a program of this folder, without the options of the process that starts it. Standard output is the figures'
 * only.
 */
export const start = (program: string, args: ReadonlyArray<string> = []): ChildProcess =>
  fork(fileURLToPath(new URL(program, import.meta.url)), args, {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })

/** Sends a message and waits for the next answer. */
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

/** Ends it and waits until it has gone. */
export const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill("SIGTERM")
  await gone
}
