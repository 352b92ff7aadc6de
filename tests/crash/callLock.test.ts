/**
 * Tests the call lock: at most one alarm call at a time over two processes. Real executables over one Postgres, and a
 * double of the telephone switch. The caller id shows which process made a call.
 */
import { realpathSync } from "node:fs"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import type { RunView } from "#daemons/comm-dispatcher/runs/RunViews.ts"
import { type Fleet, startFleet } from "#support/Fleet.ts"
import { client } from "#support/Frame.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { answers } from "#support/switch/Callee.ts"
import {
  type DoubleCall,
  SwitchDouble,
  type SwitchDoubleOptions,
  type SwitchDoubleShape
} from "#support/switch/SwitchDouble.ts"
import { callerIdOf, telephoneSettings } from "./Telephone.ts"

/** Longest wait for steps without a promised limit. Unit: milliseconds. */
const patience = 60_000

/** Restart delay of a killed process, so that the other process is its successor. Unit: milliseconds. */
const forGood = 600_000

const units = ["one", "two"] as const
const ownerOf = (call: DoubleCall): string =>
  units.find((unit) => callerIdOf(unit) === call.variables["origination_caller_id_number"])!

interface Pair {
  readonly fleet: Fleet
  readonly double: SwitchDoubleShape
  /** Submits an alarm whose only target is a call. Returns the number. */
  readonly alarm: (text: string) => Effect.Effect<string>
  readonly alarms: (count: number) => Effect.Effect<ReadonlyArray<string>>
  /** Requests a call that is no alarm. Returns the number. */
  readonly request: Effect.Effect<string>
  /** Ledger run of each number. */
  readonly runs: Effect.Effect<ReadonlyArray<typeof RunView.Type>>
  /** Number of processes that hold the call lock or wait for it. */
  readonly concerned: Effect.Effect<number>
  readonly until: (what: string, look: Effect.Effect<boolean>) => Effect.Effect<void>
  readonly settled: Effect.Effect<void>
}

