/**
 * One mailbox and two alarm-bridge processes. Only one watches; after its kill the other takes over soon, and no mail
 * is lost or processed twice. Real Dovecot; runs with a separate Postgres, and with the embedded one, which the killed
 * process may own.
 */
import { realpathSync } from "node:fs"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Fleet, startFleet } from "#support/Fleet.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { freePort, poll } from "#support/peers/Loopback.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { WebhookSink } from "#support/WebhookSink.ts"

const user = { address: "alarm@example.test", password: "secret" }
const sender = "device@placement.example"

/** Longest failover. Unit: milliseconds. Source: the promise under test. */
const failoverLimit = 10_000

/** Longest wait for steps without a promised limit. Unit: milliseconds. */
const patience = 30_000

/**
 * Time for which the placement must be stable before the test begins. Unit: milliseconds. Reason: several cluster
 * rounds of 1 s.
 */
const settlingTime = 4_000

/** Restart delay of the killed process, so that its restart cannot take over the mailbox. Unit: milliseconds. */
const forGood = 600_000

interface ActorSeen {
  readonly name: string
  readonly state: string
  readonly note?: string
}

/** The mailbox's actor in the `/health` of a process; undefined while it does not answer. */
const actorOf = async (fleet: Fleet, unit: string): Promise<ActorSeen | undefined> => {
  const base = fleet.unit(unit).addresses()["alarm-bridge"]
  if (base === undefined || !fleet.unit(unit).isReady()) return undefined
  const response = await fetch(`${base}/health`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
  const health = (await response?.json().catch(() => undefined)) as
    | { readonly actors?: ReadonlyArray<ActorSeen> }
    | undefined
  return health?.actors?.find((actor) => actor.name === "mailbox alarms")
}

const watches = (actor: ActorSeen | undefined) =>
  actor?.state === "running" && actor.note?.startsWith("idle on") === true

describePeers(["dovecot"], "one mailbox, two alarm-bridges", () => {
  for (const storage of ["DATABASE_URL", "embedded"] as const) {
    it.live(
      `${storage}: exactly one watches; after kill -9 the other has it within 10 s, nothing missed or doubled`,
      () =>
        Effect.gen(function* () {
          const sink = yield* Effect.acquireRelease(
            Effect.sync(() => new WebhookSink()),
            (sink) => Effect.promise(() => sink.stop())
          )
          const sinkUrl = yield* Effect.promise(() => sink.start())
          const dovecot = yield* Dovecot.make({ users: [user] })
          const database = storage === "DATABASE_URL" ? { DATABASE_URL: (yield* freshDatabase).url } : {}
          const dataDir = realpathSync(yield* temporaryDirectory("signalbox-placement"))
          const units = [
            { name: "a", daemons: ["alarm-bridge"] },
            { name: "b", daemons: ["alarm-bridge"] },
            { name: "comm", daemons: ["comm-dispatcher"] }
          ]
          const fleet = yield* startFleet({
            units,
            dataDir,
            env: {
              ...database,
              SIGNALBOX_ALARM_BRIDGE_PORT: "0",
              SIGNALBOX_COMM_DISPATCHER_PORT: String(yield* freePort),
              SIGNALBOX_ALARM_SMTP: "false",
              SIGNALBOX_ALARM_MAILBOXES: JSON.stringify([
                {
                  name: "alarms",
                  host: "127.0.0.1",
                  port: dovecot.imapPort,
                  tls: "none",
                  user: user.address,
                  password: user.password
                }
              ]),
              SIGNALBOX_ALARM_ALLOWED_DOMAINS: "placement.example",
              SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8"
            },
            restartDelay: () => forGood
          })

          /**
           * Waits until `look` is true. Returns when the last look began that was false: how long a look takes depends
           * on what else the machine does. Dies with the logs after `patience`.
           */
          const until = (what: string, look: () => Promise<boolean>) =>
            Effect.gen(function* () {
              let lastFalse = performance.now()
              const once = async () => {
                const began = performance.now()
                if (await look()) return true
                lastFalse = began
                return undefined
              }
              const seen = yield* Effect.promise(() => poll(once, patience, 30))
              if (seen === undefined)
                return yield* Effect.die(new Error(`not within ${patience} ms: ${what}\n${fleet.tail(30)}`))
              return lastFalse
            })
          const sessions = () => Effect.runPromise(dovecot.sessions(user.address))
          let sent = 0
          const deliver = Effect.suspend(() => {
            sent += 1
            return dovecot.deliver(
              user.address,
              `From: ${sender}\nTo: ${user.address}\nSubject: INFO:WEBHOOK+${sinkUrl}/${sent}\n\nnumber ${sent}\n`
            )
          })
          const arrived = () => sink.acted.length

          yield* until("all three to be ready", async () => fleet.units.every((unit) => unit.isReady()))
          // The mailbox may move while processes join. It counts as settled when it stays the same for a while.
          let settledSince = Infinity
          yield* until("exactly one to watch the mailbox", async () => {
            const [a, b] = [await actorOf(fleet, "a"), await actorOf(fleet, "b")]
            const one = (watches(a) && b?.state === "elsewhere") || (watches(b) && a?.state === "elsewhere")
            settledSince = one && (await sessions()) === 1 ? Math.min(settledSince, performance.now()) : Infinity
            return performance.now() - settledSince > settlingTime
          })
          const [holder, other] = watches(yield* Effect.promise(() => actorOf(fleet, "a")))
            ? (["a", "b"] as const)
            : (["b", "a"] as const)
          for (let mail = 0; mail < 3; mail++) yield* deliver
          yield* until("the mails before", async () => arrived() === 3)
          // Both processes and the mail server agree that exactly one watches.
          expect(yield* Effect.promise(() => actorOf(fleet, other))).toMatchObject({ state: "elsewhere" })
          expect(yield* dovecot.sessions(user.address)).toBe(1)

          // Mail arrives while no process watches.
          yield* deliver
          const server = fleet.postmaster()
          const killed = performance.now()
          fleet.unit(holder).kill()
          yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.andThen(deliver, Effect.sleep(150)), { discard: true })
          const otherWatches = async () => watches(await actorOf(fleet, other))
          const watchedAfter = (yield* until(`${other} to watch the mailbox`, otherWatches)) - killed
          const deliveredAfter = (yield* until("the mails of the failover", async () => arrived() === 9)) - killed
          for (let mail = 0; mail < 3; mail++) yield* deliver
          yield* until("the mails after", async () => arrived() === 12)

          const took = storage === "embedded" && fleet.postmaster() !== server ? ", Postgres started anew" : ""
          process.stdout.write(
            `placement, ${storage}: the other watched ${(watchedAfter / 1_000).toFixed(1)} s after kill -9, all mails of that time delivered after ${(deliveredAfter / 1_000).toFixed(1)} s${took}\n`
          )
          expect(watchedAfter, fleet.tail(30)).toBeLessThan(failoverLimit)
          expect(deliveredAfter, fleet.tail(30)).toBeLessThan(failoverLimit)
          expect(yield* dovecot.sessions(user.address)).toBe(1)

          // One run and one request per mail, and no duplicates.
          expect(sink.requests.map((request) => request.path).toSorted()).toEqual(
            Array.from({ length: sent }, (_, index) => `/${index + 1}`).toSorted()
          )
          expect(new Set(sink.requests.map((request) => request.key)).size).toBe(sent)
          const { token } = JSON.parse(yield* fleet.cli("token", "create", "--name", "placement", "--json")) as {
            readonly token: string
          }
          const runs = yield* Effect.promise(async () => {
            const base = fleet.unit("comm").addresses()["comm-dispatcher"]
            const response = await fetch(`${base}/api/v1/workflows/runs?workflow=alarm&limit=200`, {
              headers: { "x-service-token": token }
            })
            return ((await response.json()) as { readonly items: ReadonlyArray<{ readonly state: string }> }).items
          })
          expect(runs.map((run) => run.state)).toEqual(Array.from({ length: sent }, () => "delivered"))

          const ends = yield* fleet.stop
          expect(
            ends.filter(({ name }) => name !== holder).map(({ code }) => code),
            fleet.tail()
          ).toEqual([0, 0])
          expect(fleet.processes()).toEqual([])
        }),
      120_000
    )
  }
})
