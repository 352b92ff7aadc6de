/**
 * Measures the cost of 2,000 watched mailboxes on one Dovecot: memory, processor time, and time until all are watched.
 */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { figure, type Figure } from "../Figure.ts"
import { type Rig, rigOf } from "./Rig.ts"

const mailboxes = 2_000

/** Mailboxes watched before the first measurement, so that code and pools are not counted. */
const warm = 50

/**
 * `target`: largest memory as a share of a bare imapflow connection. `goal`: the desired share. Source: targets of the
 * issue.
 */
const target = 1
const goal = 0.6

/** Idle time before the memory measurement, and length of the processor measurement. Unit: milliseconds. */
const settle = 60_000

/** Longest time until all mailboxes are watched. Unit: milliseconds. */
const patience = 600_000

export const watching: Effect.Effect<ReadonlyArray<Figure>> = Effect.orDie(
  Effect.scoped(
    Effect.gen(function* () {
      const rig = yield* rigOf(mailboxes)
      const { dovecot } = rig
      const floor = yield* Effect.promise(() => bare("imapflow-alone", dovecot.imapsPort!, dovecot.certificate!))
      const shared = yield* Effect.promise(() => bare("imapflow", dovecot.imapsPort!, dovecot.certificate!))
      const watcher = yield* rig.watcher
      yield* rig.add(0, warm)
      yield* watched(rig, warm)
      yield* Effect.promise(() => sleep(settle / 2))
      const before = { resident: watcher.resident(), processor: watcher.processor(), at: performance.now() }
      yield* rig.add(warm, mailboxes)
      yield* watched(rig, mailboxes)
      const seconds = (performance.now() - before.at) / 1000
      const connecting = (watcher.processor() - before.processor) / (mailboxes - warm)
      yield* Effect.promise(() => sleep(settle))
      const idleFrom = watcher.processor()
      yield* Effect.promise(() => sleep(settle))
      const idle = (watcher.processor() - idleFrom) * (60_000 / settle)
      const value = (watcher.resident() - before.resident) / (mailboxes - warm)
      return [
        figure(`mail-watcher: resident memory a mailbox, ${mailboxes} watched`, value, "KB", { floor }),
        figure("mail-watcher: share of a bare imapflow connection", value / floor, "", { target }),
        figure("mail-watcher: the same, the goal", value / floor, "", { target: goal }),
        figure("mail-watcher: share of imapflow connections with one shared secure context", value / shared, ""),
        figure("mail-watcher: processor a mailbox until it is watched", connecting, "ms"),
        figure(`mail-watcher: processor a minute, ${mailboxes} at rest`, idle, "ms"),
        figure(`mail-watcher: until ${mailboxes} are watched`, seconds, "s")
      ]
    })
  )
)

/** Waits until this many mailboxes are watched. */
const watched = ({ sql }: Rig, count: number) =>
  Effect.gen(function* () {
    const deadline = performance.now() + patience
    while (true) {
      const [row] = yield* sql<{
        n: number
      }>`select count(*)::int as n from mail_watcher.watch where mode in ('notify', 'idle')`
      if (row!.n >= count) return
      if (performance.now() > deadline)
        return yield* Effect.die(new Error(`${row!.n} of ${count} mailboxes are watched after ${patience / 1000} s`))
      yield* Effect.promise(() => sleep(100))
    }
  })

/** Memory per bare imapflow connection. Unit: KB. */
const bare = (kind: string, port: number, certificate: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ["--expose-gc", `${import.meta.dirname}/../imap-watch/Client.ts`, kind, String(mailboxes), String(port)],
      { env: { ...process.env, CERTIFICATES: JSON.stringify([certificate]) }, stdio: ["ignore", "pipe", "inherit"] }
    )
    let said = ""
    child.stdout.on("data", (bytes) => (said += String(bytes)))
    child.on("error", reject)
    child.on("exit", (code) =>
      code === 0 ? resolve(Number(said)) : reject(new Error(`the ${kind} client ended with ${code}`))
    )
  })
