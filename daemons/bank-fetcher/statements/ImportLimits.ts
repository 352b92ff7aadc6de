/** What a tenant may import by hand, so that no tenant fills the disk or the memory that all share. */
import { Duration, Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as StoredLog from "#core/limits/StoredLog.ts"
import { TooManyImports } from "./Errors.ts"

const imports = {
  table: "bank_fetcher.raw_file",
  key: "tenant_id",
  at: "received_at",
  only: (sql) => sql`source = 'import'`,
  window: Duration.days(1)
} satisfies Partial<StoredLog.LogPolicy>

/**
 * Content of a day, before compression. Reason: files stay for ten years; the statements of a year with 150,000
 * bookings have 256 MiB.
 */
const bytes: StoredLog.LogPolicy = {
  ...imports,
  name: "bank_fetcher import bytes",
  amount: "size",
  limit: 4 * 1024 ** 3,
  unit: "bytes"
}

/** Files of a day. Reason: the daily statements of ten years are 2,500 files. */
const files: StoredLog.LogPolicy = { ...imports, name: "bank_fetcher import files", limit: 10_000, unit: "files" }

/** Uploads of a tenant at the same time in one process. Reason: a ZIP file of 64 MiB is in memory as a whole. */
const atOnce = 2

/** Number of present uploads by tenant. */
const present = new Map<number, number>()

const count = (tenantId: number, change: number) => {
  const now = (present.get(tenantId) ?? 0) + change
  if (now > 0) present.set(tenantId, now)
  else present.delete(tenantId)
}

/** Runs an upload when the tenant may import more. An upload that begins meanwhile may exceed the limits a little. */
export const limited = <A, E, R>(tenantId: number, upload: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    for (const policy of [bytes, files]) {
      const seconds = yield* inScope(StoredLog.wait(policy, [tenantId]))
      if (seconds > 0)
        return yield* new TooManyImports({
          detail: `At most ${policy.limit} ${policy.unit} a day. Try again in ${seconds} seconds.`
        })
    }
    if ((present.get(tenantId) ?? 0) >= atOnce)
      return yield* new TooManyImports({ detail: `At most ${atOnce} files at the same time.` })
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => count(tenantId, 1)),
      () => upload,
      () => Effect.sync(() => count(tenantId, -1))
    )
  })
