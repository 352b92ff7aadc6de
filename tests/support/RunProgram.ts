/** Runs a program without holding up this process. */
import { execFile, type ExecFileOptions } from "node:child_process"
import { Effect } from "effect"

export interface ProgramEnd {
  /** Exit code; null when it did not start, was killed, or took too long. */
  readonly status: number | null
  readonly stdout: string
  /** Error output; the reason when the program did not start. */
  readonly stderr: string
}

/** Largest output of one stream. Unit: bytes. */
const maxOutput = 64 * 1024 * 1024

/**
 * Runs a program to its end. Not with `spawnSync`: the daemons of a suite run in this process, and a program may take
 * seconds on a busy machine. Postgres ends sessions whose transaction pauses for five seconds.
 */
export const runProgram = (
  command: string,
  args: ReadonlyArray<string>,
  options: Pick<ExecFileOptions, "cwd" | "env" | "timeout"> = {}
): Effect.Effect<ProgramEnd> =>
  Effect.promise(
    () =>
      new Promise((resolve) => {
        execFile(command, args, { ...options, encoding: "utf8", maxBuffer: maxOutput }, (error, stdout, stderr) => {
          const status = error === null ? 0 : typeof error.code === "number" ? error.code : null
          resolve({ status, stdout, stderr: status === null ? `${stderr}${error?.message ?? ""}` : stderr })
        })
      })
  )

/** Runs a program that must succeed; dies with its output. */
export const mustRun = (...run: Parameters<typeof runProgram>): Effect.Effect<void> =>
  Effect.flatMap(runProgram(...run), ({ status, stderr, stdout }) =>
    status === 0 ? Effect.void : Effect.die(new Error(`${run[0]} ${run[1].join(" ")}: ${stdout}${stderr}`))
  )
