/** SERVICES_FILE and INCIDENTS_FILE as they were last read whole and found good. */
import { Context, Effect, Layer } from "effect"
import type { Component as HealthComponent } from "#core/Health.ts"
import type { ActorSpec } from "#core/Supervisor.ts"
import type { Wake } from "#core/Wake.ts"
import type { StatusCheckerConfig } from "../Config.ts"
import type { Component, Incident } from "../Model.ts"

export class StatusFiles extends Context.Service<StatusFiles, {
  readonly components: () => ReadonlyArray<Component>
  readonly incidents: () => ReadonlyArray<Incident>
  /** Grows with every change that was taken. */
  readonly revision: () => number
  /**
   * Calls `listener` after every change that was taken, also while Postgres is away; it must not throw and not wait. Answers how to end it.
   * `Model.topic` is announced beside it, for the other processes.
   */
  readonly onChange: (listener: () => void) => () => void
  readonly health: () => Readonly<Record<string, HealthComponent>>
  /** Looks for changes. In every process: each answers from its own. */
  readonly actor: ActorSpec<Wake>
}>()("signalbox/status-checker/StatusFiles") {}

export const layer = (_config: Pick<StatusCheckerConfig, "servicesFile" | "incidentsFile">): Layer.Layer<StatusFiles> =>
  Layer.succeed(StatusFiles, StatusFiles.of({
    components: () => [],
    incidents: () => [],
    revision: () => 0,
    onChange: () => () => undefined,
    health: () => ({}),
    actor: { name: "files", run: Effect.never }
  }))
