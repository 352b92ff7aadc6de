/** Implementation of `signalbox webhook-secret …`. */
import { join } from "node:path"
import { Effect, Layer, Redacted } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { columns, print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { settings } from "#core/config/Environment.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import * as Secrets from "#core/config/Secrets.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Audit from "#core/log/Audit.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { commDispatcher } from "../Daemon.ts"
import * as Store from "./Store.ts"

const author: Store.Author = { actor: Audit.operator }

const withSecrets = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.flatMap(settings(platformSettings), (config) =>
    withStorage(
      Effect.andThen(
        Migrations.run(commDispatcher.migrations),
        Effect.provide(use, Layer.mergeAll(Wake.layer, Secrets.layer(config.keyFile ?? join(config.dataDir, "keys"))))
      )
    )
  )

const shown = ({ created_at, id, retires_at, tenant_id }: Store.StoredSecret) => ({
  id,
  tenant_id,
  created_at: created_at.toISOString(),
  retires_at: retires_at?.toISOString() ?? null
})

export const list = Effect.fnUntraced(function* (flags: { readonly tenant: number; readonly json: boolean }) {
  const secrets = (yield* withSecrets(transaction(Store.list(flags.tenant)))).map(shown)
  yield* print(flags.json, secrets, (secrets) =>
    secrets.length === 0
      ? [`Tenant ${flags.tenant} has no webhook secret.`]
      : columns([
          ["ID", "CREATED", "RETIRES"],
          ...secrets.map(({ created_at, id, retires_at }) => [String(id), created_at, retires_at ?? "-"])
        ])
  )
})

export const rotate = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly overlap: number
  readonly json: boolean
}) {
  if (flags.overlap < 0 || flags.overlap > Store.overlap.most)
    return yield* fail(`--overlap must be 0 to ${Store.overlap.most} hours`, exitUsage)
  const { made, row } = yield* withSecrets(
    Effect.gen(function* () {
      const made = yield* Store.make
      return { made, row: yield* transaction(Store.rotate(made, flags.tenant, flags.overlap, author)) }
    })
  )
  const secret = Redacted.value(made.secret)
  yield* print(flags.json, { ...shown(row), secret }, () => [
    secret,
    `Secret ${row.id} of tenant ${row.tenant_id}. It is shown only now. ` +
      `An earlier secret signs for ${flags.overlap} h more.`
  ])
})

export const remove = Effect.fnUntraced(function* (flags: { readonly id: number; readonly json: boolean }) {
  const row = yield* withSecrets(transaction(Store.remove(flags.id, author)))
  if (row === undefined) return yield* fail(`there is no webhook secret ${flags.id}`)
  yield* print(flags.json, shown(row), () => [`Secret ${row.id} of tenant ${row.tenant_id} signs nothing more.`])
})
