/**
 * A hostile customer, with every permission that a customer can hold, against another customer of the same
 * installation: against every endpoint, event and queue, by content, time and cost. The requests are generated from the
 * descriptions of the endpoints, so a new endpoint is attacked too. The customer's own administrator attacks as well.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { eventAudiences } from "#core/contracts/EventAccess.ts"
import { attack, reached, unreachable } from "./tenants/Attack.ts"
import * as Cost from "./tenants/Cost.ts"
import { alarmDelay, flood, simpleReads, waitingOf } from "./tenants/Flood.ts"
import { Furnished } from "./tenants/Furnished.ts"
import { caughtUp, everyType, heardAll, listening, overheard } from "./tenants/Listening.ts"
import { emptyTables } from "./tenants/OwnData.ts"
import { differences, rowsOf, valuesOf } from "./tenants/Rows.ts"
import { Site } from "./tenants/Site.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** Alarms of A with B, and without. Only the long run measures the delay, so one alarm is enough for the other. */
const rounds = long ? 100 : 1

/** Longest additional delay of an alarm in the long run. Unit: milliseconds. */
const allowed = 2_000

const clean = (found: ReadonlyArray<string>) => assert.strictEqual(found.join("\n"), "")

const site = Furnished.layer.pipe(Layer.provideMerge(Site.layer))

/** Paths under which A has nothing to read, with the reason. */
const unread: Readonly<Record<string, string>> = {
  "/api/v1/auth/oidc/{provider}": "no external provider is configured",
  "/api/v1/service-tokens/{id}": "the provider's",
  "/api/v1/mail/webmail/messages/{folder}": "needs a mail server: tests/daemons/mail-watcher/Walk.test.ts",
  "/api/v1/mail/webmail/messages/{folder}/{uid}": "needs a mail server",
  "/api/v1/mail/webmail/messages/{folder}/{uid}/attachments/{part}": "needs a mail server",
  "/api/v1/mail/webmail/threads/{folder}": "needs a mail server",
  "/api/v1/components/{id}": "of the installation, public",
  "/api/v1/uptime/{id}": "of the installation, public",
  "/api/v1/response-times/{id}": "of the installation, public",
  "/api/v1/incidents/{id}": "of the installation, public",
  "/badge/{file}": "of the installation, public",
  "/incidents/{id}": "of the installation, public",
  "/api/v1/admin/incidents/{id}": "the provider's",
  "/api/v1/backups/jobs/{uuid}": "the provider's",
  "/api/v1/i18n/admin/files/{locale}": "the provider's",
  "/api/v1/i18n/admin/rebuilds/{id}": "the provider's",
  "/api/v1/i18n/admin/translations/{locale}": "the provider's",
  "/api/v1/i18n/admin/translations/{locale}/{key}": "the provider's",
  "/api/v1/i18n/texts/{locale}/{key}": "of the installation, public",
  "/api/v1/monitoring/alert-messages/{id}": "the provider's",
  "/api/v1/monitoring/alerts/{id}": "the provider's",
  "/api/v1/monitoring/checks/{id}": "the provider's",
  "/api/v1/monitoring/silences/{id}": "the provider's",
  "/api/v1/system/services/{name}": "the provider's",
  "/provision/phone/{secret}/{file}": "the secret is the credential; only its hash is stored",
  "/provision/{token}": "only hashes of tokens are stored"
}

