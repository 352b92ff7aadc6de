import { expect, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import fc from "fast-check"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Environment, settings } from "#core/config/Environment.ts"
import * as Settings from "#core/config/Settings.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

const fields = {
  name: Settings.text("NAME", { doc: "a name" }),
  count: Settings.integer("COUNT", { doc: "a count", default: 3, min: 1, max: 9 }),
  port: Settings.port("PORT", { doc: "a port", default: 0 }),
  on: Settings.flag("ON", { doc: "a switch", default: true }),
  word: Settings.oneOf("WORD", { doc: "a word", words: ["red", "green"], default: "red" }),
  ranges: Settings.list("RANGES", {
    doc: "ranges",
    default: [],
    check: (item) => (item === "bad" ? "holds a bad one" : undefined)
  }),
  url: Settings.httpAddress("URL", { doc: "an address" }),
  token: Settings.secret("TOKEN", { doc: "a token" })
}

const problems = (env: Settings.Env) =>
  Result.match(Settings.load(fields, env), { onFailure: (found) => found, onSuccess: () => [] })
const values = (env: Settings.Env) => Result.getOrThrow(Settings.load(fields, env))

it("uses defaults for absent and empty variables", () => {
  const { token, ...rest } = values({ NAME: "n", COUNT: "", ON: "  " })
  expect(rest).toEqual({ name: "n", count: 3, port: 0, on: true, word: "red", ranges: [], url: undefined })
  expect(token).toBeUndefined()
})

it("names every problem at once", () => {
  expect(
    problems({ COUNT: "10", PORT: "x", ON: "maybe", WORD: "blue", RANGES: "a,bad", URL: "ftp://x" }).map(
      ({ name }) => name
    )
  ).toEqual(["NAME", "COUNT", "PORT", "ON", "WORD", "RANGES", "URL"])
})

it.each([
  ["COUNT", "1.5"],
  ["COUNT", "0"],
  ["COUNT", "NaN"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["URL", "not one"],
  ["URL", "http://user:secret@host/"]
])("refuses %s=%s", (name, value) => {
  const found = problems({ NAME: "n", [name]: value })
  expect(found.map((problem) => problem.name)).toEqual([name])
  expect(found[0]!.message).not.toContain("secret")
})

it("reads lists, switches and addresses in usual spellings", () => {
  expect(values({ NAME: "n", RANGES: " a, ,b ,", ON: "Off", URL: "https://host/base//" })).toMatchObject({
    ranges: ["a", "b"],
    on: false,
    url: "https://host/base"
  })
})

it.effect("a secret comes from its variable, its file, or a credential, in this order", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory()
    const file = join(directory, "a-file")
    writeFileSync(file, "from the file\n")
    writeFileSync(join(directory, "token"), "from the credential\n")
    const read = (env: Settings.Env) => {
      const { token } = values({ NAME: "n", ...env })
      return token && Redacted.value(token)
    }
    expect(read({ TOKEN: "from the variable", TOKEN_FILE: file, CREDENTIALS_DIRECTORY: directory })).toBe(
      "from the variable"
    )
    expect(read({ TOKEN_FILE: file, CREDENTIALS_DIRECTORY: directory })).toBe("from the file")
    expect(read({ CREDENTIALS_DIRECTORY: directory })).toBe("from the credential")
    expect(read({ CREDENTIALS_DIRECTORY: join(directory, "none") })).toBeUndefined()
  })
)

it.effect("a missing, empty or huge secret file is reported without its content", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory()
    const of = (content: string) => {
      const file = join(directory, "secret")
      writeFileSync(file, content)
      return problems({ NAME: "n", TOKEN_FILE: file })
    }
    expect(problems({ NAME: "n", TOKEN_FILE: join(directory, "none") })[0]).toMatchObject({ name: "TOKEN" })
    expect(of(" \n")[0]!.message).toContain("is empty")
    const huge = of("hunter2".repeat(200_000))
    expect(huge[0]!.message).toContain("larger than")
    expect(huge[0]!.message).not.toContain("hunter2")
  })
)

it("a secret is redacted in problems, printed values and JSON", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]{12,40}$/), (secret) => {
      const env = { TOKEN: secret, COUNT: "many" }
      expect(JSON.stringify(problems(env))).not.toContain(secret)
      const held = values({ ...env, NAME: "n", COUNT: "3" })
      expect(JSON.stringify(held)).not.toContain(secret)
      expect(String(held.token)).not.toContain(secret)
    })
  )
})

it.effect("an invalid environment fails with all problems in one message", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(settings(fields).pipe(Effect.provideService(Environment, { COUNT: "no" })))
    expect(error.message).toBe("NAME is required; COUNT must be a whole number from 1 to 9")
  })
)
