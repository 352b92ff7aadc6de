/** What happens while Postgres is away: pure decisions, and the file that keeps them. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { contentOf } from "#daemons/watchdog/alerting/MessageText.ts"
import type { Delivery, Message } from "#daemons/watchdog/alerting/Messages.ts"
import * as OutageFile from "#daemons/watchdog/alerting/OutageFile.ts"
import {
  dueNow,
  noOutage,
  type Outage,
  planned,
  reported,
  type Snapshot
} from "#daemons/watchdog/alerting/OutageState.ts"
import { noQuiet } from "#daemons/watchdog/alerting/Quiet.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { incident, report, rules } from "./Incidents.ts"

const snapshot: Snapshot = {
  incidents: [incident({ id: "known", key: "disk /var", toldAt: 1 })],
  rules,
  quiet: noQuiet,
  due: [],
  mailZone: null
}
const targets = [{ way: "mail", target: "" } as const, { way: "app", target: "" } as const]
const options = { acting: true, done: new Set<string>(), rules, targets, now: 60_000 }

const message = (id: string, createdAt: number, group = "host a"): Message => ({
  id,
  kind: "opened",
  group,
  content: contentOf([], "alpha", true),
  createdAt,
  alerts: []
})
const delivery = (messageId: string, more: Partial<Delivery> = {}): Delivery => ({
  messageId,
  way: "mail",
  target: "",
  state: "pending",
  attempts: 0,
  nextAt: 0,
  sentAt: null,
  problem: null,
  ...more
})
const outageOf = (messages: ReadonlyArray<Message>, deliveries: ReadonlyArray<Delivery>): Outage => ({
  incidents: new Map(),
  messages: new Map(messages.map((one) => [one.id, one])),
  deliveries: new Map(deliveries.map((one) => [`${one.messageId} ${one.way} ${one.target}`, one]))
})

it("an alert that Postgres had open is not opened again, and its recovery is told", () => {
  expect(
    reported(noOutage, snapshot, report(true, 5, { severity: "critical", summary: "known is broken" }), rules)
  ).toBe(noOutage)
  const over = planned(reported(noOutage, snapshot, report(false, 5), rules), snapshot, options)
  expect([...over.messages.values()].map(({ kind }) => kind)).toEqual(["recovered"])
  expect([...over.incidents.values()]).toMatchObject([{ id: "known", settled: true }])
})

it("only the process that sent last tells what Postgres had; each tells what is reported in it", () => {
  const untold: Snapshot = { ...snapshot, incidents: [incident({ id: "known" })] }
  const kinds = (acting: boolean, outage = noOutage) =>
    [...planned(outage, untold, { ...options, acting }).messages.values()].map(({ kind }) => kind)
  expect([kinds(true), kinds(false)]).toEqual([["opened"], []])
  expect(kinds(false, reported(noOutage, untold, report(true, 5), rules))).toEqual(["opened"])
})

it("open deliveries of Postgres are finished once, and no alarm is planned", () => {
  const due = [{ ...delivery("m"), message: message("m", 1) }]
  const waiting = { ...snapshot, due }
  const keys = (done: ReadonlyArray<string>) => [
    ...planned(noOutage, waiting, { ...options, done: new Set(done) }).deliveries.keys()
  ]
  expect(keys([])).toEqual(["m mail "])
  expect(keys(["m mail "])).toEqual([])
  const opened = planned(reported(noOutage, undefined, report(true, 5), rules), undefined, {
    ...options,
    targets: [...targets, { way: "alarm", target: "" }]
  })
  expect([...opened.deliveries.values()].map(({ way }) => way)).toEqual(["mail", "app"])
})

it("the messages of a group leave in order by each way; groups and ways do not wait for each other", () => {
  const outage = outageOf(
    [message("late", 2), message("early", 1), message("other", 3, "host b")],
    [
      delivery("late"),
      delivery("early", { nextAt: 50 }),
      delivery("late", { way: "webhook" }),
      delivery("other"),
      delivery("early", { way: "app" })
    ]
  )
  const due = (now: number, inFlight: ReadonlyArray<string> = []) =>
    dueNow(outage, new Set(inFlight), now).map(({ delivery: { messageId, way } }) => `${messageId} ${way}`)
  expect(due(10)).toEqual(["late webhook", "other mail"])
  expect(due(60)).toEqual(["early mail", "late webhook", "other mail"])
  expect(due(60, ["early mail "])).toEqual(["late webhook", "other mail"])
})

it.live("the file keeps the state over a restart; a broken one is none", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory()
    const path = OutageFile.pathIn(directory)
    const outage = planned(reported(noOutage, undefined, report(true, 5), rules), undefined, options)
    expect(outage.messages.size).toBe(1)
    yield* OutageFile.write(path, outage)
    expect(yield* OutageFile.read(path)).toEqual(outage)
    writeFileSync(path, '{"incidents":[{"id":7}]}')
    expect(yield* OutageFile.read(path)).toEqual(noOutage)
    expect(yield* OutageFile.read(join(directory, "none"))).toEqual(noOutage)
  })
)
