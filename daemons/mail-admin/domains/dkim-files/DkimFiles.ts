/**
 * Synchronises the signer's directory with the DKIM keys. Runs in every process with a configured directory, because
 * each sending machine has its own; two processes on one directory do no harm. Changes are announced with their
 * transaction, and a periodic check finds missed ones. The order of writes keeps the directory valid at every moment:
 * first keys, then the map that names them, then the removal of unused keys.
 */
import { Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { settings } from "#core/config/Environment.ts"
import { type Component, Health, healthSentence } from "#core/daemon/Health.ts"
import { contextOf, type SecretError, Secrets } from "#core/config/Secrets.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { keysTopic, sealedDkimKeys } from "../DkimKeys.ts"
import { domainSettings } from "../DomainSettings.ts"
import * as KeyDirectory from "./KeyDirectory.ts"
import { decide, fileOf, hasFile, type HeldKey, mapName, selectorMap } from "./KeyFiles.ts"

/**
 * Interval of checks without announcement. Unit: seconds. Reason: a lost announcement leaves mail unsigned for at most
 * half a minute.
 */
const lookInterval = Duration.seconds(30)

/**
 * Number of envelopes read at once. Unit: rows. Reason: keeps few private keys in memory, and the loop reports progress
 * after each batch.
 */
const batch = 100

/** Some keys cannot be opened; all others are written. A different key file may help. */
export class KeysUnreadable extends Schema.TaggedError<KeysUnreadable>()("KeysUnreadable", {
  count: Schema.Int,
  detail: Schema.String
}) {
  override get message() {
    return healthSentence(`${this.count} DKIM keys cannot be opened; `) + this.detail
  }
}

/** Registers the health component `dkim_files` and, when a directory is configured, the actor. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { dkimDir: path } = yield* settings(domainSettings)
    if (path === undefined) return yield* Health.component("dkim_files", Effect.succeed(unconfigured))
    const { component, run } = yield* make(path)
    yield* Health.component("dkim_files", component)
    yield* Supervisor.actor({ name: "dkim files", run })
  })
)

const unconfigured: Component = {
  status: "unconfigured",
  detail: "SIGNALBOX_DKIM_DIR is unset: the signer gets no keys"
}

const make = Effect.fnUntraced(function* (path: string) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const wake = yield* Wake
  const directory = KeyDirectory.make(path)
  // Last known key and stamp of each file. Kept across restarts of the actor, so that a failure does not cause reading
  // all files again.
  const known = new Map<string, { readonly id: number; readonly stamp: string }>()
  let component: Component = { status: "degraded", detail: "the directory has not been read yet" }

  const putKey = Effect.fnUntraced(function* (key: HeldKey, envelope: string) {
    const pem = yield* secrets.open(envelope, contextOf(sealedDkimKeys, String(key.id)))
    known.set(fileOf(key), { id: key.id, stamp: yield* directory.put(fileOf(key), pem) })
  })

  const step = Effect.gen(function* () {
    const actor = yield* Actor
    // Reads the directory before the table: the keys of files that another process has written are then in the table.
    const found = yield* directory.look
    const keys = yield* sql<HeldKey>`select k.id, d.domain, k.selector, k.state
      from mail_admin.dkim_key k join mail_admin.domain d on d.id = k.domain_id where d.proven order by k.id`
    for (const [name, { stamp }] of known) if (found.get(name) !== stamp) known.delete(name)
    const { remove, write } = decide(keys, found.keys(), numbersOf(known))
    const unreadable: Array<{ readonly key: HeldKey; readonly error: SecretError }> = []
    for (let start = 0; start < write.length; start += batch) {
      const some = write.slice(start, start + batch)
      const rows = yield* sql<{ id: number; envelope: string }>`select id, private_key as envelope
        from mail_admin.dkim_key where ${sql.in(
          "id",
          some.map(({ id }) => id)
        )}`
      const envelopes = new Map(rows.map(({ envelope, id }) => [id, envelope]))
      for (const key of some) {
        const envelope = envelopes.get(key.id)
        // The key was deleted meanwhile; that change is announced too.
        if (envelope === undefined) continue
        yield* Effect.catchTag(putKey(key, envelope), "SecretError", (error) =>
          // Without a key file no key can be opened, so the loop fails.
          error.reason === "KeyFile" ? Effect.fail(error) : Effect.sync(() => void unreadable.push({ key, error }))
        )
      }
      yield* actor.progress
    }
    yield* directory.put(mapName, Redacted.make(selectorMap(keys, numbersOf(known))))
    for (const name of remove) {
      yield* directory.remove(name)
      known.delete(name)
    }
    const [first] = unreadable
    if (first !== undefined) {
      return yield* new KeysUnreadable({
        count: unreadable.length,
        detail: healthSentence(`the first is ${first.key.selector} of ${first.key.domain}, ${first.error.detail}`)
      })
    }
    const nameless = keys.filter((key) => !hasFile(key)).length
    component = {
      status: "ok",
      keys: keys.length,
      ...(nameless === 0 ? {} : { detail: `${nameless} keys of domains with too long names have no file` })
    }
    yield* actor.note(`${keys.length} keys in ${path}`)
  })

  const run = Effect.gen(function* () {
    const actor = yield* Actor
    const wakeup = yield* wake.subscribe(keysTopic)
    while (true) {
      yield* actor.progress
      yield* Effect.tapError(step, ({ message: detail }) =>
        Effect.sync(() => void (component = { status: "degraded", detail }))
      )
      yield* wakeup.wait(lookInterval)
    }
  })

  return { component: Effect.sync(() => component), run }
})

const numbersOf = (known: ReadonlyMap<string, { readonly id: number }>): ReadonlyMap<string, number> =>
  new Map(Array.from(known, ([name, { id }]) => [name, id]))
