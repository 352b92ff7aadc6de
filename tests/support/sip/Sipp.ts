/** sipp, the SIP tester of telephone companies, for a test: one run of one scenario. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requirePeer } from "../peers/install.ts"
import { scratchFolder } from "../peers/Loopback.ts"
import { PeerError } from "../peers/PeerError.ts"
import { type Account } from "./SipPlace.ts"

export interface SippRun {
  /** See SippScenarios. */
  readonly scenario: string
  /** Where it sends to, on loopback. */
  readonly port: number
  /** Its own. */
  readonly localPort: number
  /** Who it is: each call the next one of these. */
  readonly accounts: ReadonlyArray<Account>
  /** Whom it calls. */
  readonly callee?: string
  /** Calls (or registrations) in all. Default 1. */
  readonly times?: number
  /** Begun each second. Default 50. */
  readonly rate?: number
  /** Default UDP. */
  readonly transport?: "udp" | "tcp"
}

export interface SippResult {
  /** True when every call went as the scenario says. */
  readonly right: boolean
  /** What came that was not meant to. */
  readonly errors: string
}

/** How long a run may take. Unit: seconds. */
const patience = 60

/** Of what it says and of what it writes down of errors, the first of which says why. Unit: characters. */
const tail = 4_000

const written = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8").slice(0, tail) : "")

/** Runs to its end; what goes otherwise than the scenario says is a result, not an error. */
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
