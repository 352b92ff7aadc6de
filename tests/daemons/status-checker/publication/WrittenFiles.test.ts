import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { until as untilWithin } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { filed, startPlace } from "./StartedPage.ts"

/** A condition on two loaded cores. */
const until = <E, R>(what: string, look: Effect.Effect<boolean, E, R>) => untilWithin(what, look, 30)

const names = ["index.de.html", "index.html", "status.de.json", "status.json"]
const all = names.flatMap((name) => [name, `${name}.br`, `${name}.gz`]).toSorted()

it.live(
  "writes the page and the status atomically in every encoding, rewrites changes, and continues after failures",
  () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryDirectory(), "not", "there")
      // As the units have it.
      yield* Effect.acquireRelease(
        Effect.sync(() => process.umask(0o077)),
        (before) => Effect.sync(() => process.umask(before))
      )
      const { ask, askHealth, writeIncidents } = yield* startPlace({ SIGNALBOX_STATUS_PAGE_DIR: folder })
      const list = () => {
        try {
          return readdirSync(folder).toSorted()
        } catch {
          return []
        }
      }
      const read = (name: string) => readFileSync(join(folder, name))
      yield* until(
        "all are written",
        Effect.sync(() => list().join() === all.join())
      )
      const statsOf = (name: string) => [name, `${name}.gz`, `${name}.br`].map((one) => statSync(join(folder, one)))
      // Each is put there for itself, so they agree once nothing is written any more.
      yield* until(
        "the forms agree",
        Effect.sync(() =>
          names.every(
            (name) =>
              gunzipSync(read(`${name}.gz`)).equals(read(name)) &&
              brotliDecompressSync(read(`${name}.br`)).equals(read(name)) &&
              new Set(statsOf(name).map(({ mtimeMs }) => mtimeMs)).size === 1
          )
        )
      )
      for (const { mode } of names.flatMap(statsOf)) assert.strictEqual(mode & 0o777, 0o644)
      assert.strictEqual(statSync(folder).mode & 0o777, 0o755)
      assert.deepStrictEqual(
        [read("index.html"), read("index.de.html")].map((html) => /<html lang="(..)"/.exec(html.toString())?.[1]),
        ["en", "de"]
      )
      assert.deepStrictEqual(
        [read("status.json"), read("status.de.json")].map((json) => JSON.parse(json.toString()).components[0].name),
        ["Mail", "Post"]
      )
      // What is written is what is served.
      yield* until(
        "they are the same",
        Effect.map(ask("/"), ({ bytes }) => bytes.equals(read("index.html")))
      )

      const written = () =>
        (JSON.parse(read("status.json").toString()).incidents as ReadonlyArray<{ readonly id: string }>).map(
          ({ id }) => id
        )
      const happening = (id: string) =>
        writeIncidents([
          { ...filed, id, status: "investigating", resolved_at: null, created_at: new Date().toISOString() }
        ])
      const reader = openSync(join(folder, "status.json"), "r")
      happening("first")
      yield* until(
        "the change is written",
        Effect.sync(() => written().includes("first"))
      )
      // Who was reading reads on in what was there: nothing is written over.
      assert.deepStrictEqual(JSON.parse(readFileSync(reader, "utf8")).incidents, [])
      closeSync(reader)
      yield* until(
        "nothing else is left",
        Effect.sync(() => list().join() === all.join())
      )

      // A file where the folder was: nothing can be written, and the page is served all the same.
      rmSync(folder, { recursive: true, maxRetries: 20 })
      writeFileSync(folder, "")
      happening("second")
      const health = Effect.map(askHealth, ({ json }) => json.components.publication)
      yield* until(
        "health says so",
        Effect.map(
          health,
          ({ detail, status }) => status === "degraded" && /cannot be written: .*(EEXIST|ENOTDIR)/.test(detail)
        )
      )
      yield* until(
        "it is shown",
        Effect.map(ask("/api/v1/status"), ({ json }) => json.incidents.map(({ id }: any) => id).join() === "second")
      )
      rmSync(folder)
      mkdirSync(folder)
      happening("third")
      yield* until(
        "it is written again",
        Effect.map(
          health,
          ({ status }) => status === "ok" && list().includes("status.json") && written().includes("third")
        )
      )
    }).pipe(Effect.scoped),
  180_000
)
