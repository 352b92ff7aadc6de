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
import type { ResultValues } from "../words/ResultValues.ts"
import { type Said, say } from "../words/Said.ts"
import { askEndpoint } from "./Certificates.ts"
import { valueOf } from "./OperatorValues.ts"
import { sayProbe } from "./ProbeWords.ts"
import { run } from "./Program.ts"

/** Limit of the probes themselves. Reason: the check's time-out, at most 120 s, ends them first. */
const patience = Duration.seconds(130)

const fromProbe = (result: ProbeResult, took: number): Reading => {
  const measurements = { response_ms: took }
  const said = sayProbe(result, took)
  if (result.outcome === "unknown") return { value: null, status: "unknown", ...said }
  if (result.outcome === "down") return { value: null, status: "critical", ...said, measurements }
  return { value: took, ...said, measurements }
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
  const text = oneLine(words)
  const value = number === undefined ? null : Number(number)
  if (code === null) return { value, status: "critical", ...say("command_killed", {}) }
  const said = say("command", { exit_code: code, text })
  if (code === 0) return { value, ...said }
  // A code that plugins do not use is of a script that failed by itself.
  const status = pluginStatus[code] ?? "critical"
  return { value, status, ...said }
}

/** Bits that let group and others write. */
const writableByOthers = 0o022

/** The program's path; fails with a sentence when it must not run. Nobody but root and we may change the program. */
const programPath = (folder: string, program: string): Effect.Effect<string, Said> => {
  const refused = (why: ResultValues["command_refused"]["why"], error: string | null = null) =>
    Effect.fail(say("command_refused", { program, why, error }))
  return Effect.tryPromise({
    try: async () => {
      const path = await realpath(join(folder, program))
      const found = await stat(path)
      await access(path, constants.X_OK)
      return { path, found }
    },
    catch: codeOf
  }).pipe(
    Effect.catch((error) => refused("not_started", error)),
    Effect.flatMap(({ found, path }) => {
      if (!found.isFile()) return refused("no_file")
      if ((found.mode & writableByOthers) !== 0) return refused("others_may_change")
      if (found.uid !== 0 && found.uid !== process.getuid?.()) return refused("foreign_owner")
      return Effect.succeed(path)
    })
  )
}

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
        onFailure: (said) => Effect.succeed<Reading>({ value: null, status: "unknown", ...said }),
        onSuccess: (path) =>
          Effect.map(run(path, definition.arguments ?? []), ({ code, error, stdout }) =>
            error === undefined
              ? judgeCommand(code, stdout)
              : {
                  value: null,
                  status: "unknown",
                  ...say("command_refused", { program: definition.program, why: "not_started", error })
                }
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
