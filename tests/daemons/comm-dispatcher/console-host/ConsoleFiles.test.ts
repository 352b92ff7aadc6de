import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { request } from "undici"
import { afterAll, beforeAll } from "vitest"
import { before } from "#core/lane/FastLane.ts"
import { consolePolicy } from "#daemons/comm-dispatcher/console-host/ConsolePolicy.ts"
import { codingFor, find, lane, read } from "#daemons/comm-dispatcher/console-host/ConsoleFiles.ts"

const page = "<!doctype html><title>Signalbox</title>".padEnd(500, " ")
const script = "export const one = 1".padEnd(500, " ")
const guide = "<!doctype html><title>Guide</title>"

const folder = mkdtempSync(join(tmpdir(), "signalbox-console-"))
mkdirSync(join(folder, "assets"))
mkdirSync(join(folder, "guide"))
for (const [name, text] of [
  ["index.html", page],
  ["assets/index-abc.js", script],
  ["guide/index.html", guide]
] as const) {
  writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
  writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
}
writeFileSync(join(folder, "icon.svg"), "<svg/>")
writeFileSync(join(folder, "assets/engineWorker-aB_-1.js"), script)
const large = Buffer.alloc(1_100_000, "wasm ")
writeFileSync(join(folder, "assets/runtime-abc.wasm"), large)
writeFileSync(join(folder, "assets/runtime-abc.wasm.gz"), gzipSync(large))
writeFileSync(join(folder, "assets/gone-abc.wasm"), large)
writeFileSync(join(folder, "mail.html"), "<title>Mail</title><script>\nrun()\n</script>")
const files = read(folder)

const server = createServer(
  before(
    { lane: lane(files), daemon: "test" },
    () => {},
    (_, response) => response.writeHead(418).end()
  )
)
let base = ""
beforeAll(
  () =>
    new Promise<void>((resolve) =>
      server.listen(0, "127.0.0.1", () => {
        base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        resolve()
      })
    )
)
afterAll(() => void server.close())

const get = async (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" | "POST" = "GET") => {
  const { body, headers: answered, statusCode } = await request(base + path, { method, headers })
  return { status: statusCode, headers: answered, body: Buffer.from(await body.arrayBuffer()) }
}

