/**
 * A feature is the unit that daemons consist of: one folder with its settings, tables, endpoints and services. `layer`
 * builds the feature. It registers actors (`Supervisor.actor`, `Jobs.worker`), fast-lane handlers (`Lane.handle`) and
 * components of `/health` (`Health.component`). A missing service, or a worker whose queue is not declared, is a
 * compile error.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Layer, Result } from "effect"
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
import type { StoredSettings } from "../settings/StoredSettings.ts"
import type { Database } from "../sql/Database.ts"
import type { Migration, SchemaTooNew } from "../sql/Migrations.ts"
import type { Supervisor } from "../supervision/Supervisor.ts"
import type { DataCheck } from "./DataCheck.ts"
import type { Greeting } from "./Greeting.ts"
import type { Health } from "./Health.ts"
import type { HealthAccess } from "./HealthAccess.ts"
import type { KnownDaemons } from "./KnownDaemons.ts"

/** Services shared by all daemons of a process, built once. */
export type Platform =
  | PgClient.PgClient
  | SqlClient.SqlClient
  | Database
  | Wake
  | Incarnation
  | Events
  | Jobs
  | Secrets
  | StoredSettings
  | ServiceTokens
  | Standing
  | UserVerifier
  | Authentication
  | HealthAccess
  | KnownDaemons
  | Sharding.Sharding

/** API of the whole daemon with its title and version, for features that publish the document themselves. */
export class ApiDocument extends Context.Service<ApiDocument, HttpApi.Top>()("signalbox/core/ApiDocument") {}

/**
 * Registries of a daemon, one of each: features register their parts in them, and the daemon serves its endpoints with
 * them.
 */
export type Registries =
  | Supervisor
  | Health
  | Lane
  | Greeting
  | ApiDocument
  | HttpRouter.HttpRouter
  | HttpPlatform.HttpPlatform
  | Etag.Generator
  | FileSystem.FileSystem
  | Path.Path

/** Errors that prevent the start of a daemon. */
export type DaemonError = ConfigInvalid | SqlError.SqlError | SchemaTooNew

/** Path prefix of a daemon, for the gateway and for `signalbox routes`. */
export interface Route {
  /** A path prefix such as `/api/v1/comm`; matches this path and all paths below it. */
  readonly prefix: string
  /** Whether the gateway refuses callers without credentials before the daemon sees the request. Default: false. */
  readonly authenticated?: boolean
  /**
   * Whether the gateway applies its rate limit. Default: true. False for requests from our own servers; the daemon
   * refuses other clients at little cost.
   */
  readonly rateLimited?: boolean
  /** Largest body, for a route that accepts uploads. Unit: bytes. Default: Listener's `maxBodySize`. */
  readonly maxBody?: number
  /**
   * Whether the gateway serves this path too, for a daemon with an address of its own. Default: false. The console is
   * behind the gateway and reaches only its paths.
   */
  readonly atGateway?: boolean
}

/** A feature declaration. Built by `make`. */
export interface Feature {
  readonly settings: Fields
  /** Problems of the settings: of each setting alone and of their combination. Pure. */
  readonly problems: (env: Env) => ReadonlyArray<SettingProblem>
  readonly migrations: ReadonlyArray<Migration>
  /** Checks of stored rows; none while the settings are invalid. */
  readonly dataChecks: (env: Env) => ReadonlyArray<DataCheck<void>>
  readonly queues: ReadonlyArray<string>
  readonly sealed: ReadonlyArray<SealedColumn>
  readonly routes: ReadonlyArray<Route>
  readonly api: HttpApi.Constraint | undefined
  readonly layer: Layer.Layer<never, DaemonError, Platform | Registries>
}

/** Declares a feature. Every field except `layer` is optional. */
export const make = <const F extends Fields = {}, const Q extends string = never>(declaration: {
  readonly settings?: F
  /** Problems of the combination of settings that are each valid alone. */
  readonly conflicts?: (values: Values<F>) => ReadonlyArray<SettingProblem>
  /** Migrations in the daemon's schema; ids are unique within the daemon. */
  readonly migrations?: ReadonlyArray<Migration>
  /** Checks of stored rows for `signalbox check`. */
  readonly dataChecks?: ReadonlyArray<DataCheck<Values<F>>>
  /** Kinds of jobs that the feature sends or handles. */
  readonly queues?: ReadonlyArray<{ readonly queue: Q }>
  /** Columns with envelopes made with `Secrets.contextOf`; `signalbox secrets rotate` seals them again. */
  readonly sealed?: ReadonlyArray<SealedColumn>
  /**
   * Routes of fast-lane handlers, WebSockets and upload endpoints. Routes of other endpoints are derived from `api`.
   */
  readonly routes?: ReadonlyArray<Route>
  /** The feature's endpoints, for documents and the route table; `layer` serves them. */
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
    dataChecks: (env) => {
      const loaded = load((declaration.settings ?? {}) as F, env)
      return Result.isFailure(loaded)
        ? []
        : (declaration.dataChecks ?? []).map((check) => (read) => check(read, loaded.success))
    },
    queues: queues.map(({ queue }) => queue),
    sealed: declaration.sealed ?? [],
    routes: declaration.routes ?? [],
    api: declaration.api,
    layer: Layer.provide(declaration.layer, declaredQueues(queues))
  }
}
