/** `signalbox settings …`: lists, stores, exports and imports settings of the installation. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect } from "vitest"
import { assignment } from "#core/cli/SettingsOperator.ts"
import { parseEnvironmentFile } from "#protocols/systemd/EnvironmentFile.ts"
import { commandLine } from "#support/CommandLine.ts"
import { ensureBuilt, type Environment, environmentOf } from "#support/Executable.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

const run = commandLine()

beforeAll(ensureBuilt, 60_000)

const domains = "SIGNALBOX_ALARM_ALLOWED_DOMAINS"
const networks = "SIGNALBOX_WEBHOOK_ALLOW_CIDRS"

it.live(
  "settings move from one installation to another by export and import",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory()
      const environment = Effect.map(freshDatabase, ({ url }) => ({ ...environmentOf(folder), DATABASE_URL: url }))
      const [one, two] = [yield* environment, yield* environment]
      const settings = (env: Environment, ...args: ReadonlyArray<string>) =>
        Effect.promise(() => run(["settings", ...args], env))
      const listed = (env: Environment) =>
        Effect.map(
          settings(env, "list", "--json"),
          ({ stdout }) =>
            new Map<string, any>(JSON.parse(stdout).map((setting: { name: string }) => [setting.name, setting]))
        )
      assert.deepInclude((yield* listed(one)).get(domains), { source: "default", value: null, locked: false })
      assert.strictEqual((yield* settings(one, "export")).stdout, "# No settings are stored.\n")

      const wrong = yield* settings(one, "set", networks, "10.0.0.0/99")
      assert.strictEqual(wrong.code, 64)
      assert.include(wrong.stderr, `${networks} 10.0.0.0/99 is not an address range`)
      const misspelt = yield* settings(one, "set", "SIGNALBOX_ALARM_ALLOWED_DOMAIN", "x.test")
      assert.include(misspelt.stderr, `did you mean ${domains}?`)
      const locked = yield* settings({ ...one, [domains]: "env.test" }, "set", domains, "x.test")
      assert.strictEqual(locked.code, 78)
      assert.include(locked.stderr, "set by the environment")

      assert.strictEqual((yield* settings(one, "set", domains, "*.example.org, example.net")).code, 0)
      assert.match(
        (yield* settings(one, "set", networks, "10.0.0.0/8")).stdout,
        /^\S+ is stored; running processes see/
      )
      const table = (yield* settings(one, "list")).stdout
      assert.match(table, new RegExp(`^${domains} +database +\\*\\.example\\.org, example\\.net$`, "m"))

      const file = join(folder, "settings.env")
      writeFileSync(file, (yield* settings(one, "export")).stdout)
      assert.match((yield* settings(two, "import", file)).stdout, /2 settings read, 2 changed/)
      assert.match((yield* settings(two, "import", file)).stdout, /2 settings read, 0 changed/)
      assert.deepInclude((yield* listed(two)).get(domains), {
        source: "database",
        value: "*.example.org, example.net",
        changed_by: "operator"
      })
      // One wrong line, and nothing is stored.
      writeFileSync(file, `${networks}=192.0.2.0/24\n${domains}=nodots here\nSIGNALBOX_NOTHING=1\n`)
      const refused = yield* settings(two, "import", file)
      assert.strictEqual(refused.code, 64)
      assert.match(refused.stderr, /nothing was stored:[^]*SIGNALBOX_NOTHING is no setting/)
      assert.deepInclude((yield* listed(two)).get(networks), { value: "10.0.0.0/8" })
      assert.match((yield* settings(two, "unset", domains)).stdout, /^\S+ is removed; running processes see it/)
      assert.deepInclude((yield* listed(two)).get(domains), { source: "default" })
    }).pipe(Effect.scoped),
  120_000
)

it("an exported line is read back as it was", () => {
  for (const text of ["a,b", 'a "quoted" $thing', "a\\b `c`", "tab\there", "ends in space ", "#x", "two\nlines"])
    expect(parseEnvironmentFile(assignment("NAME", text))).toEqual([["NAME", text]])
  expect(assignment("NAME", undefined)).toMatch(/^# NAME /)
})
