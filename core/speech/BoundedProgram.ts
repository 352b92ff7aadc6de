/**
 * Runs a program for its standard output: argument array without shell, minimal environment, input over stdin. The
 * program is killed at the time limit, when its output is too large, and when its caller is interrupted.
 *
 * The library execa 10.2.1 has the same limits in 8,300 lines and twelve dependencies; this file has 100 lines.
 */
import { spawn } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { join } from "node:path"
import { Duration, Effect } from "effect"
import { type SpeechError, speechError } from "./SpeechError.ts"

export interface ProgramRun {
  /** Program name on the PATH. */
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly input: Uint8Array
  readonly timeout: Duration.Duration
  /** Maximum length of the standard output. Unit: bytes. */
  readonly maxOutput: number
}

/** Maximum kept length of the program's error output. Unit: bytes. */
const maxComplaint = 2_048

/** PATH when the environment has none. */
const systemPath = "/usr/local/bin:/usr/bin:/bin"

/** Shell command that installs a program; each package has the name of its program. */
export const installCommand = (program: string): string => `apt install ${program}`

/** Runs a program and returns its standard output. Fails unless it exits with status 0. */
export const runProgram = (run: ProgramRun): Effect.Effect<Buffer, SpeechError> =>
  Effect.callback<Buffer, SpeechError>((resume) => {
    const { program } = run
    const failed = (why: string) => resume(Effect.fail(speechError({ _tag: "ProgramFailed", program, why })))
    const child = spawn(program, run.args, {
      // Minimal environment, because the environment of this process holds secrets.
      env: { PATH: process.env["PATH"] ?? systemPath, LC_ALL: "C.UTF-8" },
      cwd: "/",
      stdio: ["pipe", "pipe", "pipe"]
    })
    const chunks: Array<Buffer> = []
    let size = 0
    let complaint = ""
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= run.maxOutput) return chunks.push(chunk)
      child.kill("SIGKILL")
      failed(`more than ${run.maxOutput} bytes came out of it`)
    })
    child.stderr.on(
      "data",
      (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(0, maxComplaint))
    )
    // The program may exit before it has read all input; its exit status tells whether it failed.
    child.stdin.on("error", () => {})
    child.stdin.end(run.input)
    child.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ENOENT"
        ? resume(Effect.fail(speechError({ _tag: "NotInstalled", program, command: installCommand(program) })))
        : failed(error.code ?? error.message)
    )
    child.once("close", (code, signal) =>
      code === 0
        ? resume(Effect.succeed(Buffer.concat(chunks)))
        : failed(`${signal ?? `exit status ${code}`}${said(complaint)}`)
    )
    return Effect.sync(() => void child.kill("SIGKILL"))
  }).pipe(
    Effect.timeoutOrElse({
      duration: run.timeout,
      orElse: () =>
        Effect.fail(speechError({ _tag: "TimedOut", what: run.program, milliseconds: Duration.toMillis(run.timeout) }))
    })
  )

/**
 * Last line of the error output, which names the fault. Programs here read text from stdin and do not quote it in
 * errors.
 */
const said = (complaint: string): string => {
  const last =
    complaint
      .trim()
      .split("\n")
      .at(-1)
      ?.replace(/\p{Cc}+/gu, " ")
      .slice(0, 200) ?? ""
  return last === "" ? "" : `, ${last}`
}

/** Whether a program is on the PATH. */
export const hasProgram = (program: string): boolean =>
  (process.env["PATH"] ?? systemPath).split(":").some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
