/** The pages of incidents from a running daemon. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { startPlace, type Place as Started } from "../StartedPage.ts"

class Place extends Context.Service<Place, Started>()("test/Place") {
  static readonly layer = Layer.effect(Place, startPlace())
}
const ask = (path: string, headers?: Readonly<Record<string, string>>) =>
  Effect.flatMap(Place, (place) => place.ask(path, headers))

describe("pages of incidents", () => {
  layer(Place.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect("answer in the language of the visitor", () =>
      Effect.gen(function* () {
        const english = yield* ask("/incidents/2026-disk")
        assert.deepStrictEqual(
          [
            english.status,
            english.headers["content-type"],
            english.headers["cache-control"],
            english.headers["vary"]?.includes("accept-language")
          ],
          [200, "text/html; charset=utf-8", "no-store", true]
        )
        assert.include(english.text, "<h1>Slow disk</h1>")
        assert.include(english.headers["content-security-policy"]!, "default-src 'none'; style-src 'sha256-")
        assert.include((yield* ask("/incidents/2026-disk", { "accept-language": "de" })).text, "<h1>Platte träge</h1>")
        assert.include((yield* ask("/incidents/2026-disk?lang=de", { "accept-language": "en" })).text, "Getauscht.")
        assert.include((yield* ask("/incidents/2026-disk?lang=xx", { "accept-language": "de" })).text, "Getauscht.")
      })
    )

    it.effect("answer 404 with a page for an unknown incident", () =>
      Effect.gen(function* () {
        for (const path of ["/incidents/nothing", "/incidents/%3Cscript%3E", "/incidents/2026-disk%20"]) {
          const { headers, status, text } = yield* ask(path)
          assert.deepStrictEqual([status, headers["content-type"]], [404, "text/html; charset=utf-8"], path)
          assert.include(text, "<h1>There is no such page</h1>")
          // Only the page's own script.
          assert.strictEqual(text.split("<script>").length, 2)
        }
      })
    )

    it.effect("list all incidents, for any page number", () =>
      Effect.gen(function* () {
        for (const page of ["", "?page=1", "?page=0", "?page=-1", "?page=999999", "?page=zzz&lang=en"]) {
          const { status, text } = yield* ask(`/history${page}`)
          assert.strictEqual(status, 200, page)
          assert.include(text, `<a href="/incidents/2026-disk?lang=en">Slow disk</a>`, page)
        }
        // The fields of a query have a bound.
        assert.strictEqual((yield* ask(`/history?page=${"9".repeat(101)}`)).status, 422)
      })
    )
  })
})
