/**
 * Check of this machine's clock: compares it with an NTP server, or with the clock of the database where none is named.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Sntp from "#protocols/sntp/Client.ts"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { parseTimeServer } from "../Settings.ts"
import { say } from "../words/Said.ts"

/**
 * Unit: seconds. Reason: one-time passwords and tokens allow for half a minute, and logs of several hosts are compared
 * by the second.
 */
const limits = { direction: "above", warning: 1, critical: 10 } as const

/** Reading of an offset in milliseconds from `server` (null: the database), with the time of the question. Pure. */
export const judgeOffset = (offset: number, roundTrip: number, server: string | null): Reading => {
  // The answer may have taken all of the time on one way.
  const sure = Math.max(0, Math.abs(offset) - roundTrip / 2)
  return {
    value: sure / 1_000,
    ...say("clock", { seconds: offset / 1_000, server }),
    measurements: { offset_s: offset / 1_000, round_trip_s: roundTrip / 1_000 }
  }
}

const ofDatabase = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [before, begin] = [Date.now(), performance.now()]
  const [row] = yield* sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
  const roundTrip = performance.now() - begin
  return judgeOffset(row!.now - (before + roundTrip / 2), roundTrip, null)
}).pipe(Effect.orElseSucceed((): Reading => ({ value: null, status: "unknown", ...say("postgres_silent", {}) })))

const ofServer = (server: string): Effect.Effect<Reading> => {
  const { host, port } = parseTimeServer(server)!
  return Effect.match(Sntp.ask(host, port), {
    onFailure: ({ why }): Reading => ({ value: null, status: "unknown", ...say("time_server", { why }) }),
    onSuccess: ({ offset, roundTrip }) => judgeOffset(offset, roundTrip, server)
  })
}

export const clock = (host: string, server: string | undefined, sql: SqlClient.SqlClient): Source => ({
  name: "clock",
  kinds: ["clock"],
  scope: "host",
  discover: () =>
    Effect.succeed([
      {
        key: `${host} clock`,
        kind: "clock",
        group: `host ${host}`,
        unit: "seconds",
        thresholds: limits,
        whenTimedOut: "unknown",
        version: server ?? "",
        probe: server === undefined ? Effect.provideService(ofDatabase, SqlClient.SqlClient, sql) : ofServer(server)
      } satisfies BuiltCheck
    ])
})
