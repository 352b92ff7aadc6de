/** Series, their text form, and collectors. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Metrics from "#core/metrics/Metrics.ts"
import * as Scrape from "#core/metrics/Scrape.ts"

const lines = (name: string): ReadonlyArray<string> =>
  Metrics.format()
    .split("\n")
    .filter((line) => line.includes(`signalbox_${name}`))

const counter = Metrics.counter("test_things_total", { help: "Things.", daemon: "test", labels: ["kind"] })
const sizes = Metrics.histogram("test_wait_seconds", { help: "Waits.", labels: ["daemon"], bounds: [0.1, 1] })

it("formats counters, gauges and histograms with the prefix and their help", () => {
  counter.add({ kind: 'a"b' })
  counter.of({ kind: 'a"b' }).add(2)
  assert.deepStrictEqual(lines("test_things"), [
    "# HELP signalbox_test_things_total Things.",
    "# TYPE signalbox_test_things_total counter",
    'signalbox_test_things_total{daemon="test",kind="a\\"b"} 3'
  ])
  for (const value of [0.1, 0.5, 3]) sizes.of({ daemon: "test" }).observe(value)
  assert.deepStrictEqual(lines("test_wait").slice(2), [
    'signalbox_test_wait_seconds_bucket{daemon="test",le="0.1"} 1',
    'signalbox_test_wait_seconds_bucket{daemon="test",le="1"} 2',
    'signalbox_test_wait_seconds_bucket{daemon="test",le="+Inf"} 3',
    'signalbox_test_wait_seconds_sum{daemon="test"} 3.6',
    'signalbox_test_wait_seconds_count{daemon="test"} 3'
  ])
  // Lines are kept only while the value is the same.
  counter.add({ kind: 'a"b' })
  assert.include(lines("test_things")[2], "} 4")
  sizes.of({ daemon: "test" }).observe(0.1)
  assert.include(lines("test_wait").at(-1), "} 4")
  assert.throws(() => Metrics.gauge("test_things_total", { help: "Again.", labels: ["daemon"] }), /declared twice/)
})

const gauge = Metrics.gauge("test_depth", { help: "Depth.", daemon: "test", labels: ["queue"] })

it("replaces and removes the series of a gauge", () => {
  gauge.setAll([
    [{ queue: "a" }, 1],
    [{ queue: "b" }, 2]
  ])
  gauge.setAll([[{ queue: "b" }, 3]])
  assert.deepStrictEqual(lines("test_depth").slice(2), ['signalbox_test_depth{daemon="test",queue="b"} 3'])
  gauge.setAll([])
  const remove = gauge.read({ queue: "c" }, () => 4)
  assert.deepStrictEqual(lines("test_depth").slice(2), ['signalbox_test_depth{daemon="test",queue="c"} 4'])
  remove()
  assert.deepStrictEqual(lines("test_depth"), [])
})

it.live("reads a collector at a scrape, at most every five seconds, and removes the values of a failing one", () =>
  Effect.gen(function* () {
    let [asked, fails] = [0, false]
    const collect = Effect.suspend(() => {
      asked += 1
      gauge.setAll([[{ queue: "q" }, asked]])
      return fails ? Effect.die(new Error("broken")) : Effect.void
    })
    const scrape = Effect.scoped(
      Effect.andThen(
        Scrape.collector({ daemon: "test", name: "test", collect, clear: () => gauge.setAll([]) }),
        Effect.andThen(Scrape.text, Scrape.text)
      )
    )
    assert.include(yield* scrape, 'signalbox_test_depth{daemon="test",queue="q"} 1')
    assert.strictEqual(asked, 1)
    assert.deepStrictEqual(lines("test_depth"), [])
    fails = true
    const text = yield* scrape
    assert.notInclude(text, "signalbox_test_depth")
    assert.match(text, /signalbox_scrape_failures_total\{daemon="test",collector="test"\} 1/)
  })
)
