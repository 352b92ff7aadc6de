import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { sanitise } from "#core/html/Sanitise.ts"
import { open } from "#support/peers/Chromium.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { hostile } from "./corpus.ts"

/** Inserts a script that requests `ran`, which no page does otherwise. The script has no quotes, brackets or blanks. */
const page = (html: string, at: number) => (net: string) =>
  html.replaceAll("RUN", `fetch(/ran${at}/.source)`).replaceAll("NET", `${net}/${at}`)

describePeers(["chromium"], "in a browser, without any policy of the page", () => {
  it.live(
    "nothing of a cleaned page runs, and nothing is fetched",
    () =>
      Effect.gen(function* () {
        const { asked } = yield* open(
          Object.values(hostile).map((html, at) => (net) => sanitise(page(html, at)(net)).html)
        )
        expect(asked).toEqual([])
      }),
    120_000
  )

  it.live(
    "the same pages, not cleaned, run and fetch: the test would see it",
    () =>
      Effect.gen(function* () {
        const names = [
          "script",
          "handlers",
          "svg",
          "style elements",
          "style attributes",
          "images of the net",
          "javascript links",
          "foreign content 4"
        ]
        const { asked } = yield* open(names.map((name, at) => page(hostile[name]!, at)))
        const seen = (path: RegExp) => asked.some((one) => path.test(one))
        expect([0, 1, 2, 6].filter((at) => !seen(new RegExp(`/ran${at}$`)))).toEqual([])
        // Also by host name.
        expect(asked).toContain("/2.png")
        expect([3, 4, 5].filter((at) => !seen(new RegExp(`^/net/${at}/`)))).toEqual([])
      }),
    120_000
  )
})
