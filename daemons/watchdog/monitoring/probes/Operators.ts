/**
 * Checks that operators write. Their addresses are not restricted (no AddressGuard): the checks are the provider's own,
 * mostly of private addresses, and only the provider's users may write them. Nothing that an answer contains is kept.
 */
import { constants } from "node:fs"
import { access, realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import { Duration, Effect } from "effect"
import type { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { codeOf } from "#core/probes/Finding.ts"
import * as Http from "#core/probes/Http.ts"
import type { ProbeResult } from "#core/probes/ProbeResult.ts"
import * as Tcp from "#core/probes/Tcp.ts"
import { type BuiltCheck, oneLine, type Reading } from "../BuiltCheck.ts"
import type { Definition } from "../CheckDefinition.ts"
import type { CheckRow } from "../CheckRow.ts"
import { askEndpoint } from "./Certificates.ts"
import { valueOf } from "./OperatorValues.ts"
import { run } from "./Program.ts"

/** Limit of the probes themselves. Reason: the check's time-out, at most 120 s, ends them first. */
const patience = Duration.seconds(130)

const fromProbe = ({ detail, outcome }: ProbeResult, took: number): Reading => {
  const measurements = { response_ms: took }
  if (outcome === "unknown") return { value: null, status: "unknown", detail }
  if (outcome === "down") return { value: null, status: "critical", detail, measurements }
  return { value: took, detail: `${detail} in ${Math.round(took)} ms`, measurements }
}

const timed = (probe: Effect.Effect<ProbeResult>): Effect.Effect<Reading> =>
  Effect.suspend(() => {
    const begin = performance.now()
    return Effect.map(probe, (result) => fromProbe(result, performance.now() - begin))
  })

/** Statuses of Nagios plugins. Source: Monitoring Plugins Development Guidelines, Plugin Return Codes. */
const pluginStatus = [undefined, "warning", "critical", "unknown"] as const

/** Reading of the exit code and the first line of a plugin, with its first performance value. Pure. */
export const judgeCommand = (code: number | null, stdout: string): Reading => {
  const [first = ""] = stdout.trimStart().split("\n", 1)
  const [words = "", performance = ""] = first.split("|", 2)
  const number = /=(-?\d+(?:\.\d+)?)/.exec(performance)?.[1]
  const detail = oneLine(words)
  const value = number === undefined ? null : Number(number)
  if (code === null) return { value, status: "critical", detail: "was killed" }
  if (code === 0) return { value, detail: detail === "" ? "ok" : detail }
  // A code that plugins do not use is of a script that failed by itself.
  const status = pluginStatus[code] ?? "critical"
  return { value, status, detail: `exit code ${code}${detail === "" ? "" : `: ${detail}`}` }
}

/** Bits that let group and others write. */
const writableByOthers = 0o022

/** The program's path; fails with a sentence when it must not run. Nobody but root and we may change the program. */
const programPath = (folder: string, program: string) =>
  Effect.tryPromise({
    try: async () => {
      const path = await realpath(join(folder, program))
      const found = await stat(path)
      if (!found.isFile()) throw Object.assign(new Error(), { code: "is no file" })
      if ((found.mode & writableByOthers) !== 0) throw Object.assign(new Error(), { code: "others may change it" })
      if (found.uid !== 0 && found.uid !== process.getuid?.())
        throw Object.assign(new Error(), { code: "belongs to another user" })
      await access(path, constants.X_OK)
      return path
    },
    catch: (error) => `the program ${program} cannot run: ${codeOf(error)}`
  })

const probeOf = (
  definition: Definition,
  { commands, http }: { readonly commands: string; readonly http: OutboundHttp["Service"] }
): Effect.Effect<Reading> => {
  switch (definition.type) {
    case "http": {
      const { contains, expect, url } = definition
      return timed(Http.probe(http, { url, expect: expect ?? null, contains: contains ?? null }, patience))
    }
    case "tcp":
      return timed(Tcp.probe(definition, patience))
    case "certificate":
      return askEndpoint({ ...definition, servername: definition.servername ?? null })
    case "command":
      return Effect.matchEffect(programPath(commands, definition.program), {
        onFailure: (detail) => Effect.succeed<Reading>({ value: null, status: "unknown", detail }),
        onSuccess: (path) =>
          Effect.map(run(path, definition.arguments ?? []), ({ code, error, stdout }) =>
            error === undefined
              ? judgeCommand(code, stdout)
              : { value: null, status: "unknown", detail: `the program cannot run: ${error}` }
          )
      })
  }
}

/** The check of a row. */
export const ofOperator =
  (options: { readonly commands: string; readonly http: OutboundHttp["Service"] }) =>
  ({ definition, found_group, key }: CheckRow): BuiltCheck | undefined =>
    definition === null
      ? undefined
      : {
          key,
          group: found_group,
          version: JSON.stringify(definition),
          ...valueOf(definition),
          probe: probeOf(definition, options)
        }
