/** Declares a daemon as a single list of parts. Exists only until every daemon consists of features. */
import { Effect, Layer } from "effect"
import type { HttpApi } from "effect/http-api"
import type { SealedColumn } from "../config/Secrets.ts"
import type { Fields, SettingProblem } from "../config/Settings.ts"
import type { UpgradeListener } from "../http/Listener.ts"
import type { FastLane } from "../lane/FastLane.ts"
import { Lane } from "../lane/Lane.ts"
import type { Migrations } from "../sql/Migrations.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import * as Daemon from "./Daemon.ts"
import * as Feature from "./Feature.ts"
import { Greeting } from "./Greeting.ts"
import { Health } from "./Health.ts"

export const make = (old: {
  readonly name: string
  readonly title: string
  readonly port: number
  readonly ownPort?: boolean
  readonly settings: Fields
  readonly conflicts?: (values: any) => ReadonlyArray<SettingProblem>
  readonly migrations: Migrations
  readonly queues: ReadonlyArray<string>
  readonly sealed?: ReadonlyArray<SealedColumn>
  readonly routes: ReadonlyArray<Feature.Route>
  readonly api: HttpApi.Constraint
  readonly http: Layer.Layer<never, never, any>
  readonly services: Layer.Layer<never, Feature.DaemonError, any>
  readonly actors: Effect.Effect<ReadonlyArray<any>, never, any>
  readonly components?: Effect.Effect<Readonly<Record<string, any>>, never, any>
  readonly fastLane?: Effect.Effect<FastLane, never, any>
  readonly upgrade?: Effect.Effect<UpgradeListener, never, any>
  readonly upgradePath?: string
  readonly greeting?: (base: string) => Effect.Effect<ReadonlyArray<string>, never, any>
}): Daemon.Daemon => {
  const registered = Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Supervisor.actors(yield* old.actors)
      if (old.components !== undefined) yield* Health.components(old.components)
      if (old.fastLane !== undefined) yield* Lane.handleAll(yield* old.fastLane)
      if (old.upgrade !== undefined) yield* Lane.upgrade(old.upgradePath!, yield* old.upgrade)
      if (old.greeting !== undefined) yield* Greeting.add(old.greeting)
    })
  )
  const feature = Feature.make({
    settings: old.settings,
    ...(old.conflicts === undefined ? {} : { conflicts: old.conflicts }),
    migrations: old.migrations.steps,
    queues: old.queues.map((queue) => ({ queue })),
    ...(old.sealed === undefined ? {} : { sealed: old.sealed }),
    routes: old.routes,
    api: old.api,
    layer: Layer.merge(old.http, registered).pipe(Layer.provide(old.services)) as any
  })
  return Daemon.make({ ...old, document: old.api, features: [feature] })
}
