// Debian's Prometheus on a loopback port, with its own data. Scrapes one target, evaluates rules and answers queries.

import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { promisify } from "node:util"
import { Effect, type Scope } from "effect"
import { requirePeer } from "./install.ts"
import { freePort, scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface PrometheusOptions {
  /** Host and port, as in `127.0.0.1:8080`, from which Prometheus reads `/metrics`. */
  readonly target: string
  /** Bearer token for the target. */
  readonly token?: string
  /** Files with rules. */
  readonly rules: ReadonlyArray<string>
}

/** One series of a result. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [time: number, value: string]
}

export interface Prometheus {
  /** Result of an instant query. */
  readonly query: (expression: string) => Effect.Effect<ReadonlyArray<Sample>, PeerError>
  /** Loaded rules. `health`: `ok` once a rule was evaluated without an error. */
  readonly rules: Effect.Effect<ReadonlyArray<{ readonly name: string; readonly health: string }>, PeerError>
}

const failed = (reason: "CommandFailed" | "NotInstalled", message: string) =>
  new PeerError({ peer: "prometheus", reason, message })

/** Starts a Prometheus that scrapes every second; it ends with the scope. */
export const make = (options: PrometheusOptions): Effect.Effect<Prometheus, PeerError, Scope.Scope> =>
  Effect.gen(function* () {
    const found = requirePeer("prometheus")
    if (!found.available) return yield* failed("NotInstalled", found.reason)
    const folder = yield* scratchFolder("prometheus")
    const port = yield* freePort
    const url = `http://127.0.0.1:${port}`
    writeFileSync(`${folder}/prometheus.yml`, config(options))
    yield* ServerProcess.make({
      peer: "prometheus",
      command: found.path,
      args: [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
        "--log.level=warn"
      ],
      cwd: folder,
      isReady: () =>
        fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false
        ),
      log: () => ""
    })
    const api = (path: string) =>
      Effect.tryPromise({
        try: async () => {
          const answer = (await (await fetch(`${url}/api/v1/${path}`)).json()) as {
            readonly status: string
            readonly error?: string
            readonly data: any
          }
          if (answer.status !== "success") throw new Error(answer.error)
          return answer.data
        },
        catch: (error) => failed("CommandFailed", (error as Error).message)
      })
    return {
      query: (expression) =>
        Effect.map(api(`query?query=${encodeURIComponent(expression)}`), ({ result }) => result as Array<Sample>),
      rules: Effect.map(api("rules"), ({ groups }) =>
        groups.flatMap((group: { readonly rules: unknown }) => group.rules)
      )
    }
  })

/** JSON is YAML. */
const config = ({ rules, target, token }: PrometheusOptions): string =>
  JSON.stringify({
    global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
    rule_files: rules,
    scrape_configs: [
      {
        job_name: "signalbox",
        static_configs: [{ targets: [target] }],
        ...(token === undefined ? {} : { authorization: { credentials: token } })
      }
    ]
  })

/** Runs promtool; fails with its output. `input`: standard input. */
export const promtool = (args: ReadonlyArray<string>, input = ""): Effect.Effect<string, PeerError> =>
  Effect.tryPromise({
    try: async () => {
      const running = promisify(execFile)("promtool", [...args])
      running.child.stdin?.end(input)
      const { stderr, stdout } = await running
      return stdout + stderr
    },
    catch: (error) => {
      const {
        message,
        stderr = "",
        stdout = ""
      } = error as Error & { readonly stderr?: string; readonly stdout?: string }
      return failed("CommandFailed", `${message}\n${stdout}${stderr}`)
    }
  })
