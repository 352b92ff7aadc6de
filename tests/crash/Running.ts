/** The alarm path as processes over a fresh data directory, and the queries of crash tests. */
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { RunView } from "#daemons/comm-dispatcher/runs/RunViews.ts"
import { type Fleet, startFleet, type UnitOptions } from "#support/Fleet.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { databaseDirectory, preparedDirectory } from "#support/PreparedCluster.ts"
import type { Random } from "#support/Random.ts"
import { allReady } from "./Kills.ts"
import { type Alarm, type Doors, type Receivers, sender, startReceivers } from "./Load.ts"
import { type Behaviour, callerIdOf, telephoneSettings } from "./Telephone.ts"

export type Run = typeof RunView.Type

/** Longest wait for the last alarms after the last kill. Unit: milliseconds. */
const settleTimeout = 60_000

export interface Running {
  readonly fleet: Fleet
  readonly receivers: Receivers
  readonly dataDir: string
  readonly call: (path: string) => Effect.Effect<any>
  readonly doors: Doors
}

/** Starts the units over a fresh data directory, with receivers and a service token from the CLI. */
export const start = (
  units: ReadonlyArray<UnitOptions>,
  random: Random,
  options: {
    readonly minute: number
    readonly behaviourOf: (id: number) => Behaviour
    /** Variables of all units and commands. With DATABASE_URL there is no embedded Postgres. */
    readonly env?: Readonly<Record<string, string>>
  }
) =>
  Effect.gen(function* () {
    const receivers = yield* startReceivers(random, options.behaviourOf)
    const embedded = options.env?.["DATABASE_URL"] === undefined
    const dataDir = realpathSync(
      yield* embedded ? preparedDirectory("signalbox-crash") : databaseDirectory("signalbox-crash")
    )
    const smtpPort = yield* freePort
    const fleet = yield* startFleet({
      units: units.map((unit) => ({ ...unit, env: { SIGNALBOX_CALL_CALLER_ID: callerIdOf(unit.name), ...unit.env } })),
      dataDir,
      env: {
        SIGNALBOX_ALARM_SMTP_PORT: String(smtpPort),
        SIGNALBOX_ALARM_BRIDGE_PORT: String(yield* freePort),
        SIGNALBOX_COMM_DISPATCHER_PORT: String(yield* freePort),
        SIGNALBOX_ALARM_ALLOWED_DOMAINS: sender.split("@")[1]!,
        SIGNALBOX_ALARM_MINUTE_MS: String(options.minute),
        SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
        SIGNALBOX_MESSENGER_URL: receivers.botUrl,
        SIGNALBOX_MESSENGER_TOKEN: receivers.bot.token,
        ...telephoneSettings(receivers.telephone, join(dataDir, "spoken")),
        ...options.env
      },
      restartDelay: () => random.between(100, 1_000)
    })
    yield* allReady(fleet, embedded)
    const { token } = JSON.parse(yield* fleet.cli("token", "create", "--name", "crash", "--json")) as {
      readonly token: string
    }
    return {
      fleet,
      receivers,
      dataDir,
      call: ledgerOf(fleet, token),
      doors: { smtpPort, token, trigger: () => triggerOf(fleet) }
    } satisfies Running
  })

/** Queries of the ledger with this service token. The answer is undefined while comm-dispatcher does not answer. */
export const ledgerOf =
  (fleet: Fleet, token: string) =>
  (path: string): Effect.Effect<any> =>
    Effect.promise(() => ask(fleet, token, path))

export const triggerOf = (fleet: Fleet) =>
  fleet.units.find((unit) => unit.daemons.includes("comm-dispatcher"))?.addresses()["comm-dispatcher"]

const ask = async (fleet: Fleet, token: string, path: string): Promise<unknown> => {
  const response = await fetch(`${triggerOf(fleet)}/api/v1/workflows${path}`, {
    headers: { "x-service-token": token },
    signal: AbortSignal.timeout(5_000)
  }).catch(() => undefined)
  return response?.status === 200 ? response.json().catch(() => undefined) : undefined
}

/** Views of all alarm runs, without those that notify the admins about a call of unknown end. */
export const allRuns = (running: Pick<Running, "call" | "fleet">) =>
  Effect.gen(function* () {
    const runs: Array<Run> = []
    let before: number | null | undefined
    do {
      const page = yield* running.call(
        `/runs?workflow=alarm&limit=100${before === undefined ? "" : `&before=${before}`}`
      )
      if (page === undefined) return yield* Effect.die(new Error(`the ledger does not answer\n${running.fleet.tail()}`))
      const views = yield* Effect.forEach(
        page.items as ReadonlyArray<{ readonly id: string }>,
        ({ id }) => running.call(`/runs/${id}`),
        { concurrency: 4 }
      )
      runs.push(...views)
      before = page.next_before
    } while (before !== null)
    return runs
  })

/** Waits until every run has ended and every receiver has received its alarms. */
export const settled = (running: Running, alarms: ReadonlyArray<Alarm>) =>
  Effect.gen(function* () {
    const deadline = Date.now() + settleTimeout
    for (;;) {
      const page = yield* running.call("/runs?state=running&limit=200")
      const unseen = alarms.filter((alarm) => !isSeen(running.receivers, alarm))
      if (page?.items.length === 0 && unseen.length === 0) return
      if (Date.now() > deadline) {
        const open = yield* Effect.forEach(
          (page?.items ?? []).slice(0, 5) as ReadonlyArray<{ readonly id: string }>,
          ({ id }) => running.call(`/runs/${id}`)
        )
        return yield* Effect.die(
          new Error(
            `not settled in ${settleTimeout} ms: ${page?.items.length} runs open, ${unseen.length} alarms not seen (${unseen
              .slice(0, 10)
              .map(({ id }) => id)
              .join(", ")})\n` + `${JSON.stringify(open, null, 1)}\n${running.fleet.tail(40)}`
          )
        )
      }
      yield* Effect.sleep(100)
    }
  })

const isSeen = ({ bot, sink }: Receivers, alarm: Alarm): boolean =>
  (alarm.path === undefined ||
    sink.requests.some((request) => request.path === alarm.path && request.answered === 200)) &&
  (alarm.chat === undefined || bot.messages.some((message) => message.chatId === alarm.chat))
