/**
 * Imports files of other systems, each once. Placed: one process of the fleet imports, and ends when all files are
 * imported.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import type { Component as HealthComponent } from "#core/daemon/Health.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { type ImportConfig, importSettings } from "./Settings.ts"
import { fingerprint } from "../status-files/Exports.ts"
import { type Import, type ImportServices, importOnce, type Imported } from "./Import.ts"
import { notifiedImport } from "./NotifiedImport.ts"
import { subscriberImport } from "./SubscriberImport.ts"
import { uptimeImport } from "./UptimeImport.ts"

export class Imports extends Context.Service<
  Imports,
  {
    /** Health of the imports whose variables are set. */
    readonly health: () => Readonly<Record<string, HealthComponent>>
    readonly actor: ActorSpec<ImportServices>
  }
>()("signalbox/status-checker/Imports") {}

/** Interval of looks at files that could not be imported. Unit: seconds. */
const lookEvery = Duration.seconds(2)

export const layer = (config: ImportConfig, every = lookEvery): Layer.Layer<Imports> =>
  Layer.sync(Imports, () => Imports.of(make(importsOf(config), every)))

/** Imports of the settings. */
export const imports = Layer.unwrap(Effect.map(settings(importSettings), (config) => layer(config)))

const importsOf = ({ notifiedFile, subscribersFile, uptimeFile }: ImportConfig): ReadonlyArray<Import> => [
  // First, because notices wait for it.
  ...(notifiedFile === undefined ? [] : [notifiedImport(notifiedFile)]),
  ...(subscribersFile === undefined ? [] : [subscriberImport(subscribersFile)]),
  ...(uptimeFile === undefined ? [] : [uptimeImport(uptimeFile)])
]

const make = (imports: ReadonlyArray<Import>, every: Duration.Duration): Imports["Service"] => {
  const states = new Map<string, HealthComponent>(
    imports.map(({ variable }) => [
      variable,
      { status: "ok", detail: "one process of the fleet imports it, unless it was imported before" }
    ])
  )

  const attempt = (one: Import) =>
    importOnce(one).pipe(
      Effect.flatMap((taken) => Effect.as(Effect.logInfo(`${one.variable} is imported`, taken.counts), done(taken))),
      Effect.catchTag("ImportProblem", (problem) => {
        const before = states.get(one.variable)
        const since = before?.status === "degraded" ? before["since"] : new Date().toISOString()
        const state: HealthComponent = { status: "degraded", detail: problem.detail, since }
        const outcome = problem.again === "soon" ? { state, again: true } : { state }
        return Effect.as(before?.detail === problem.detail ? Effect.void : Effect.logWarning(problem.detail), outcome)
      })
    )

  return {
    health: () => Object.fromEntries(imports.map(({ variable }) => [variable.toLowerCase(), states.get(variable)!])),
    actor: {
      name: "imports",
      placed: true,
      policy: "transient",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        let open = imports
        /** Fingerprints of files that could not be imported and have not changed since. */
        const failedVersions = new Map<Import, string>()
        while (open.length > 0) {
          const remaining: Array<Import> = []
          for (const one of open) {
            yield* actor.progress
            const now = yield* Effect.promise(() => seen(one.path))
            const outcome = failedVersions.get(one) === now ? undefined : yield* attempt(one)
            if (outcome !== undefined) states.set(one.variable, outcome.state)
            if (outcome !== undefined && !("again" in outcome)) failedVersions.set(one, now)
            if (outcome === undefined || outcome.state.status !== "ok") remaining.push(one)
          }
          open = remaining
          if (open.length > 0)
            yield* actor.note(`waiting for ${open.map(({ variable }) => variable).join(", ")} to be corrected`)
          if (open.length > 0) yield* Effect.sleep(every)
        }
        yield* actor.note("all files are imported")
      })
    }
  }
}

/** Includes the write-ahead log of SQLite. */
const seen = async (path: string): Promise<string> => `${await fingerprint(path)} ${await fingerprint(`${path}-wal`)}`

const done = ({ at, counts }: Imported): { readonly state: HealthComponent; readonly again?: true } => ({
  state: { status: "ok", detail: "was imported: the variable can be unset", taken_at: at.toISOString(), ...counts }
})
