/**
 * The shipped files for nginx and Caddy: the page comes from us while we are there, and from the written files while we
 * are not.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { banFiles } from "#core/bans/BanFiles.ts"
import * as RawRequest from "#support/edge/RawRequest.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort, scratchFolder } from "#support/peers/Loopback.ts"
import { caddyArguments, nginxArguments } from "#support/ProxyArguments.ts"
import { findProgram } from "#support/peers/Peers.ts"
import * as ServerProcess from "#support/peers/ServerProcess.ts"
import { ask, startPlace } from "./StartedPage.ts"

const config = (name: string) => readFileSync(new URL(`../../../../config/${name}`, import.meta.url), "utf8")

interface Dialect {
  readonly program: "nginx" | "caddy"
  /** What it serves of the written ones. */
  readonly encodings: ReadonlyArray<"gzip" | "br">
  readonly prepare: (
    folder: string,
    program: string,
    at: { readonly own: number; readonly status: number; readonly files: string }
  ) => Effect.Effect<ReadonlyArray<string>>
}

/** Every place of a file that an operator changes is there, once. */
const changed = (text: string, changes: Readonly<Record<string, string>>) =>
  Object.entries(changes).reduce((left, [from, to]) => {
    assert.strictEqual(left.split(from).length, 2, from)
    return left.replace(from, to)
  }, text)

const nginx: Dialect = {
  program: "nginx",
  encodings: ["gzip"],
  prepare: (folder, program, { files, own, status }) => {
    const main = join(folder, "nginx.conf")
    writeFileSync(
      join(folder, "status-page.conf"),
      changed(config("nginx/status-page.conf"), {
        "127.0.0.1:8112": `127.0.0.1:${status}`,
        "listen 80;": `listen 127.0.0.1:${own};`,
        "root /var/cache/signalbox-status;": `root ${files};`
      })
    )
    writeFileSync(
      join(folder, "bans.conf"),
      changed(config("nginx/bans.conf"), { "/var/lib/signalbox-network": folder, "rate=200r/s": "rate=1r/s" })
    )
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(" ")
    // Workers of a root's nginx would be nobody's, who may not read the test's folders.
    writeFileSync(
      main,
      `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {}\nhttp { access_log off; ${temporary} include ${folder}/bans.conf; include ${folder}/status-page.conf; }\n`
    )
    return nginxArguments(program, main, folder)
  }
}

