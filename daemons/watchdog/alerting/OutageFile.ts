/**
 * The state of an outage in a small file, so that a restart repeats no message and Postgres gets all incidents. The
 * file is replaced atomically. Source of the way: core/second-path/ToldFile.ts.
 */
import { Effect, Option, Schema } from "effect"
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as ToldFile from "#core/second-path/ToldFile.ts"
import type { Outage } from "./OutageState.ts"
import { noOutage } from "./OutageState.ts"
import { closeReasons, deliveryStates, messageKinds, severities, ways } from "./Words.ts"

/** Largest file that is read. Unit: bytes. Reason: a thousand incidents with their messages are smaller. */
const maxSize = 16 * 1024 * 1024

const Time = Schema.NullOr(Schema.Finite)

const Incident = Schema.Struct({
  id: Schema.String,
  key: Schema.String,
  group: Schema.String,
  severity: Schema.Literals(severities),
  summary: Schema.String,
  summaryDe: Schema.optionalKey(Schema.NullOr(Schema.String)),
  detail: Schema.NullOr(Schema.String),
  detailDe: Schema.optionalKey(Schema.NullOr(Schema.String)),
  openedAt: Schema.Finite,
  closedAt: Time,
  closeReason: Schema.NullOr(Schema.Literals(closeReasons)),
  flapping: Schema.Boolean,
  changes: Schema.Int,
  recoveringSince: Time,
  toldAt: Time,
  lastToldAt: Time,
  repeats: Schema.Int,
  acknowledgedAt: Time,
  settled: Schema.Boolean
})

const { changes, closedAt, detail, detailDe, flapping, key, openedAt, severity, summary, summaryDe } = Incident.fields

const Message = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(messageKinds),
  group: Schema.String,
  content: Schema.Struct({
    severity,
    host: Schema.String,
    count: Schema.Int,
    lines: Schema.Array(
      Schema.Struct({ key, severity, summary, summaryDe, detail, detailDe, openedAt, closedAt, flapping, changes })
    ),
    withoutDatabase: Schema.Boolean
  }),
  createdAt: Schema.Finite,
  alerts: Schema.Array(Schema.Struct({ id: Schema.String, number: Schema.Int }))
})

const Delivery = Schema.Struct({
  messageId: Schema.String,
  way: Schema.Literals(ways),
  target: Schema.String,
  state: Schema.Literals(deliveryStates),
  attempts: Schema.Int,
  nextAt: Schema.Finite,
  sentAt: Time,
  problem: Schema.NullOr(Schema.String)
})

const Content = Schema.fromJsonString(
  Schema.Struct({
    incidents: Schema.Array(Incident),
    messages: Schema.Array(Message),
    deliveries: Schema.Array(Delivery)
  })
)

const decode = Schema.decodeUnknownOption(Content)

/** Path of the file below the data directory. */
export const pathIn = (dataDir: string): string => join(resolve(dataDir), "second-path", "watchdog-alerts.json")

/** The state that an earlier process wrote; none for a file that is missing or unusable. */
export const read = (path: string): Effect.Effect<Outage> =>
  Effect.promise(() => readFile(path, "utf8").catch(() => "")).pipe(
    Effect.map((text) => (text === "" || text.length > maxSize ? Option.none() : decode(text))),
    Effect.map(
      Option.match({
        onNone: () => noOutage,
        onSome: ({ deliveries, incidents, messages }): Outage => ({
          incidents: new Map(incidents.map((incident) => [incident.id, incident])),
          messages: new Map(messages.map((message) => [message.id, message])),
          deliveries: new Map(
            deliveries.map((delivery) => [`${delivery.messageId} ${delivery.way} ${delivery.target}`, delivery])
          )
        })
      })
    )
  )

/** Writes the state. A failure is logged; messages may then be repeated after a restart. */
export const write = (path: string, { deliveries, incidents, messages }: Outage): Effect.Effect<void> =>
  ToldFile.write(
    path,
    JSON.stringify({
      incidents: [...incidents.values()],
      messages: [...messages.values()],
      deliveries: [...deliveries.values()]
    })
  )
