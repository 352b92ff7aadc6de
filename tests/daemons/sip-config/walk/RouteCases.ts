/** Walk case of the route test: a foreign extension gives the same answer as one that never existed. */
import { Effect } from "effect"
import type { TestSuite } from "#support/TestSuite.ts"
import { type Cases, thing, type Who } from "#support/walk/Case.ts"
import { callsOf } from "../Telephony.ts"

export const routeCases = (suite: TestSuite): Cases => {
  let count = 0
  return {
    "POST /api/v1/sip/route-test": thing({
      seed: (as: Who) =>
        Effect.map(
          callsOf(suite, { headers: { ...as.headers } }).extension(`4${++count}`, {
            domain: `route-${as.mark.toLowerCase()}.test`
          }),
          ({ domain, extension }) => ({ from: `${extension}@${domain}` })
        ),
      never: { from: "4711@route-nobody.test" },
      request: ({ from }) => ({ body: { from, to: "4999" } }),
      success: 200
    })
  }
}
