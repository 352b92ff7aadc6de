/**
 * The unit a daemon is made of: one folder with its settings, tables, endpoints and services. `layer` builds everything
 * and registers what runs (`Supervisor.actor`, `Jobs.worker`), what answers beside the router (`Lane.handle`) and what
 * `/health` shows (`Health.component`). A service that nobody provides, or a worker whose queue is not declared, does
 * not compile.
 */
import type { PgClient } from "@effect/sql-pg"
import { Layer, Result } from "effect"
import type { Sharding } from "effect/cluster"
import type { FileSystem, Path } from "effect"
import type { Etag, HttpPlatform, HttpRouter } from "effect/http"
import type { HttpApi } from "effect/http-api"
import type { SqlClient, SqlError } from "effect/sql"
import type { Authentication } from "../auth/Authentication.ts"
import type { ServiceTokens } from "../auth/ServiceTokens.ts"
import type { Standing } from "../auth/Standing.ts"
import type { UserVerifier } from "../auth/UserVerifier.ts"
import type { Incarnation } from "../cluster/Incarnation.ts"
import type { ConfigInvalid } from "../config/Environment.ts"
import type { SealedColumn, Secrets } from "../config/Secrets.ts"
import { type Env, type Fields, load, type SettingProblem, type Values } from "../config/Settings.ts"
import type { Events } from "../events/Events.ts"
import type { Wake } from "../events/Wake.ts"
import { declaredQueues, type Queue } from "../jobs/JobContract.ts"
import type { Jobs } from "../jobs/Jobs.ts"
import type { Lane } from "../lane/Lane.ts"
import type { Database } from "../sql/Database.ts"
import type { Migration, SchemaTooNew } from "../sql/Migrations.ts"
import type { Supervisor } from "../supervision/Supervisor.ts"
import type { Greeting } from "./Greeting.ts"
import type { Health } from "./Health.ts"

/** Services that every daemon finds in its process, built once. */
export type Platform =
  | PgClient.PgClient
  | SqlClient.SqlClient
  | Database
  | Wake
  | Incarnation
  | Events
  | Jobs
  | Secrets
  | ServiceTokens
  | Standing
  | UserVerifier
  | Authentication
  | Sharding.Sharding

/** Where a feature registers its parts, and what its endpoints are served by. One of each per daemon. */
export type Registries =
  | Supervisor
  | Health
  | Lane
  | Greeting
  | HttpRouter.HttpRouter
  | HttpPlatform.HttpPlatform
  | Etag.Generator
  | FileSystem.FileSystem
  | Path.Path

/** Why a daemon does not start. */
export type DaemonError = ConfigInvalid | SqlError.SqlError | SchemaTooNew

/** Paths a daemon answers, for the gateway and for `signalbox routes`. */
export interface Route {
  /** A path prefix such as `/api/v1/comm`; matches itself and what is below it. */
  readonly prefix: string
  /** Lets the gateway refuse callers without credentials before the daemon sees them. Default false. */
  readonly authenticated?: boolean
  /** Default true. False for calls of our own servers; the daemon refuses strangers cheaply. */
  readonly rateLimited?: boolean
  /** Longest body, for a route that takes uploads. Unit: bytes. Default: Listener's `maxBodySize`. */
  readonly maxBody?: number
}

/** A feature as its daemon sees it. Built by `make`. */
export interface Feature {
  readonly settings: Fields
  /** Problems of the settings, each alone and all together. Pure. */
  readonly problems: (env: Env) => ReadonlyArray<SettingProblem>
  readonly migrations: ReadonlyArray<Migration>
  readonly queues: ReadonlyArray<string>
  readonly sealed: ReadonlyArray<SealedColumn>
  readonly routes: ReadonlyArray<Route>
  readonly api: HttpApi.Constraint | undefined
  readonly layer: Layer.Layer<never, DaemonError, Platform | Registries>
}

/** Declares a feature. Everything but `layer` is optional. */
export const make = <const F extends Fields = {}, const Q extends string = never>(declaration: {
  readonly settings?: F
  /** Problems of the settings together, each being valid alone. */
  readonly conflicts?: (values: Values<F>) => ReadonlyArray<SettingProblem>
  /** Steps of the daemon's schema; ids are unique within the daemon. */
  readonly migrations?: ReadonlyArray<Migration>
  /** Kinds of jobs it sends or works on. */
  readonly queues?: ReadonlyArray<{ readonly queue: Q }>
  /** Columns of envelopes made with `Secrets.contextOf`; `signalbox secrets rotate` seals them again. */
  readonly sealed?: ReadonlyArray<SealedColumn>
  /** Paths of its lanes and sockets, and of endpoints that take uploads; those of other endpoints are derived. */
  readonly routes?: ReadonlyArray<Route>
  /** Its endpoints, for documents and the route table; `layer` serves them. */
  readonly api?: HttpApi.Constraint
  readonly layer: Layer.Layer<never, DaemonError, Platform | Registries | Queue<NoInfer<Q>>>
}): Feature => {
  const queues = declaration.queues ?? []
  const settings: Fields = declaration.settings ?? {}
  return {
    settings,
    problems: (env) => {
      if (declaration.settings === undefined) return []
      const loaded = load(declaration.settings, env)
      return Result.isFailure(loaded) ? loaded.failure : (declaration.conflicts?.(loaded.success) ?? [])
    },
    migrations: declaration.migrations ?? [],
    queues: queues.map(({ queue }) => queue),
    sealed: declaration.sealed ?? [],
    routes: declaration.routes ?? [],
    api: declaration.api,
    layer: Layer.provide(declaration.layer, declaredQueues(queues))
  }
}
