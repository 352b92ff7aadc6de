/**
 * Runs a program for a check: argument array without a shell, minimal environment, bounded output. The program and its
 * children are killed when the caller is interrupted.
 */
import { spawn } from "node:child_process"
import { Effect } from "effect"

/** Largest kept output, of each stream. Unit: bytes. Reason: 10,000 lines of `postqueue -j`. */
const maxOutput = 4 * 1024 * 1024

/** PATH of programs, with the folders of system programs. */
const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

export interface Ran {
  /** Null: it was killed, or not started. */
  readonly code: number | null
  readonly stdout: string
  /** Whether the output was longer than what is kept. */
  readonly truncated: boolean
  /** System error code when it did not start: `ENOENT`. */
  readonly error: string | undefined
}

/** Runs `program`, a name on the PATH or a path. Never fails. */
export const run = (program: string, args: ReadonlyArray<string>): Effect.Effect<Ran> =>
  Effect.callback<Ran>((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    let truncated = false
    // A group of its own, so that children of a script die with it. The environment of this process holds secrets.
    const child = spawn(program, args, {
      env: { PATH: path, LC_ALL: "C.UTF-8" },
      cwd: "/",
      stdio: ["ignore", "pipe", "ignore"],
      detached: true
    })
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      } catch {
        // It has ended.
      }
    }
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxOutput) chunks.push(chunk)
      else truncated = true
    })
    const end = (code: number | null, error?: string) =>
      resume(Effect.succeed({ code, stdout: Buffer.concat(chunks).toString("utf8"), truncated, error }))
    child.once("error", (error: NodeJS.ErrnoException) => end(null, error.code ?? "unknown"))
    child.once("close", (code) => end(code))
    return Effect.sync(kill)
  })
