/** Compares the ledger of a storm with the receivers' records. */
import { Effect } from "effect"
import type { Site } from "./Site.ts"
import { alarmOf, type Arrival } from "./Arrivals.ts"
import type { StormAlarm, StormTarget } from "./Alarms.ts"

interface Row {
  readonly body: string
  readonly run_state: string
  readonly known: number
  readonly channel: string
  readonly target: string
  readonly state: string
  readonly reason: string | null
  readonly attempts: number
  readonly open_attempts: number
}

export interface Judgement {
  readonly problems: ReadonlyArray<string>
  readonly targets: number
  readonly delivered: number
  readonly arrivals: ReadonlyArray<Arrival>
}

/** Number of runs that have not ended. */
export const open = ({ sql }: Site) =>
  Effect.map(
    Effect.orDie(
      sql<{ open: number }>`select count(*)::int as open from comm_dispatcher.run where finished_at is null`
    ),
    ([row]) => row!.open
  )

/** State in which a target ends. A host that never answers may have acted, so nobody knows what became of it. */
const endOf = ({ kind }: StormTarget): string =>
  kind === "hanging" ? "uncertain" : kind === "refusing" ? "failed" : "delivered"

export const judge = Effect.fnUntraced(function* (site: Site, alarms: ReadonlyArray<StormAlarm>) {
  const byId = new Map(alarms.map((alarm) => [alarm.id, alarm]))
  const rows = yield* Effect.orDie(site.sql<Row>`
    select r.body, r.state as run_state, extract(epoch from r.created_at)::float8 * 1000 as known, t.channel, t.target, t.state,
           t.record->>'reason' as reason, count(a.*)::int as attempts, count(a.*) filter (where a.state = 'attempting')::int as open_attempts
      from comm_dispatcher.run r left join comm_dispatcher.target t on t.run_id = r.id left join comm_dispatcher.attempt a on a.target_id = t.id
     group by r.id, t.id`)
  const mine = rows.filter(({ body }) => alarmOf(byId, body) !== undefined)
  const rowsOf = Map.groupBy(mine, ({ body }) => alarmOf(byId, body)!.id)
  const taken = takenBy(site, byId)
  const problems: Array<string> = []
  const arrivals: Array<Arrival> = []
  let delivered = 0

  for (const alarm of alarms) {
    const name = `alarm ${alarm.id} (${alarm.subject})`
    const own = rowsOf.get(alarm.id) ?? []
    if (own.length !== alarm.targets.length)
      problems.push(`${name} has ${own.length} targets in the ledger, not ${alarm.targets.length}`)
    const ends = new Set(alarm.targets.map(endOf))
    const state = ends.size === 2 ? "partly_delivered" : [...ends][0]
    if (own.some(({ run_state }) => run_state !== state))
      problems.push(`${name}: the run is ${own[0]?.run_state}, not ${state}`)
    for (const target of alarm.targets) {
      const row = own.find(({ channel, target: at }) => channel === target.part && at.endsWith(target.at))
      const got = taken.get(keyOf(alarm.id, target)) ?? []
      if (row === undefined) {
        problems.push(`${name}: no ${target.part} ${target.at} in the ledger`)
        continue
      }
      // After several time-outs the host gets no requests for a while. Targets of that time failed for certain.
      const spared = target.kind === "hanging" && row.state === "failed" && row.reason?.includes("not dialled") === true
      if (row.state !== endOf(target) && !spared)
        problems.push(`${name}: ${target.part} ${target.at} (${target.kind}) is ${row.state}: ${row.reason}`)
      if (row.open_attempts > 0) problems.push(`${name}: an attempt at ${target.at} is left open`)
      const times = row.state === "delivered" ? 1 : 0
      delivered += times
      if (got.length !== times)
        problems.push(`${name}: ${target.part} ${target.at} is ${row.state} and was taken ${got.length} times`)
      if (got[0] !== undefined)
        arrivals.push({ id: alarm.id, severity: alarm.severity, target, known: row.known, arrived: got[0] })
    }
  }
  const jobs = yield* Effect.orDie(site.sql<{ name: string; state: string; jobs: number }>`
    select name, state::text as state, count(*)::int as jobs from pgboss.job where name like 'alarm.%' and state <> 'completed' group by 1, 2`)
  problems.push(...jobs.map(({ jobs, name, state }) => `${jobs} jobs of ${name} are left ${state}`))
  return { problems, targets: mine.length, delivered, arrivals } satisfies Judgement as Judgement
})

const keyOf = (id: number, { at, part }: Pick<StormTarget, "at" | "part">): string => `${part} ${at} ${id}`

/** Times at which the receiver accepted each target. */
const takenBy = (
  { bot, sink, slow, telephone }: Site,
  alarms: ReadonlyMap<number, StormAlarm>
): ReadonlyMap<string, ReadonlyArray<number>> => {
  const numbers = new Map(
    [...alarms.values()].flatMap(({ id, targets }) =>
      targets.filter(({ part }) => part === "call").map(({ at }) => [at, id] as const)
    )
  )
  const chats = new Map(
    [...alarms.values()].flatMap(({ id, targets }) =>
      targets.filter(({ part }) => part === "messenger_voice").map(({ at }) => [at, id] as const)
    )
  )
  const all = [
    ...[...sink.requests, ...slow.requests]
      .filter(({ answered }) => answered === 200)
      .map(({ at, path }) => ({ part: "webhook", place: path, id: Number(path.split("/")[2]), at }) as const),
    ...bot.messages.map(({ at, chatId, file, text }) =>
      file === undefined
        ? ({ part: "messenger", place: chatId, id: alarmOf(alarms, text)?.id ?? -1, at } as const)
        : ({ part: "messenger_voice", place: chatId, id: chats.get(chatId) ?? -1, at } as const)
    ),
    ...telephone.calls
      .filter(({ heardMs }) => heardMs > 0)
      .map(
        ({ number, started }) => ({ part: "call", place: number, id: numbers.get(number) ?? -1, at: started }) as const
      )
  ]
  const times = new Map<string, Array<number>>()
  for (const { at, id, part, place } of all) {
    const key = keyOf(id, { part, at: place })
    times.set(key, [...(times.get(key) ?? []), at])
  }
  return times
}
