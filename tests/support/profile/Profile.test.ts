import { expect, it } from "vitest"
import type { Mark, ProfileEvent, WorkerUsage } from "./Events.ts"
import { buildProfile, type Usage } from "./Profile.ts"

const mark = (e: Mark["e"], file: string, at: number, cpu: number, groups?: WorkerUsage): Mark => ({
  e,
  file: `/p/tests/${file}`,
  pid: 7,
  at: at * 1000,
  cpu,
  children: 0.5,
  ...(groups === undefined ? {} : { groups })
})

const a = "daemons/identity/a.test.ts"
const events: ReadonlyArray<ProfileEvent> = [
  mark("setup", a, 0, 0.2),
  mark("collected", a, 1, 0.7),
  mark("tests", a, 2, 1),
  { e: "count", file: `/p/tests/${a}`, what: "suites", n: 1 },
  { e: "database", file: `/p/tests/${a}`, name: "test_1" },
  { e: "spawn", file: `/p/tests/${a}`, cause: "servers", kind: "nginx" },
  { e: "spawn", file: `/p/tests/${a}`, cause: "other programs", kind: "openssl", seconds: 0.25 },
  mark("end", a, 10, 2, { own: 1.8 + 0.25 + 0.5, children: { servers: 2 } }),
  mark("setup", "core/b.test.ts", 10, 2.1, { own: 1.9 + 0.25 + 0.5, children: { servers: 2 } }),
  mark("collected", "core/b.test.ts", 11, 2.3),
  mark("end", "core/b.test.ts", 12, 2.5, { own: 2.3 + 0.25 + 0.5, children: { servers: 2, browsers: 4 } })
]
const usage: Usage = {
  workers: new Map([[7, { own: 2.3 + 0.25 + 0.5 + 0.125, children: { servers: 3, browsers: 4 } }]]),
  main: 5.2,
  postgres: 4,
  databases: new Map([["test_1", 1.5]])
}

it("divides the processor time of a file by cause", () => {
  const { files } = buildProfile(events, usage, "/p")
  const [first, second] = files
  expect(first).toMatchObject({ file: `tests/${a}`, wall: 10, suites: 1, databases: 1 })
  expect(first!.causes).toEqual({
    "worker start": 0.2,
    import: expect.closeTo(0.5),
    "setup hooks": expect.closeTo(0.3),
    tests: 1,
    "shared Postgres": 1.5,
    servers: 2,
    // The program that the worker blocked on, and 0.5 s of programs that were moved into no group.
    "other programs": expect.closeTo(0.75)
  })
  expect(first!.waiting).toBeCloseTo(10 - 6.25)
  // The second file of the same worker starts where the first one ended. The exit of the worker, and what its children
  // do until then, counts for its last file.
  expect(second!.causes).toEqual({
    "worker start": expect.closeTo(0.1),
    import: expect.closeTo(0.2),
    "setup hooks": expect.closeTo(0.2),
    browsers: 4,
    servers: 1,
    "worker exit": expect.closeTo(0.125)
  })
})

it("sums by daemon and by cause, with time that belongs to no file", () => {
  const { causes, daemons, unattributedPostgres } = buildProfile(events, usage, "/p")
  expect(daemons.map(({ daemon, files, wall }) => [daemon, files, wall])).toEqual([
    ["identity", 1, 10],
    ["core", 1, 2]
  ])
  expect(causes["transform and start of vitest"]).toBeCloseTo(4.9)
  expect(causes["shared Postgres"]).toBe(4)
  expect(unattributedPostgres).toBe(2.5)
})

it("counts awaited children when there are no control groups", () => {
  const { files } = buildProfile([...events.slice(0, 7), mark("end", a, 10, 2)], undefined, "/p")
  expect(files[0]!.causes["other programs"]).toBe(0.5)
})
