import { readdirSync, readlinkSync } from "node:fs"
import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { once } from "node:events"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { before } from "#core/lane/FastLane.ts"
import { addKey, layer as secretsLayer } from "#core/config/Secrets.ts"
import { addressStep, admitted, expiryOf, leastLife, make, sign, speechPath } from "#core/speech/SpeechUrl.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"
import { eventually } from "#support/Processes.ts"
import { tone } from "#support/SpeechDouble.ts"

const key = Buffer.alloc(32, 1)
const name = `${"a".repeat(64)}.wav`
const now = 1_800_000_000_000
const target = (
  changes: { readonly name?: string; readonly expires?: number | string; readonly signature?: string } = {}
) => {
  const expires = changes.expires ?? expiryOf(now)
  return `${speechPath}/${changes.name ?? name}?expires=${expires}&signature=${changes.signature ?? sign(key, name, expiryOf(now))}`
}

describe("admitted", () => {
  it("accepts our own URLs, also of the previous key, until they expire", () => {
    assert.strictEqual(admitted([key], target(), now), name)
    assert.strictEqual(admitted([Buffer.alloc(32, 2), key], target(), now), name)
    assert.strictEqual(admitted([key], target(), expiryOf(now) * 1000 - 1), name)
    assert.isUndefined(admitted([key], target(), expiryOf(now) * 1000))
    assert.isAtLeast(expiryOf(now + 123_456) - (now + 123_456) / 1000, leastLife)
    assert.strictEqual(expiryOf(now), expiryOf(now + addressStep * 1000 - 1))
  })

  it.each([
    ["another file", target({ name: `${"b".repeat(64)}.wav` })],
    ["another format", target({ name: name.replace("wav", "mp3") })],
    ["a later end", target({ expires: expiryOf(now) + 60 })],
    ["an end that is no number", target({ expires: "1e99" })],
    ["a changed signature", target({ signature: sign(key, name, expiryOf(now)).replace(/.$/, "_") })],
    ["an empty signature", target({ signature: "" })],
    ["another key's signature", target({ signature: sign(Buffer.alloc(32, 3), name, expiryOf(now)) })],
    ["no query", `${speechPath}/${name}`],
    ["a way out of the folder", target({ name: `../${name}` })],
    [
      "another kind of file, although signed",
      target({ name: "../keys", signature: sign(key, "../keys", expiryOf(now)) })
    ],
    ["an encoded way out of it", target({ name: `%2e%2e%2f${name}` })]
  ])("refuses %s", (_, changed) => {
    assert.isUndefined(admitted([key], changed, now))
  })
})

const listen = Effect.fnUntraced(function* () {
  const folder = yield* scratchFolder("speech")
  const directory = join(folder, "speech")
  const keyFile = join(folder, "keys")
  yield* Effect.promise(() => mkdir(directory))
  const urls = yield* Effect.provide(make("http://pbx.test:1", directory), secretsLayer(keyFile))
  const failures: Array<unknown> = []
  const server = createServer(
    before(
      { lane: urls.lane, daemon: "test" },
      (_, error) => failures.push(error),
      (_, response) => response.writeHead(418).end()
    )
  )
  server.listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
  )
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const local = (url: string) => url.replace("http://pbx.test:1", base)
  return { directory, keyFile, urls, base, local, failures }
})

describe("SpeechFiles", () => {
  it.live("serves GET and HEAD of a signed URL, also after a new key", () =>
    Effect.gen(function* () {
      const { directory, keyFile, local, urls } = yield* listen()
      yield* Effect.promise(() => writeFile(join(directory, name), tone(300)))
      const url = yield* urls.url(name)
      assert.match(url, /^http:\/\/pbx\.test:1\/api\/v1\/comm\/speech\/a{64}\.wav\?expires=\d+&signature=[\w-]{43}$/)
      assert.strictEqual(yield* urls.url(name), url)
      yield* addKey(keyFile)
      assert.notStrictEqual(yield* urls.url(name), url)
      const answer = yield* Effect.promise(() => fetch(local(url)))
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), "audio/wav")
      assert.strictEqual(answer.headers.get("content-length"), String(tone(300).length))
      assert.isTrue(Buffer.from(yield* Effect.promise(() => answer.arrayBuffer())).equals(tone(300)))
      const head = yield* Effect.promise(() => fetch(local(url), { method: "HEAD" }))
      assert.deepStrictEqual([head.status, head.headers.get("content-length")], [200, String(tone(300).length)])
      assert.strictEqual((yield* Effect.promise(() => fetch(local(url), { method: "POST" }))).status, 418)
      assert.strictEqual(
        (yield* Effect.promise(() => fetch(`${local(url).split("/api")[0]}/api/v1/comm/speechless`))).status,
        418
      )
    }).pipe(Effect.scoped)
  )

  it.live("answers the same 404 to everything else", () =>
    Effect.gen(function* () {
      const { base, directory, keyFile, local, urls } = yield* listen()
      yield* Effect.promise(() => symlink(keyFile, join(directory, name)))
      const folder = `${"b".repeat(64)}.wav`
      yield* Effect.promise(() => mkdir(join(directory, folder)))
      const gone = `${"c".repeat(64)}.ogg`
      const signed = yield* Effect.forEach([name, folder, gone], (file) => urls.url(file))
      const bodies = new Set<string>()
      for (const url of [
        ...signed.map(local),
        `${base}${speechPath}/`,
        `${base}${speechPath}/../../../../keys`,
        `${local(signed[0]!)}x`
      ]) {
        const answer = yield* Effect.promise(() => rawGet(url))
        assert.strictEqual(answer.status, 404, url)
        bodies.add(answer.body)
      }
      assert.strictEqual(bodies.size, 1)
      assert.notInclude([...bodies][0]!, (yield* Effect.promise(() => readFile(keyFile, "utf8"))).trim())
    }).pipe(Effect.scoped)
  )

  it.live("closes the file when the client disconnects", () =>
    Effect.gen(function* () {
      const { directory, failures, local, urls } = yield* listen()
      yield* Effect.promise(() => writeFile(join(directory, name), Buffer.alloc(20 * 1024 * 1024, 1)))
      const url = local(yield* urls.url(name))
      for (let turn = 0; turn < 5; turn++) {
        yield* Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              const asked = httpRequest(url, (answer) => answer.once("data", () => asked.destroy()))
                .on("close", resolve)
                .on("error", () => {})
              asked.end()
            })
        )
      }
      for (let turn = 0; turn < 5; turn++) yield* Effect.promise(() => fetch(url, { method: "HEAD" }))
      const open = () => readdirSync("/proc/self/fd").filter((fd) => linkOf(fd).endsWith(name)).length
      yield* eventually("the file is closed", () => open() === 0)
      assert.deepStrictEqual(failures, [])
    }).pipe(Effect.scoped)
  )
})

const linkOf = (fd: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ""
  }
}

/** A GET without fetch's normalisation of the path. */
const rawGet = (url: string): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve, reject) => {
    const [, host = "", port = "", path = ""] = /^http:\/\/([^:]+):(\d+)(.*)$/.exec(url) ?? []
    httpRequest({ host, port, path }, (answer) => {
      let body = ""
      answer
        .on("data", (chunk) => (body += String(chunk)))
        .on("end", () => resolve({ status: answer.statusCode ?? 0, body }))
    })
      .on("error", reject)
      .end()
  })
