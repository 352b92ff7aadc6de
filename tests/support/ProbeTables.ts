/** Tables that FrameProcess writes and its tests read. */
import { Schema } from "effect"
import * as Jobs from "#core/jobs/Jobs.ts"

export const Work = Jobs.define("probe.work", Schema.Struct({ n: Schema.Number }))

/** Name of the `probe.*` consumer and of its cursor. */
export const consumerName = "probe.heard"

export const migrations = {
  schema: "probe",
  steps: [
    {
      id: 1,
      name: "what happened",
      statements: [
        "create table probe.begun (n int not null, pid int not null, at timestamptz not null default clock_timestamp())",
        "create table probe.done (n int not null, pid int not null, at timestamptz not null default clock_timestamp())",
        "create table probe.tick (pid int not null, at timestamptz not null default clock_timestamp())"
      ]
    },
    {
      id: 2,
      name: "what was heard",
      statements: [
        "create table probe.heard (event bigint not null, n int not null, pid int not null, at timestamptz not null default clock_timestamp())",
        "create index on probe.heard (event)"
      ]
    }
  ]
}

/** Interval between two ticks of the placed actor. Unit: milliseconds. */
export const tickEvery = 50
