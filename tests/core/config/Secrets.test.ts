import { expect, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import fc from "fast-check"
import { execFile } from "node:child_process"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Secrets from "#core/config/Secrets.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

const keysOf = (...lines: ReadonlyArray<string>) => Result.getOrThrow(Secrets.parseKeys(lines.join("\n")))
const reasonOf = (result: Result.Result<unknown, Secrets.SecretError>) =>
  Result.isFailure(result) ? result.failure.reason : "opened"

it("opens any sealed text, and keeps it redacted", () => {
  const keys = keysOf(Secrets.newKeyLine())
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ maxLength: 40 }), (text, context) => {
      const secret = Buffer.from(text, "utf8").toString("utf8")
      const envelope = Secrets.seal(keys, Redacted.make(secret), context)
      expect(envelope).toMatch(/^sbx1\.[\w-]{8}\.[\w-]{16}\.[\w-]{22,}$/)
      expect(Redacted.value(Result.getOrThrow(Secrets.open(keys, envelope, context)))).toBe(secret)
      expect(Secrets.seal(keys, Redacted.make(secret), context)).not.toBe(envelope)
    })
  )
})

it("refuses an envelope of another row or key, and with any bit changed", () => {
  const keys = keysOf(Secrets.newKeyLine())
  const envelope = Secrets.seal(keys, Redacted.make("the secret"), "table/1")
  expect(reasonOf(Secrets.open(keys, envelope, "table/2"))).toBe("Forged")
  expect(reasonOf(Secrets.open(keysOf(Secrets.newKeyLine()), envelope, "table/1"))).toBe("UnknownKey")
  const parts = envelope.split(".")
  for (const part of [2, 3]) {
    const bytes = Buffer.from(parts[part]!, "base64url")
    fc.assert(
      fc.property(fc.nat({ max: bytes.length * 8 - 1 }), (bit) => {
        const changed = Buffer.from(bytes)
        changed[bit >> 3]! ^= 1 << (bit & 7)
        expect(reasonOf(Secrets.open(keys, parts.with(part, changed.toString("base64url")).join("."), "table/1"))).toBe(
          "Forged"
        )
      })
    )
  }
})

it("reports any other text as no envelope or as sealed with a missing key", () => {
  const keys = keysOf(Secrets.newKeyLine())
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^sbx1(\.[\w-]{0,30}){0,4}$/)), (text) => {
      expect(["Malformed", "UnknownKey"]).toContain(reasonOf(Secrets.open(keys, text, "")))
    })
  )
})

it("refuses an envelope of another version, with a further part, or too short, as malformed", () => {
  const keys = keysOf(Secrets.newKeyLine())
  const envelope = Secrets.seal(keys, Redacted.make("the secret"), "table/1")
  const parts = envelope.split(".")
  for (const text of [parts.with(0, "sbx2").join("."), `${envelope}.AAAA`, parts.with(3, "AAAA").join(".")])
    expect(reasonOf(Secrets.open(keys, text, "table/1")), text).toBe("Malformed")
})

it("derives a different key for each use", () => {
  const [key, other] = keysOf(Secrets.newKeyLine(), Secrets.newKeyLine())
  const derived = [
    Secrets.deriveKey(key!, "a"),
    Secrets.deriveKey(key!, "b"),
    Secrets.deriveKey(other!, "a"),
    key!.bytes
  ].map((bytes) => Buffer.from(bytes).toString("hex"))
  expect(new Set(derived).size).toBe(4)
  expect(derived.every((hex) => hex.length === 64)).toBe(true)
  expect(Secrets.deriveKey(key!, "a")).toEqual(Secrets.deriveKey(key!, "a"))
})

it("a key file contains only keys of 32 bytes and comments", () => {
  const line = Secrets.newKeyLine()
  expect(keysOf("# newest first", `  ${line} `, "").length).toBe(1)
  for (const text of ["", "# only", "AAAA", `${line}\nAAAA`]) {
    const parsed = Secrets.parseKeys(text)
    expect(reasonOf(parsed)).toBe("KeyFile")
    expect(Result.isFailure(parsed) && parsed.failure.message).not.toContain(line)
  }
})

it.effect("a new key is used for new envelopes, old envelopes still open, and a lost key is reported", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryDirectory(), "deep", "keys")
    yield* Effect.gen(function* () {
      const secrets = yield* Secrets.Secrets
      const old = yield* secrets.seal(Redacted.make("kept"), "t/1")
      expect(yield* secrets.isCurrent(old)).toBe(true)
      yield* Secrets.addKey(file)
      expect(yield* secrets.isCurrent(old)).toBe(false)
      expect(Redacted.value(yield* secrets.open(old, "t/1"))).toBe("kept")
      const fresh = yield* secrets.seal(Redacted.make("kept"), "t/1")
      expect(yield* secrets.isCurrent(fresh)).toBe(true)
      expect(fresh.split(".")[1]).not.toBe(old.split(".")[1])
      writeFileSync(file, readFileSync(file, "utf8").split("\n")[0]!)
      expect((yield* Effect.flip(secrets.open(old, "t/1"))).reason).toBe("UnknownKey")
      expect(Redacted.value(yield* secrets.open(fresh, "t/1"))).toBe("kept")
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readdirSync(join(file, ".."))).toEqual(["keys"])
    }).pipe(Effect.provide(Secrets.layer(file)))
  })
)

it.live(
  "processes that create the first key in parallel use the same key",
  () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory(), "keys")
      const core = fileURLToPath(new URL("../../../core/config/Secrets.ts", import.meta.url))
      const program = `import * as Secrets from ${JSON.stringify(core)}; import { Effect, Redacted } from "effect"
      while (Date.now() < Number(process.argv[1])) {}
      const use = Effect.flatMap(Secrets.Secrets, (secrets) => secrets.seal(Redacted.make("x"), "t"))
      console.log(await Effect.runPromise(Effect.provide(use, Secrets.layer(${JSON.stringify(file)}))))`
      const at = String(Date.now() + 2500)
      const runs = yield* Effect.promise(() =>
        Promise.all(
          [1, 2, 3, 4].map(() =>
            promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, at], {
              cwd: fileURLToPath(new URL("../../..", import.meta.url))
            })
          )
        )
      )
      const keys = keysOf(readFileSync(file, "utf8"))
      expect(keys.length).toBe(1)
      for (const { stdout } of runs) expect(reasonOf(Secrets.open(keys, stdout.trim(), "t"))).toBe("opened")
    }),
  120_000
)
