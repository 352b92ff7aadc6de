/** Runs one scenario of sipp, a scripted SIP client and load generator. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requirePeer } from "../peers/install.ts"
import { scratchFolder } from "../peers/Loopback.ts"
import { PeerError } from "../peers/PeerError.ts"
import { type Account } from "./SipPlace.ts"

export interface SippRun {
  /** Scenario text, from SippScenarios. */
  readonly scenario: string
  /** Target port on loopback. */
  readonly port: number
  /** Local port of sipp. */
  readonly localPort: number
  /** Accounts, used in turn: one per call. */
  readonly accounts: ReadonlyArray<Account>
  /** Number to call. */
  readonly callee?: string
  /** Total number of calls or registrations. Default 1. */
  readonly times?: number
  /** Calls started per second. Default 50. */
  readonly rate?: number
  /** Default UDP. */
  readonly transport?: "udp" | "tcp"
}

export interface SippResult {
  /** True when every call followed the scenario. */
  readonly right: boolean
  /** Unexpected messages that sipp recorded. */
  readonly errors: string
}

/** Longest run. Unit: seconds. */
const patience = 60

/**
 * Characters kept of sipp's output and of its error file, from the start, because the first error explains the others.
 */
const tail = 4_000

const written = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8").slice(0, tail) : "")

/** Runs the scenario to its end. A deviation from the scenario is a result, not an error. */
export const run = (options: SippRun) =>
  Effect.scoped(
    Effect.gen(function* () {
      const found = requirePeer("sipp")
      if (!found.available) return yield* new PeerError({ peer: "sipp", reason: "NotInstalled", message: found.reason })
      const folder = yield* scratchFolder("sipp")
      writeFileSync(join(folder, "scenario.xml"), options.scenario)
      const users = options.accounts.map(
        ({ password, user }) => `${user};[authentication username=${user} password=${password}]`
      )
      writeFileSync(join(folder, "accounts.csv"), ["SEQUENTIAL", ...users, ""].join("\n"), { mode: 0o600 })
      const { times = 1 } = options
      return yield* Effect.callback<SippResult>((resume) => {
        const child = spawn(
          found.path,
          [
            `127.0.0.1:${options.port}`,
            "-sf",
            "scenario.xml",
            "-inf",
            "accounts.csv",
            "-i",
            "127.0.0.1",
            "-p",
            String(options.localPort),
            "-t",
            options.transport === "tcp" ? "t1" : "u1",
            "-m",
            String(times),
            "-r",
            String(options.rate ?? 50),
            "-l",
            String(times),
            "-key",
            "domain",
            options.accounts[0]?.domain ?? "nobody",
            "-key",
            "callee",
            options.callee ?? "nobody",
            "-nostdin",
            "-timeout",
            String(patience),
            "-timeout_error",
            "-recv_timeout",
            "20000",
            "-trace_err",
            "-error_file",
            "errors",
            "-skip_rlimit"
          ],
          { cwd: folder, stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, TERM: "dumb" } }
        )
        let errors = ""
        child.stderr.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-tail)))
        child.once("error", ({ message }) => resume(Effect.succeed({ right: false, errors: message })))
        child.once("close", (code) =>
          resume(Effect.succeed({ right: code === 0, errors: written(join(folder, "errors")) + errors }))
        )
        return Effect.sync(() => void child.kill("SIGKILL"))
      })
    })
  )