const caddy: Dialect = {
  program: "caddy",
  encodings: ["gzip", "br"],
  prepare: (folder, program, { files, own, status }) => {
    const main = join(folder, "Caddyfile")
    writeFileSync(
      main,
      `{\n  admin off\n  auto_https off\n}\n${changed(config("caddy/status-page.caddyfile"), {
        "{$SIGNALBOX_STATUS_SITE:status.example.org}": `http://:${own}`,
        "{$SIGNALBOX_NETWORK_DIR:/var/lib/signalbox-network}": folder,
        "{$SIGNALBOX_STATUS:127.0.0.1:8112}": `127.0.0.1:${status}`,
        "{$SIGNALBOX_STATUS_PAGE_DIR:/var/cache/signalbox-status}": files
      })}`
    )
    return caddyArguments(program, main, folder)
  }
}

for (const dialect of [nginx, caddy]) {
  describePeers([dialect.program], `the status page behind ${dialect.program}`, () => {
    it.live(
      "is served by the daemon while it runs, otherwise from the written files by language and encoding",
      () =>
        Effect.gen(function* () {
          const [own, folder] = [yield* freePort, yield* scratchFolder(dialect.program)]
          const files = join(folder, "status-page")
          mkdirSync(files, { recursive: true })
          const now = Date.now()
          for (const { name, text } of banFiles([{ address: "127.0.0.66/32", until: now + 3_600_000 }], now))
            writeFileSync(join(folder, name), text)
          const scope = yield* Scope.fork(yield* Effect.scope)
          const status = yield* freePort
          const place = yield* Scope.provide(
            startPlace({
              SIGNALBOX_STATUS_PAGE_DIR: files,
              SIGNALBOX_STATUS_CHECKER_PORT: String(status),
              SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8"
            }),
            scope
          )
          const program = findProgram(dialect.program)!
          const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
            ask({ hostname: "127.0.0.1", port: own }, path, headers)
          yield* ServerProcess.make({
            peer: dialect.program,
            command: program,
            args: yield* dialect.prepare(folder, program, { own, status, files }),
            cwd: dirname(files),
            env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
            isReady: () =>
              Effect.runPromise(get("/api/v1/components")).then(
                ({ status }) => status === 200,
                () => false
              ),
            log: () => ""
          })
          const page = (name: string) => readFileSync(join(files, name), "utf8")
          yield* until(
            "the files are what is shown",
            Effect.map(
              place.ask("/"),
              ({ text }) => existsSync(join(files, "status.de.json")) && text === page("index.html")
            ),
            30
          )

          const ours = yield* get("/", { "accept-language": "de", "accept-encoding": "br" })
          assert.deepStrictEqual(
            [ours.status, ours.headers["content-encoding"], ours.headers["content-language"]],
            [200, "br", "de"]
          )
          assert.strictEqual(
            (yield* get("/", {
              "accept-language": "de",
              "accept-encoding": "br",
              "if-none-match": ours.headers["etag"]!
            })).status,
            304
          )

          yield* Scope.close(scope, Exit.void)
          const german = yield* get("/", { "accept-language": "fr, de-AT;q=0.9, en;q=0.8" })
          assert.deepStrictEqual(
            [german.status, german.text, german.headers["content-type"], german.headers["vary"]],
            [200, page("index.de.html"), "text/html; charset=utf-8", "Accept-Language, Accept-Encoding"]
          )
          assert.match(german.headers["content-security-policy"]!, /^default-src 'none'/)
          for (const [path, language, name] of [
            ["/", "en-GB, de;q=0.5", "index.html"],
            ["/?lang=de", "en", "index.de.html"],
            ["/?lang=en", "de", "index.html"],
            ["/", "", "index.html"],
            ["/?lang=fr", "de", "index.de.html"]
          ] as const) {
            assert.strictEqual(
              (yield* get(path, language === "" ? {} : { "accept-language": language })).text,
              page(name),
              `${path} ${language}`
            )
          }
          const json = yield* get("/api/v1/status?lang=de")
          assert.deepStrictEqual(
            [
              json.status,
              json.text,
              json.headers["content-type"]?.startsWith("application/json"),
              json.headers["access-control-allow-origin"]
            ],
            [200, page("status.de.json"), true, "*"]
          )
          for (const encoding of dialect.encodings) {
            const packed = yield* get("/", { "accept-encoding": encoding })
            assert.strictEqual(packed.headers["content-encoding"], encoding)
            assert.strictEqual(
              (encoding === "gzip" ? gunzipSync : brotliDecompressSync)(packed.bytes).toString(),
              page("index.html")
            )
            // What is sent is what lies there, not made anew.
            assert.isTrue(
              packed.bytes.equals(readFileSync(join(files, `index.html.${encoding === "gzip" ? "gz" : "br"}`)))
            )
          }
          // Nothing else of the directory, and nothing that we alone can answer.
          for (const path of ["/api/v1/components", "/status.json", "/index.html", "/.signalbox/index.html"])
            assert.isAbove((yield* get(path)).status, 399, path)

          const from = (address: string) =>
            Effect.map(RawRequest.ask(own, "status.example.org", "/", { from: address }), (reply) => reply.status)
          assert.deepStrictEqual([yield* from("127.0.0.66"), yield* from("127.0.0.67")], [403, 200])
          if (dialect.program === "caddy") return
          // Here the rate is one a second and the burst is that of the shipped file.
          const flood = yield* Effect.forEach(Array.from({ length: 600 }), () => from("127.0.0.68"), {
            concurrency: 20
          })
          assert.include(flood, 429)
          assert.strictEqual(yield* from("127.0.0.67"), 200)
        }).pipe(Effect.scoped),
      120_000
    )
  })
}
