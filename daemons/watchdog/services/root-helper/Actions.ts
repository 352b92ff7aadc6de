/**
 * What the root helper does for each verb. Programs are started by their path with an argument array, without shell,
 * with a minimal environment, a time limit and a limit of their output.
 */
import { execFile, spawn } from "node:child_process"
import { X509Certificate } from "node:crypto"
import { constants, closeSync, fstatSync, openSync, readSync } from "node:fs"
import { request } from "node:http"
import { shownProperties } from "../UnitProperties.ts"
import type { Reply, Verb } from "./Verbs.ts"

/** Longest run of a program that only reads. Unit: milliseconds. Reason: systemd waits 25 s for its own answer. */
const readTimeout = 10_000

/** Longest restart. Unit: milliseconds. Reason: TimeoutStartSec and TimeoutStopSec are 90 s each by default. */
const restartTimeout = 180_000

/** Largest output of a program. Unit: bytes. Reason: 200 units take 100 KiB, a mail queue of 10,000 takes 5 MiB. */
const maxOutput = 16 * 1024 * 1024

/** Largest certificate file. Unit: bytes. Reason: a chain has some 10 KiB. */
const maxCertificate = 256 * 1024

/** Grace of a container's program before the engine kills it. Unit: seconds. Source: Docker's default. */
const stopPatience = 10

const environment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8" }

/** Carries out a verb. `journal` writes to standard output itself. */
export const perform = async (verb: Verb, engineSocket: string): Promise<Reply> => {
  switch (verb.verb) {
    case "list_units":
      return text("systemctl", [
        "list-units",
        "--all",
        "--full",
        "--plain",
        "--no-legend",
        "--no-pager",
        "--type=service"
      ])
    case "show_units":
      return text("systemctl", ["show", "--no-pager", `--property=${shownProperties}`, "--", ...verb.units])
    case "restart_unit":
      return run("systemctl", ["restart", "--no-ask-password", "--no-pager", "--", verb.unit], restartTimeout)
    case "restart_container":
      return restartContainer(engineSocket, verb.name)
    case "read_certificate":
      return certificate(verb.path)
    case "mail_queue":
      return mailQueue()
    case "journal":
      return journal(verb)
  }
}

const program = (name: string, args: ReadonlyArray<string>, timeout: number) =>
  new Promise<Reply & { readonly text?: string }>((resolve) => {
    execFile(
      name,
      args,
      { timeout, maxBuffer: maxOutput, killSignal: "SIGKILL", env: environment, cwd: "/" },
      (error, stdout, stderr) => {
        if (error === null) return resolve({ ok: true, text: stdout })
        const said =
          stderr
            .trim()
            .split("\n")
            .at(-1)
            ?.replace(/\p{Cc}+/gu, " ")
            .slice(0, 300) ?? ""
        resolve({
          ok: false,
          code: error.killed === true ? "timed_out" : "failed",
          detail: error.killed === true ? `${name} did not end within ${timeout} ms` : said || `${name} failed`
        })
      }
    )
  })

const run = async (name: string, args: ReadonlyArray<string>, timeout: number): Promise<Reply> => {
  const ran = await program(name, args, timeout)
  return ran.ok ? { ok: true } : ran
}

const text = async (name: string, args: ReadonlyArray<string>): Promise<Reply> => {
  const ran = await program(name, args, readTimeout)
  return ran.ok ? { ok: true, value: ran.text } : ran
}

const restartContainer = (socketPath: string, name: string): Promise<Reply> =>
  new Promise((resolve) => {
    const failed = (detail: string) => resolve({ ok: false, code: "failed", detail })
    const path = `/v1.24/containers/${encodeURIComponent(name)}/restart?t=${stopPatience}`
    const outgoing = request(
      { socketPath, path, method: "POST", agent: false, headers: { host: "engine" } },
      (answer) => {
        const { statusCode = 0 } = answer
        answer.resume()
        if (statusCode === 204 || statusCode === 304) resolve({ ok: true })
        else
          failed(statusCode === 404 ? "no such container" : `container engine refused with HTTP status ${statusCode}`)
      }
    )
    outgoing.setTimeout((stopPatience + 30) * 1_000, () => outgoing.destroy(new Error("timed out")))
    outgoing.once("error", (error: NodeJS.ErrnoException) =>
      failed(`container socket cannot be used: ${error.code ?? error.message}`)
    )
    outgoing.end()
  })

/** Dates and names of the first certificate. Never the text of the file, which may hold a private key as well. */
const certificate = (path: string): Reply => {
  try {
    // O_NONBLOCK: opening a FIFO must not wait for its writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const { size } = fstatSync(file)
      if (!fstatSync(file).isFile() || size > maxCertificate) return unreadable
      const bytes = Buffer.alloc(size)
      const found = new X509Certificate(bytes.subarray(0, readSync(file, bytes, 0, size, 0)))
      return {
        ok: true,
        value: {
          subject: found.subject,
          names: found.subjectAltName ?? "",
          not_before: found.validFromDate.toISOString(),
          not_after: found.validToDate.toISOString()
        }
      }
    } finally {
      closeSync(file)
    }
  } catch {
    return unreadable
  }
}
const unreadable: Reply = { ok: false, code: "failed", detail: "no certificate can be read at this path" }

/** Number of messages in each queue of Postfix. Never addresses. */
const mailQueue = async (): Promise<Reply> => {
  const ran = await program("postqueue", ["-j"], readTimeout)
  if (!ran.ok) return ran
  const queues: Record<string, number> = {}
  for (const name of (ran.text ?? "").matchAll(/^\{"queue_name": "([a-z]{1,20})"/gm))
    queues[name[1]!] = (queues[name[1]!] ?? 0) + 1
  return { ok: true, value: { queues } }
}

/** Lines of the journal as journalctl writes them. Ends with the client's connection. */
const journal = ({ follow, lines, unit }: Extract<Verb, { verb: "journal" }>): Promise<Reply> =>
  new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify({ ok: true })}\n`)
    const child = spawn("journalctl", journalArguments(unit, lines, follow), {
      env: environment,
      cwd: "/",
      stdio: ["ignore", "inherit", "ignore"]
    })
    process.stdin.once("close", () => child.kill("SIGKILL"))
    process.stdin.once("end", () => child.kill("SIGKILL"))
    child.once("error", () => resolve({ ok: true }))
    child.once("close", () => resolve({ ok: true }))
  })

/** Arguments of journalctl for the last lines of a unit as JSON. */
const journalArguments = (unit: string, lines: number, follow: boolean): ReadonlyArray<string> => [
  "--no-pager",
  "--quiet",
  "--all",
  "--output=json",
  "--output-fields=MESSAGE,PRIORITY",
  `--lines=${lines}`,
  // --follow implies --boot, which reads a file that the sandbox hides (ProcSubset=pid). --merge prevents that. It also
  // shows journals that other machines sent here.
  ...(follow ? ["--follow", "--merge"] : []),
  `--unit=${unit}`
]
