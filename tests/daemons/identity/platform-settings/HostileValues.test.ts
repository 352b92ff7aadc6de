/** Hostile texts for every stored setting of every daemon: stored whole or refused with a reason, never a fault. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { maxText } from "#core/settings/StoredSetting.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { daemons } from "#daemons/Suite.ts"
import { managementSuite } from "../ManagementSuite.ts"

const path = "settings/platform"

const hostile: ReadonlyArray<string> = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "a\r\nb",
  "\u001b[31m",
  "\u202e",
  "x".repeat(maxText + 1),
  ".".repeat(maxText),
  "a-".repeat(maxText / 2),
  "a.".repeat(maxText / 2),
  "🙈".repeat(1_000),
  "@/etc/passwd",
  "/etc/passwd",
  "file:///etc/passwd",
  "../../../etc/passwd",
  "'; drop table core.stored_setting; --",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:image/svg+xml;base64,PHN2Zy8+",
  "data:image/png;base64,AAAA",
  "http://user:password@host",
  "http://[::1",
  "smtp://user@host",
  "smtps://%zz:x@host",
  "$(id)",
  "`id`",
  "%s%n",
  "__proto__",
  "null",
  "[]",
  "{}",
  '[{"__proto__": {}}]',
  '[{"name": "a", "host": "h", "user": "u", "password_file": "/etc/passwd"}]',
  '[{"name": "a", "host": "h", "user": "u", "password_credential": "key"}]',
  '[{"name": "a", "host": "h", "user": "u", "password": "p", "ca": "/etc/passwd"}]',
  "-1",
  "1e309",
  "65536",
  "0x1f",
  "NaN",
  "0.0.0.0/33",
  "127.1"
]

/** All texts in the long form; else every fourth, other ones for each setting, and those that name files. */
const textsFor = (index: number): ReadonlyArray<string> =>
  process.env["SIGNALBOX_TEST_LONG"]
    ? hostile
    : hostile.filter((text, at) => (at + index) % 4 === 0 || /^@|password_file/.test(text))

/** Whether the text names something of the host, which no stored value may. A password may look so. */
const isOfHost = (name: string, text: string): boolean =>
  text.startsWith("@") ||
  (name === "SIGNALBOX_ALARM_MAILBOXES" && /^\/|password_file|password_credential|"ca"/.test(text))

it.live(
  "every setting stores or refuses each, and names of files are always refused",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { as, somebody, sql } = yield* managementSuite({ daemons: [identity], fleet: daemons })
        const anna = yield* somebody(1, "admin")
        // A loaded machine answers 503; the request is sent again.
        const put = (name: string, value: string | null) =>
          as(anna, "PUT", `${path}/${name}`, { value }).pipe(
            Effect.repeat({ while: ({ status }) => status === 503, times: 5 })
          )
        const { json } = yield* as(anna, "GET", path)
        const names: ReadonlyArray<string> = json.items.map(({ name }: { readonly name: string }) => name)
        assert.isAbove(names.length, 30)
        yield* Effect.forEach(
          names,
          Effect.fnUntraced(function* (name) {
            for (const value of textsFor(names.indexOf(name))) {
              const answer = yield* put(name, value)
              const what = `${name} ${JSON.stringify(value.slice(0, 60))} ${JSON.stringify(answer.json).slice(0, 300)}`
              assert.include([200, 422], answer.status, what)
              if (isOfHost(name, value)) assert.strictEqual(answer.status, 422, what)
              const [row] = yield* sql<{
                value: string | null
              }>`select value from core.stored_setting where name = ${name}`
              if (answer.status === 422) {
                assert.strictEqual(row?.value ?? null, null, what)
                continue
              }
              // A secret never comes back.
              if (answer.json.secret) assert.strictEqual(answer.json.value, null, what)
              else assert.strictEqual(row?.value, value, what)
              assert.strictEqual(answer.json.problem, null, what)
              assert.strictEqual((yield* put(name, null)).status, 200, what)
            }
          }),
          { concurrency: 8, discard: true }
        )
        const after = yield* as(anna, "GET", path)
        assert.isTrue(after.json.items.every(({ source }: { readonly source: string }) => source === "default"))
      })
    ),
  240_000
)