describe("ConsoleFiles", () => {
  it("answers the page for its own path and every place in it", async () => {
    for (const path of [
      "/console/",
      "/console/alarms",
      "/console/mail/INBOX.Sent",
      "/console/a%20b?x=1",
      "/console/index.html"
    ]) {
      const answer = await get(path)
      assert.deepStrictEqual(
        [answer.status, answer.body.toString(), answer.headers["content-type"], answer.headers["cache-control"]],
        [200, page, "text/html; charset=utf-8", "no-cache"]
      )
      assert.strictEqual(answer.headers["content-security-policy"], consolePolicy)
    }
    assert.deepStrictEqual(
      [(await get("/console")).status, (await get("/console")).headers["location"]],
      [308, "/console/"]
    )
  })

  it("answers the first page of the guide for its folder, and no other page for one that is missing", async () => {
    for (const path of ["/console/guide", "/console/guide/", "/console/guide/index.html"]) {
      const answer = await get(path)
      assert.deepStrictEqual([answer.status, answer.body.toString()], [200, guide])
      assert.strictEqual(answer.headers["content-security-policy"], consolePolicy)
    }
    assert.strictEqual((await get("/console/guide/missing.html")).status, 404)
  })

  it("answers the file for mails' pages at two paths, with the policies of these", async () => {
    const own = createHash("sha256").update("\nrun()\n").digest("base64")
    for (const [path, images] of [
      ["mail.html", "data: blob:"],
      ["mail-images.html", "data: blob: http: https:"]
    ]) {
      const answer = await get(`/console/${path}`)
      assert.deepStrictEqual(
        [answer.status, answer.headers["x-frame-options"], answer.headers["content-type"]],
        [200, "SAMEORIGIN", "text/html; charset=utf-8"]
      )
      assert.strictEqual(
        answer.headers["content-security-policy"],
        `default-src 'none'; script-src 'sha256-${own}'; style-src 'unsafe-inline'; img-src ${images}; base-uri 'none'; ` +
          "form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox"
      )
    }
  })

  it("answers a file with a hash in its name for good, and never the page in its place", async () => {
    const answer = await get("/console/assets/index-abc.js")
    assert.deepStrictEqual(
      [answer.status, answer.body.toString(), answer.headers["cache-control"]],
      [200, script, "public, max-age=31536000, immutable"]
    )
    assert.match(String(answer.headers["content-security-policy"]), /^default-src 'none'; base-uri/)
    assert.strictEqual((await get("/console/assets/index-old.js")).status, 404)
  })

  it("answers what the client takes", async () => {
    const br = await get("/console/assets/index-abc.js", { "accept-encoding": "gzip, deflate, br" })
    assert.deepStrictEqual([br.headers["content-encoding"], brotliDecompressSync(br.body).toString()], ["br", script])
    const gzip = await get("/console/assets/index-abc.js", { "accept-encoding": "gzip, br;q=0" })
    assert.deepStrictEqual([gzip.headers["content-encoding"], gunzipSync(gzip.body).toString()], ["gzip", script])
    assert.strictEqual(
      (await get("/console/icon.svg", { "accept-encoding": "br" })).headers["content-encoding"],
      undefined
    )
    assert.strictEqual(codingFor("brotli, xbr", files.get("/index.html")!), undefined)
  })

  it("keeps no part with a hash in its name in memory, and answers it in the coding that the client takes", async () => {
    const path = "/console/assets/runtime-abc.wasm"
    const kept = [...files].filter(([, { encoded, plain }]) => [plain, ...encoded.values()].some(Buffer.isBuffer))
    assert.deepStrictEqual(
      kept.map(([name]) => name).filter((name) => name.startsWith("/assets/")),
      []
    )
    assert.isAbove(kept.length, 3)
    const gzip = await get(path, { "accept-encoding": "gzip, br" })
    assert.deepStrictEqual(
      [gzip.headers["content-encoding"], gzip.headers["content-type"], gunzipSync(gzip.body).equals(large)],
      ["gzip", "application/wasm", true]
    )
    for (const method of ["GET", "HEAD"] as const) {
      const plain = await get(path, {}, method)
      assert.deepStrictEqual(
        [plain.headers["content-encoding"], plain.headers["content-length"]],
        [undefined, String(large.length)]
      )
      assert.isTrue(plain.body.equals(method === "GET" ? large : Buffer.alloc(0)))
    }
  })

  it("lets only the thread of the wake word compile WebAssembly", async () => {
    const policy = async (path: string) => String((await get(path)).headers["content-security-policy"])
    assert.strictEqual(
      await policy("/console/assets/engineWorker-aB_-1.js"),
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'"
    )
    for (const path of ["/console/", "/console/assets/index-abc.js", "/console/assets/runtime-abc.wasm"])
      assert.notInclude(await policy(path), "wasm-unsafe-eval")
  })

  it("answers 304 to whoever has it, and a head without a body", async () => {
    const { etag } = (await get("/console/")).headers
    const again = await get("/console/", { "if-none-match": `"other", W/${String(etag)}` })
    assert.deepStrictEqual([again.status, again.body.length], [304, 0])
    assert.strictEqual((await get("/console/", { "if-none-match": '"other"' })).status, 200)
    const head = await get("/console/", {}, "HEAD")
    assert.deepStrictEqual(
      [head.status, head.body.length, head.headers["content-length"]],
      [200, 0, String(page.length)]
    )
  })

  it("reads nothing outside of it, and leaves other methods alone", async () => {
    for (const path of ["/console/../package.json", "/console/%2e%2e/package.json", "/console/..%2f..%2fetc/passwd"]) {
      const answer = await get(path)
      assert.notInclude(answer.body.toString(), "root:")
      assert.notInclude(answer.body.toString(), "dependencies")
    }
    assert.strictEqual((await get("/console/", {}, "POST")).status, 418)
  })

  it("says so where nothing is built", () => {
    const none = read(join(folder, "nowhere"))
    assert.strictEqual(none.size, 0)
    assert.strictEqual(find(none, "/"), undefined)
  })

  it("answers 404 for a large file that is gone from the disk", async () => {
    rmSync(join(folder, "assets/gone-abc.wasm"))
    for (const method of ["GET", "HEAD"] as const) {
      const { headers, status } = await get("/console/assets/gone-abc.wasm", {}, method)
      assert.deepStrictEqual([status, headers["content-type"]], [404, "application/problem+json"])
      assert.isUndefined(headers["etag"])
    }
  })
})
