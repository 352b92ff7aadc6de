/**
 * Keeps the signer's directory in step with the keys. Runs in every process that is told a directory, since each
 * machine that sends mail has its own; two on one directory do no harm. A change is announced with its transaction;
 * what nobody announced is found by a look. The order makes each moment good: keys, then the map that names them, then
 * away with what nobody names.
 */
import { Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { settings } from "#core/config/Environment.ts"
import { type Component, Health } from "#core/daemon/Health.ts"
import { contextOf, type SecretError, Secrets } from "#core/config/Secrets.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { keysTopic, sealedDkimKeys } from "../DkimKeys.ts"
import { domainSettings } from "../DomainSettings.ts"
import * as KeyDirectory from "./KeyDirectory.ts"
import { decide, fileOf, hasFile, type HeldKey, mapName, selectorMap } from "./KeyFiles.ts"

/**
 * How long without an announcement until it looks. Unit: seconds. Reason: half a minute unsigned is what a lost one may
 * cost.
 */
const lookInterval = Duration.seconds(30)

/** Envelopes fetched together. Unit: rows. Reason: few private keys in memory at a time, and a sign of life between. */
const batch = 100

/** Some keys do not open; all others are in their place. Another key file can help. */
export class KeysUnreadable extends Schema.TaggedError<KeysUnreadable>()("KeysUnreadable", {
  count: Schema.Int,
  detail: Schema.String
}) {
  override get message() {
    return `${this.count} DKIM keys cannot be opened, ${this.detail}`
  }
}

/** Registers the health component `dkim_files`, and the actor where a directory is configured. */
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
  detail: "SIGNALBOX_DKIM_DIR unset: no key is given to the signer"
}

const make = Effect.fnUntraced(function* (path: string) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const wake = yield* Wake
  const directory = KeyDirectory.make(path)
  // What each file was seen to hold, and its stamp then: it outlives a restart of the actor, so that no failure costs a
  // reading of all.
  const known = new Map<string, { readonly id: number; readonly stamp: string }>()
  let component: Component = { status: "degraded", detail: "the directory has not been looked at yet" }

  const putKey = Effect.fnUntraced(function* (key: HeldKey, envelope: string) {
    const pem = yield* secrets.open(envelope, contextOf(sealedDkimKeys, String(key.id)))
    known.set(fileOf(key), { id: key.id, stamp: yield* directory.put(fileOf(key), pem) })
  })

  const step = Effect.gen(function* () {
    const actor = yield* Actor
    // The directory first: whatever another process has written until then, its key is in the table by now.
    const found = yield* directory.look
    const keys = yield* sql<HeldKey>`select k.id, d.domain, k.selector, k.state
      from mail_admin.dkim_key k join mail_admin.domain d on d.id = k.domain_id order by k.id`
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
        // Gone meanwhile: that was announced, too.
        if (envelope === undefined) continue
        yield* Effect.catchTag(putKey(key, envelope), "SecretError", (error) =>
          // Without a key file none opens.
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
        detail: `first ${first.key.selector} of ${first.key.domain}: ${first.error.detail}`
      })
    }
    const nameless = keys.filter((key) => !hasFile(key)).length
    component = {
      status: "ok",
      keys: keys.length,
      ...(nameless === 0 ? {} : { detail: `${nameless} keys of domains with very long names have no file` })
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