describe("a hostile tenant", () => {
  layer(site, { excludeTestServices: true, timeout: 180_000 })((it) => {
    it.effect("meets a tenant with rows in every table", () =>
      Effect.gen(function* () {
        const { a, suite } = yield* Site
        assert.deepStrictEqual(yield* emptyTables(suite.sql, a.tenant), [])
      })
    )

    it.effect(
      "hears nothing of what the other does, and nothing of it starts its workflows",
      () =>
        Effect.gen(function* () {
          const { b } = yield* Site
          const { after, before, socketOfA, socketOfB, values } = yield* Furnished
          yield* caughtUp(b, socketOfB)
          clean(overheard(socketOfB, values))
          clean(differences(before, after))
          assert.isAbove(new Set(socketOfA.events.map(({ type }) => type)).size, 5)
        }),
      180_000
    )

    it.effect(
      "reads and changes nothing by any endpoint",
      () =>
        Effect.gen(function* () {
          const here = yield* Site
          const { values } = yield* Furnished
          const { sql } = here.suite
          const ofA = yield* reached(here, here.a, values, long)
          const ofB = yield* reached(here, here.b, valuesOf(yield* rowsOf(sql, here.b.tenant), here.b.tenant), long)
          const result = yield* attack(here, ofA, ofB, long)
          assert.deepStrictEqual(unreachable(ofA).toSorted(), Object.keys(unread).toSorted())
          clean(result.refused)
          clean(result.findings)
        }),
      900_000
    )

    it.effect(
      "hears no type of event, neither of the tenant nor of its users",
      () =>
        Effect.gen(function* () {
          const here = yield* Site
          const { values } = yield* Furnished
          // The attack has ended sessions of B, and so their sockets.
          yield* here.b.signedIn("admin")
          const [socketOfA, socketOfB] = [yield* listening(here, here.a), yield* listening(here, here.b)]
          const types = yield* everyType(here, here.a)
          yield* heardAll(
            socketOfA,
            types.filter((type) => eventAudiences[type] !== "daemons")
          )
          // A socket that resumes after an event of A hears no more.
          const resumed = yield* listening(here, here.b, socketOfA.last)
          for (const socket of [socketOfB, resumed]) {
            yield* caughtUp(here.b, socket)
            clean(overheard(socket, values))
            assert.deepStrictEqual(
              socket.events.filter(({ data }) => data?.tenant_id === here.a.tenant).map(({ type }) => type),
              []
            )
          }
        }).pipe(Effect.scoped),
      180_000
    )

    it.effect("pays nothing with the other's trunk", () =>
      Effect.gen(function* () {
        const { ofA, ofB } = yield* Furnished
        clean(yield* Cost.trunks(yield* Site, ofA, ofB))
      })
    )

    it.effect(
      "uses up no calls of the other",
      () => Effect.flatMap(Site, (here) => Effect.map(Cost.callQuota(here), clean)),
      180_000
    )

    it.effect(
      "keeps nobody from signing in",
      () => Effect.flatMap(Site, (here) => Effect.map(Cost.signIns(here), clean)),
      180_000
    )

    it.effect(
      "has no address of the other banned",
      () =>
        Effect.gen(function* () {
          clean(yield* Cost.bans(yield* Site, (yield* Furnished).ofA))
        }),
      180_000
    )

    it.effect(
      "delays neither alarms nor reads at full rate",
      () =>
        Effect.gen(function* () {
          const here = yield* Site
          const { ofB } = yield* Furnished
          const alone: Array<number> = []
          if (long) for (let round = 0; round < rounds; round++) alone.push(yield* alarmDelay(here, round))
          const answers = yield* flood(here, ofB)
          const beside: Array<number> = []
          for (let round = 0; round < rounds; round++) {
            clean((yield* simpleReads(here)).filter((read) => !read.endsWith(" 200")))
            beside.push(yield* alarmDelay(here, rounds + round))
            assert.isAbove(yield* waitingOf(here), 20, "alarms of B that wait behind A's")
          }
          assert.isAbove(answers.get(200) ?? 0, 0, "answers to the flood")
          if (!long) return
          const p99 = (delays: ReadonlyArray<number>) => delays.toSorted((x, y) => x - y).at(-2)!
          assert.isBelow(p99(beside) - p99(alone), allowed)
        }).pipe(Effect.scoped),
      long ? 900_000 : 120_000
    )
  })
})
