/**
 * A program run for its standard output: argument array, no shell, bare environment, bytes over stdin, bounded in time
 * and output. It is killed when its time is up, when it says too much, and when its caller is interrupted.
 */
import { spawn } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { join } from "node:path"
import { Duration, Effect } from "effect"
import { type SpeechError, speechError } from "./SpeechError.ts"

export interface ProgramRun {
  /** Name on the path, as operators know it. */
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly input: Uint8Array
  readonly timeout: Duration.Duration
  /** Unit: bytes. */
  readonly maxOutput: number
}

/** How much of what a program complains is kept. Unit: bytes. */
const maxComplaint = 2_048

/** Where programs are looked for when nothing says otherwise. */
const systemPath = "/usr/local/bin:/usr/bin:/bin"

/** What the operator types to get a program; the packages are called like their programs. */
export const installCommand = (program: string): string => `apt install ${program}`

/** The standard output of a program that ended well. */
export const runProgram = (run: ProgramRun): Effect.Effect<Buffer, SpeechError> =>
  Effect.callback<Buffer, SpeechError>((resume) => {
    const { program } = run
    const failed = (why: string) => resume(Effect.fail(speechError({ _tag: "ProgramFailed", program, why })))
    const child = spawn(program, run.args, {
      // Nothing of ours: our environment holds secrets.
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
    // It may end before it has read everything; its exit status tells.
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

/** The last line, which names the fault; programs here are given text over stdin and do not repeat it. */
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

/** Whether a program is on the path. */
export const hasProgram = (program: string): boolean =>
  (process.env["PATH"] ?? systemPath).split(":").some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