/** Starts two comm-dispatchers over one database. */
const startPair = Effect.fnUntraced(function* (
  switchOptions: SwitchDoubleOptions,
  env: Readonly<Record<string, string>> = {}
) {
  const double = yield* SwitchDouble.make(switchOptions)
  const database = yield* freshDatabase
  const dataDir = realpathSync(yield* temporaryDirectory("signalbox-calls"))
  const fleet = yield* startFleet({
    units: units.map((name) => ({
      name,
      daemons: ["comm-dispatcher"],
      env: { SIGNALBOX_CALL_CALLER_ID: callerIdOf(name) }
    })),
    dataDir,
    env: {
      DATABASE_URL: database.url,
      SIGNALBOX_COMM_DISPATCHER_PORT: "0",
      SIGNALBOX_ALARM_ALLOWED_DOMAINS: "calls.example",
      ...telephoneSettings(double, dataDir),
      ...env
    },
    restartDelay: () => forGood
  })
  const until: Pair["until"] = Effect.fnUntraced(function* (what, look) {
    const deadline = Date.now() + patience
    while (!(yield* look)) {
      if (Date.now() > deadline)
        return yield* Effect.die(new Error(`not within ${patience} ms: ${what}\n${fleet.tail(30)}`))
      yield* Effect.sleep(50)
    }
  })
  yield* until(
    "both to be ready",
    Effect.sync(() => fleet.units.every((unit) => unit.isReady()) && double.clients === 2)
  )
  const { token } = JSON.parse(yield* fleet.cli("token", "create", "--name", "calls", "--json")) as {
    readonly token: string
  }
  const ask = (path: string, body?: object, nth = 0, feature = "workflows"): Effect.Effect<any> =>
    Effect.promise(async () => {
      const standing = fleet.units.filter((unit) => unit.isReady())
      const base = standing[nth % standing.length]!.addresses()["comm-dispatcher"]
      const response = await fetch(`${base}/api/v1/${feature}${path}`, {
        headers: { "content-type": "application/json", "x-service-token": token },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
      })
      if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
      return response.json()
    })
  let numbers = 0
  const alarm = (text: string) =>
    Effect.suspend(() => {
      const number = `+${4_930_100_000 + ++numbers}`
      const payload = { email_subject: `CRITICAL:CALL+${number}`, email_body: text, email_from: "device@calls.example" }
      return Effect.as(ask("/trigger", { event_type: "email.alarm.received", payload }, numbers), number)
    })
  const sql = yield* client(database.target)
  const runs = Effect.gen(function* () {
    const page = yield* ask("/runs?workflow=alarm&limit=200")
    return yield* Effect.forEach(page.items as ReadonlyArray<{ readonly id: string }>, ({ id }) => ask(`/runs/${id}`), {
      concurrency: 4
    })
  })
  const request = Effect.suspend(() => {
    const target = `+${4_930_100_000 + ++numbers}`
    return Effect.as(ask("/call", { target, text: "Pumpe" }, numbers, "comm"), target)
  })
  return {
    fleet,
    double,
    request,
    alarm,
    alarms: (count) =>
      Effect.all(
        Array.from({ length: count }, () => alarm("Pumpe")),
        { concurrency: "unbounded" }
      ),
    runs,
    concerned: Effect.map(
      Effect.orDie(
        sql<{
          n: number
        }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name like '% calls'`
      ),
      (rows) => rows[0]!.n
    ),
    until,
    settled: until(
      "all runs to end",
      Effect.map(ask("/runs?state=running"), (page) => page.items.length === 0)
    )
  } satisfies Pair
})

const callsTo = (double: SwitchDoubleShape, number: string) => double.calls.filter((call) => call.number === number)
const targetsOf = (runs: Effect.Success<Pair["runs"]>) => runs.flatMap(({ targets }) => targets)

/**
 * More than two minutes of speech, played twice, so that the call still runs when its process is considered dead, also
 * on a busy machine.
 */
const longText = "Die Temperatur im Maschinenraum steigt, die Pumpe drei steht, und der Ersatz läuft nicht an. ".repeat(
  22
)

describe("the call lock over two processes", () => {
  it.live(
    "never two calls at once, also when the one that holds the lock is killed in mid-call",
    () =>
      Effect.gen(function* () {
        // The callee of the long text lets it ring for a long time.
        let patient = ""
        const pair = yield* startPair({
          timeScale: 0.06,
          callee: (number) => (number === patient ? { kind: "answers", afterMs: 40_000 } : answers)
        })
        const { alarm, alarms, concerned, double, fleet, runs, settled, until } = pair

        // Chance decides how the processes share the jobs; the test needs calls from both.
        let handed = 0
        for (let round = 0; round < 6 && (round === 0 || new Set(double.calls.map(ownerOf)).size < 2); round++) {
          handed += (yield* alarms(10)).length
          yield* settled
        }
        expect(new Set(double.calls.map(ownerOf)).size, fleet.tail(30)).toBe(2)
        expect(double.calls.length).toBe(handed)
        expect(double.mostAtOnce).toBe(1)
        expect(targetsOf(yield* runs).map(({ attempts, state }) => [state, attempts.length])).toEqual(
          Array(handed).fill(["delivered", 1])
        )
        expect(
          targetsOf(yield* runs)
            .map(({ reason }) => reason)
            .filter((reason) => !reason!.startsWith("heard to the end") || /lock|earlier/.test(reason!))
        ).toEqual([])

        patient = `+${4_930_100_000 + handed + 1}`
        expect(yield* alarm(longText)).toBe(patient)
        yield* until(
          "the long call to begin",
          Effect.sync(() => callsTo(double, patient).length === 1)
        )
        const cut = callsTo(double, patient)[0]!
        // Submits alarms until the other process also waits for the lock.
        const waiting: Array<string> = []
        while (waiting.length < 1 || (yield* concerned) < 2) {
          expect(waiting.length, "alarms handed in, and one process claims them all").toBeLessThan(40)
          waiting.push(yield* alarm("Pumpe"))
          yield* Effect.sleep(200)
        }
        const [holder, other] = ownerOf(cut) === "one" ? ["one", "two"] : ["two", "one"]
        const asked = double.commands.length
        fleet.unit(holder!).kill()
        expect(cut.ended, "the call was over too soon").toBeUndefined()
        yield* until(
          "the next call",
          Effect.sync(() => waiting.some((number) => callsTo(double, number).length > 0))
        )
        expect(double.commands.slice(asked)).toContain(`api uuid_exists ${cut.uuid}`)
        yield* settled

        const after = double.calls.slice(double.calls.indexOf(cut) + 1)
        expect(after.map(ownerOf)).toEqual(after.map(() => other))
        expect(after[0]!.started).toBeGreaterThanOrEqual(cut.ended!)
        expect(double.mostAtOnce).toBe(1)
        const targets = targetsOf(yield* runs)
        expect(targets.map(({ state }) => state)).toEqual(targets.map(() => "delivered"))
        // The other process took over the running call: it was heard once and not repeated.
        expect(callsTo(double, patient).length, JSON.stringify(targets.find(({ target }) => target === patient))).toBe(
          1
        )
        expect(targets.find(({ target }) => target === patient)).toMatchObject({
          possible_second: false,
          attempts: [{ state: "delivered" }]
        })
      }),
    240_000
  )

  it.live(
    "at the end of its wait, from when it was due, a requested call goes anyway: no more than the gateway's places beside the one, and the ledger says so",
    () =>
      Effect.gen(function* () {
        const wait = 1_500
        const { double, fleet, request, runs, settled } = yield* startPair(
          { timeScale: 0.15 },
          { SIGNALBOX_CALL_LOCK_WAIT_MS: String(wait), SIGNALBOX_CALLS_PER_GATEWAY: "3" }
        )
        yield* Effect.all(
          Array.from({ length: 10 }, () => request),
          { concurrency: "unbounded" }
        )
        yield* settled
        expect(double.calls.length).toBe(10)
        const anyway = (yield* runs).filter(({ targets }) =>
          targets[0]!.reason!.includes("without the call lock, after a wait of 2 s")
        )
        expect(anyway.length, fleet.tail(30)).toBeGreaterThan(0)
        for (const run of anyway) {
          expect(run.targets[0]).toMatchObject({ state: "delivered" })
          expect(
            callsTo(double, run.targets[0]!.target)[0]!.started - Date.parse(run.created_at)
          ).toBeGreaterThanOrEqual(wait)
        }
        expect(double.mostAtOnce).toBe(3)
        const first = Math.min(
          ...anyway.map((run) => callsTo(double, run.targets[0]!.target)[0]!.started - Date.parse(run.created_at))
        )
        process.stdout.write(
          `two processes, 10 calls at once, a wait of ${wait} ms: ${anyway.length} went anyway, the first ${first} ms after it was due, ${double.mostAtOnce} at once\n`
        )
      }),
    120_000
  )
})
