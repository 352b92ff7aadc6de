/**
 * Active models of the tenants that listen here, with their files. A change is noticed by its announcement, and within
 * `lookEvery` without one.
 */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import { ModelStore } from "../models/Exports.ts"
import type { ModelFile } from "./threads/InferenceThreads.ts"

/** Interval of reads while somebody listens. Reason: an activation reaches every stream within a second. */
export const lookEvery = Duration.millis(900)

export interface ActiveModel extends ModelFile {
  readonly tenantId: number
  readonly name: string
  readonly word: string
  readonly language: string
  readonly extractor: string
  readonly sha256: string
}

type Read<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>

export class ActiveModels {
  readonly #held = new Map<number, ActiveModel>()

  /** The model that was active at the last read. */
  held(tenant: number): ActiveModel | undefined {
    return this.#held.get(tenant)
  }

  /** Keys of all held models. */
  get keys(): ReadonlySet<string> {
    return new Set(Array.from(this.#held.values(), ({ key }) => key))
  }

  /** Reads the active model of a tenant; undefined: there is none. */
  read(tenant: number): Read<ActiveModel | undefined> {
    return Effect.map(this.refresh([tenant]), () => this.#held.get(tenant))
  }

  /** Reads the active models of these tenants. Returns the tenants whose model changed. */
  refresh(tenants: ReadonlyArray<number>): Read<ReadonlyArray<number>> {
    const held = this.#held
    return Effect.gen(function* () {
      const rows = yield* transaction(ModelStore.activeOf(tenants))
      const changed: Array<number> = []
      for (const tenant of tenants) {
        const row = rows.find(({ tenant_id }) => tenant_id === tenant)
        if (row === undefined) {
          if (held.delete(tenant)) changed.push(tenant)
          continue
        }
        const key = `${row.id}/${row.sha256}/${row.threshold}`
        if (held.get(tenant)?.key === key) continue
        const file = yield* transaction(ModelStore.fileOf(row.id))
        // Deleted since; the next read finds the model that is active then.
        if (file === undefined) continue
        const { extractor, language, name, sha256, threshold, word } = row
        held.set(tenant, { key, file, tenantId: tenant, extractor, language, name, sha256, threshold, word })
        changed.push(tenant)
      }
      return changed
    })
  }

  /** Forgets the models of tenants that nobody listens to. */
  keepOnly(tenants: ReadonlySet<number>): void {
    for (const tenant of this.#held.keys()) if (!tenants.has(tenant)) this.#held.delete(tenant)
  }
}
