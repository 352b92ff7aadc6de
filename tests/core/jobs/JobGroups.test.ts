import { expect, it } from "@effect/vitest"
import { Effect, Latch, Schema } from "effect"
import * as Jobs from "#core/jobs/Jobs.ts"
import { inFrame, run, until } from "#support/Frame.ts"

const Work = Jobs.define("test.groups", Schema.Struct({ name: Schema.String }))

it.live("a group has its share of the workers, and some are reserved for urgent jobs", () =>
  inFrame(
    Effect.gen(function* () {
      const engine = yield* Jobs.Jobs
      const begun: Array<string> = []
      const open = Latch.makeUnsafe(false)
      const send = (name: string, options: Jobs.SendOptions) => engine.send(Work, [{ data: { name }, ...options }])
      const hasBegun = (name: string) =>
        until(
          `${name} begun`,
          Effect.sync(() => begun.includes(name))
        )
      for (const name of ["a1", "a2", "a3", "a4"]) yield* send(name, { group: "a" })
      yield* run(
        engine.worker({
          type: Work,
          concurrency: 4,
          perGroup: 2,
          reserved: { workers: 1, priority: 100 },
          handle: ({ data }) =>
            Effect.andThen(
              Effect.sync(() => begun.push(data.name)),
              open.await
            )
        })
      )
      yield* until(
        "two of a group begun",
        Effect.sync(() => begun.length === 2)
      )
      yield* send("b1", { group: "b", priority: -500 })
      yield* hasBegun("b1")
      // Three of four workers are busy; the last one is reserved.
      yield* send("c1", { group: "c", priority: 30 })
      yield* send("urgent", { priority: 100 })
      yield* hasBegun("urgent")
      expect(begun.map((name) => name[0]).toSorted()).toEqual(["a", "a", "b", "u"])
      yield* Latch.open(open)
      yield* until(
        "all begun",
        Effect.sync(() => begun.length === 7)
      )
    }),
    { queues: [Work.queue] }
  )
)
