/**
 * Compares what the switch runs with our configuration, and puts it right. A switch that starts while we do not answer
 * runs the profiles of its own files and refuses all phones. After an update the profiles still have the former
 * settings until they are restarted.
 *
 * Each profile of ours has an alias made of its settings, and `signalbox.conf` contains the current ones. So the switch
 * itself says which settings it would get and which it runs.
 */
import { healthSentence } from "#core/daemon/Health.ts"
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import * as SofiaStatus from "#protocols/event-socket/SofiaStatus.ts"
import { transaction } from "#core/sql/Sql.ts"
import { effectiveNetworks, type NetworksOf } from "../directory/Exports.ts"

/** Wait before the second look. Reason: the switch needs about 2 s to start a profile and to add gateways. */
export const settled = Duration.seconds(4)

/** Trunks whose networks are asked for at the switch. Reason: each is a command; a list is loaded whole or not. */
const askedTrunks = 5

/** What the switch should have. */
interface Wanted {
  readonly gateways: ReadonlyArray<string>
  /** An address of each network list entry that is asked for. */
  readonly addresses: ReadonlyArray<string>
}

/** What the switch has. */
export interface Found {
  /** Aliases of the profiles that it would get from us, by profile; empty: it does not take its profiles from us. */
  readonly marks: ReadonlyMap<string, string>
  readonly running: SofiaStatus.SofiaStatus
  /** Addresses of `Wanted` that it does not admit. */
  readonly refused: ReadonlyArray<string>
  readonly calls: number
}

export interface Repair {
  /** What is missing, for a reader of the health page. */
  readonly finding: string
  /** Command that puts it right; undefined: not now, or not from here. */
  readonly command?: string
}

/** What is wrong, and what mends it. Pure. */
export const repairs = (wanted: Wanted, { calls, marks, refused, running }: Found): ReadonlyArray<Repair> => {
  const missing = wanted.gateways.filter((name) => !running.gateways.has(name))
  const gateways = healthSentence(`${missing.length} gateways are missing, the first is ${missing[0]}`)
  if (marks.size === 0) {
    const reason = healthSentence(
      "the switch does not take its configuration from here (config/switch/xml_curl.conf.xml)"
    )
    return missing.length === 0 ? [] : [{ finding: `${gateways}; ${reason}` }]
  }
  const profiles = [...marks].flatMap(([profile, mark]): ReadonlyArray<Repair> => {
    if (!running.profiles.has(profile))
      return [{ finding: healthSentence(`profile ${profile} does not run`), command: `sofia profile ${profile} start` }]
    if (running.aliases.has(mark)) return []
    const finding = healthSentence(`profile ${profile} runs with other settings than ours`)
    return calls === 0
      ? [{ finding, command: `sofia profile ${profile} restart` }]
      : [{ finding: finding + healthSentence(`; it is restarted when no call is left (now ${calls})`) }]
  })
  // A profile that starts reads its gateways.
  const rescan = profiles.length === 0 && missing.length > 0
  return [
    ...profiles,
    ...(rescan ? [{ finding: gateways, command: "sofia profile external rescan" }] : []),
    ...(refused.length > 0
      ? [{ finding: healthSentence(`trunks are not admitted from ${refused.join(", ")}`), command: "reloadacl" }]
      : [])
  ]
}

const wanted = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const trunks = yield* sql<NetworksOf & { id: number }>`select id, host, networks, confirmed
    from sip_config.trunk where enabled order by id`
  const addresses = trunks.slice(0, askedTrunks).flatMap((trunk) => effectiveNetworks(trunk).slice(0, 1))
  return {
    gateways: trunks.map(({ id }) => `trunk_${id}`),
    addresses: addresses.map((network) => network.slice(0, network.indexOf("/")))
  }
})

const look = Effect.fnUntraced(function* (socket: EventSocket["Service"], { addresses }: Wanted) {
  const located = yield* socket.api("xml_locate configuration configuration name signalbox.conf")
  const marks = new Map(
    Array.from(located.matchAll(/name="(\w+)" value="(signalbox-\w+-[0-9a-f]{8})"/g), ([, name, mark]) => [
      name!,
      mark!
    ])
  )
  const refused: Array<string> = []
  for (const address of marks.size === 0 ? [] : addresses)
    if ((yield* socket.api(`acl ${address} trunks`)).trim() !== "true") refused.push(address)
  const counted = /(\d+) total/.exec(yield* socket.api("show channels count"))?.[1]
  return { marks, running: SofiaStatus.parse(yield* socket.api("sofia status")), refused, calls: Number(counted ?? 1) }
})

/**
 * When a command that did not help is run again. Reason: a restart ends registrations over TCP and WebSocket, so a
 * switch that cannot be mended must not lose them with every reconnection.
 */
const againAfter = Duration.hours(1)

/** Time of the last run of each repair command. Emptied when nothing is wrong. Unit: epoch milliseconds. */
export type Tried = Map<string, number>

/** Compares, runs the commands that mend it, and compares again. Returns what is still wrong. */
export const check = Effect.fnUntraced(function* (
  socket: EventSocket["Service"],
  tried: Tried,
  pause: Duration.Duration
) {
  const want = yield* transaction(wanted)
  const found = yield* look(socket, want)
  const wrong = repairs(want, found)
  if (wrong.length === 0) tried.clear()
  const now = yield* Clock.currentTimeMillis
  const isDue = (command: string) => now - (tried.get(command) ?? -Infinity) > Duration.toMillis(againAfter)
  const due = wrong.flatMap(({ command }) => (command !== undefined && isDue(command) ? [command] : []))
  if (due.length === 0) return wrong
  for (const command of due) {
    tried.set(command, now)
    yield* Effect.logWarning(`the switch is put right by "${command}": ${wrong.map((each) => each.finding).join("; ")}`)
    yield* Effect.catchIf(
      socket.api(command),
      ({ reason }) => reason._tag === "Rejected",
      (error) => Effect.logWarning(`the switch refused a command: ${error.message}`)
    )
  }
  yield* Effect.sleep(pause)
  const left = repairs(want, yield* look(socket, want))
  if (left.length === 0) tried.clear()
  return left
})
