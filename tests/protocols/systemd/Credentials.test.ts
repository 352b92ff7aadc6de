import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { maxCredentialBytes, readCredential, readCredentialText } from "#protocols/systemd/Credentials.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "credentials-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const variables = () => ({ CREDENTIALS_DIRECTORY: join(folder) })
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)

describe("credentials", () => {
  it.live("are none without a directory or a file of that name", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readCredential("token", {}), Option.none())
      assert.deepStrictEqual(yield* readCredential("token", variables()), Option.none())
    })
  )

  it.live("are bytes as they are, text without its last line break, and never printed", () =>
    Effect.gen(function* () {
      put("token", "hush\nhush\n")
      const bytes = Option.getOrThrow(yield* readCredential("token", variables()))
      assert.strictEqual(Buffer.from(Redacted.value(bytes)).toString(), "hush\nhush\n")
      const text = Option.getOrThrow(yield* readCredentialText("token", variables()))
      assert.strictEqual(Redacted.value(text), "hush\nhush")
      assert.notInclude(`${text} ${JSON.stringify(text)} ${String(bytes)}`, "hush")
    })
  )

  it.live("are bounded: 1 MiB passes, one byte more does not", () =>
    Effect.gen(function* () {
      put("big", new Uint8Array(maxCredentialBytes))
      assert.strictEqual(
        Redacted.value(Option.getOrThrow(yield* readCredential("big", variables()))).length,
        maxCredentialBytes
      )
      put("big", new Uint8Array(maxCredentialBytes + 1))
      const error = yield* Effect.flip(readCredential("big", variables()))
      assert.deepInclude(error.reason, { _tag: "CredentialTooLarge", name: "big" })
    })
  )

  it.live.each(["", ".", "..", "../token", "a/b", "/etc/passwd", "a\0b", "a".repeat(256)])(
    "refuse the name %j",
    (name) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(readCredential(name, variables()))
        assert.strictEqual(error.reason._tag, "CredentialNameInvalid")
      })
  )

  it.live("that cannot be read are an error, not an absence", () =>
    Effect.gen(function* () {
      mkdirSync(join(folder, "folder"))
      assert.deepInclude((yield* Effect.flip(readCredential("folder", variables()))).reason, {
        _tag: "CredentialUnreadable",
        detail: "EISDIR"
      })
      put("latin1", new Uint8Array([0x66, 0xfc, 0x72]))
      assert.deepInclude((yield* Effect.flip(readCredentialText("latin1", variables()))).reason, {
        _tag: "CredentialUnreadable",
        detail: "not UTF-8"
      })
    })
  )
})
