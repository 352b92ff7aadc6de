import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Log from "#core/log/Log.ts"
import { captured } from "#support/CapturedOutput.ts"
import { scan } from "../../hostile/SecretScan.ts"
import { appPassword, startProvisioning } from "./ProvisioningSuite.ts"

const html = { accept: "text/html" }

/** Everything that a person and a stranger do with links; returns the secrets that were shown. */
const story = Effect.gen(function* () {
  const { admin, extension, link, mailbox, person, suite } = yield* startProvisioning({
    env: { SIGNALBOX_LOG_LEVEL: "debug" }
  })
  const anna = yield* person()
  const number = yield* extension(anna, "1001")
  yield* mailbox(anna, "anna@mail.example.org")
  const [first, second, third] = [yield* link(anna), yield* link(anna), yield* link(anna)]
  yield* suite.call("GET", first.path, { headers: html })
  const answer = yield* suite.call("GET", first.path)
  assert.strictEqual(answer.status, 200)
  yield* suite.call("POST", second.path, { headers: html })
  // Misuse: replays, wrong places, wrong methods.
  for (const path of [first.path, `${third.path}x`, `${third.path}?lang=%00`]) yield* suite.call("GET", path)
  yield* suite.call("PUT", third.path)
  yield* suite.call("GET", `/api/v1/provisioning/client-tokens/${third.path.slice(11)}`, { token: yield* suite.token })
  yield* suite.call("GET", "/api/v1/auth/me", { headers: { authorization: `Bearer ${third.path.slice(11)}` } })
  const shown = (yield* admin("GET", `/api/v1/sip/extensions/${number}/config`)).json.password as string
  const secrets = new Map([
    ["first token", first.path.slice(11)],
    ["second token", second.path.slice(11)],
    ["third token", third.path.slice(11)],
    ["login token", answer.json.services[0].config.login_token as string],
    ["SIP password", shown],
    ["app password", appPassword]
  ])
  yield* Effect.logDebug("the story has ended")
  const tables = yield* suite.sql<{ name: string }>`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(suite.sql.unsafe<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`), (found) => ({
      name,
      text: found.map(({ row }) => row).join("\n")
    }))
  )
  const metrics = yield* suite.call("GET", "/metrics", { token: yield* suite.token })
  return { secrets, places: [...rows, { name: "metrics", text: metrics.text }] }
})

it.live(
  "no secret of a link stands in logs, tables or metrics",
  () =>
    Effect.gen(function* () {
      const debug = Log.layer({ service: "test", level: "debug", format: "logfmt" })
      const { text, value } = yield* captured(story.pipe(Effect.scoped, Effect.provide(debug)))
      assert.include(text, "the story has ended")
      // The prefix of a token is meant to be seen.
      const hidden = new Map(
        [...value.secrets].map(([name, secret]) => [name, secret.replace(/^sbp_[0-9a-f]{8}_/, "")])
      )
      const found = scan(hidden, [...value.places, { name: "output", text }])
      assert.deepStrictEqual(
        found.map(({ place, secret }) => `${secret} in ${place}`),
        []
      )
    }),
  120_000
)
