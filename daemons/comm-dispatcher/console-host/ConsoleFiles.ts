/**
 * Serves the console's files. Pages are in memory, so that a new build does not change them under a running server.
 * Parts with a hash in their name are sent from the disk, where the build keeps those of a running server: a browser
 * asks for each once. Paths without a file answer the page itself. Registered in the fast lane.
 *
 * The library sirv 3.0.2 reads every file at each request, so a new build would change pages whose policy holds the
 * hash of the old script. It has 200 lines, this file 200.
 */
import { createHash } from "node:crypto"
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { extname, join, relative, sep } from "node:path"
import { pipeline } from "node:stream"
import { fileURLToPath } from "node:url"
import { matches } from "#core/lane/Compressed.ts"
import type { FastHandler, FastLane } from "#core/lane/FastLane.ts"
import { sendProblem } from "#core/http/NodeProblem.ts"
import { consoleHeaders, headersOf, mailFrameHeaders, mailFramePaths } from "./ConsolePolicy.ts"

/** Path of the console. */
export const consolePath = "/console"

/** Media types of the files that the build writes. Source: IANA, Media Types. */
const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".ico": "image/x-icon",
  ".js": "text/javascript",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2"
}

/** Folder of the files with a hash in their name: code, styles, fonts, WebAssembly. */
const hashed = "/assets/"

/** Files with a hash in their name never change. Unit: seconds, a year. */
const forever = "public, max-age=31536000, immutable"

/** Other files are revalidated, mostly with 304. */
const revalidated = "no-cache"

/** Largest page that is kept in memory. Unit: bytes. Reason: pages and pictures have at most some 100 KB. */
const largestKept = 1024 * 1024

/** Content in memory, or the file that has it. `size`: in bytes. */
type Content = Buffer | { readonly path: string; readonly size: number }

/** A file: plain, and compressed by the build. */
interface ConsoleFile {
  readonly headers: Readonly<Record<string, string>>
  readonly plain: Content
  readonly encoded: ReadonlyMap<string, Content>
  readonly etag: string
}

/** Keyed by path below `/console`: `/assets/index.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"]
] as const

/**
 * The folder beside the bundle; when run from sources, the folder of the build. `url`: of the feature's declaration.
 */
export const consoleFolder = (url: string): string =>
  fileURLToPath(new URL(url.endsWith(".ts") ? "../../../dist/console/" : "./console/", url))

/** Reads all files of a folder; empty when it does not exist. */
export const read = (folder: string): ConsoleFiles => {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const present = new Set(names)
  return new Map(
    names
      .filter((name) => !encodings.some(([, ending]) => name.endsWith(ending)))
      .flatMap((name) => {
        const path = `/${relative(folder, name).split(sep).join("/")}`
        const { mtimeMs, size } = statSync(name)
        const isKept = size <= largestKept && !path.startsWith(hashed)
        const content = (source: string): Content =>
          isKept ? readFileSync(source) : { path: source, size: statSync(source).size }
        const plain = content(name)
        const version = Buffer.isBuffer(plain) ? plain : `${path} ${size} ${mtimeMs}`
        const type = types[extname(name)] ?? "application/octet-stream"
        const file: ConsoleFile = {
          plain,
          encoded: new Map(
            encodings
              .filter(([, ending]) => present.has(name + ending))
              .map(([coding, ending]) => [coding, content(name + ending)])
          ),
          etag: `"${createHash("sha256").update(version).digest("base64url").slice(0, 22)}"`,
          headers: {
            ...(type === "text/html" ? consoleHeaders : headersOf(path)),
            "content-type": /^text\/|javascript|json|svg/.test(type) ? `${type}; charset=utf-8` : type,
            "cache-control": path.startsWith(hashed) ? forever : revalidated,
            vary: "accept-encoding"
          }
        }
        if (path !== mailFramePaths[0]) return [[path, file]] as const
        return mailFramePaths.map(
          (at) => [at, { ...file, headers: { ...file.headers, ...mailFrameHeaders(at, scriptHash(plain)) } }] as const
        )
      })
  )
}

/** Hash of a page's only script, in the form of a policy. */
const scriptHash = (page: Content): string =>
  createHash("sha256")
    .update(/<script>([^]*?)<\/script>/.exec(Buffer.isBuffer(page) ? page.toString() : "")?.[1] ?? "")
    .digest("base64")

/** Folders in which a path without a file is not found: code with a hash in its name, and the guide. */
const ownFolders = [hashed, "/guide/"]

/** The file for a path below `/console`, the first page of a folder, or the console itself; undefined: not found. */
export const find = (files: ConsoleFiles, path: string): ConsoleFile | undefined =>
  files.get(path) ??
  files.get(`${path.replace(/\/$/, "")}/index.html`) ??
  (ownFolders.some((folder) => path.startsWith(folder)) ? undefined : files.get("/index.html"))

/** The first encoding that the client accepts and the file has. Source: RFC 9110 §12.5.3; a weight of 0 refuses. */
export const codingFor = (accept: string, file: ConsoleFile): string | undefined =>
  encodings
    .map(([coding]) => coding)
    .find(
      (coding) =>
        file.encoded.has(coding) &&
        accept.split(",").some((part) => {
          const [name, ...parameters] = part
            .trim()
            .toLowerCase()
            .split(/\s*;\s*/)
          return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
        })
    )

/** Fast-lane handlers below `/console`. */
export const lane = (files: ConsoleFiles): FastLane => {
  const answer: FastHandler = (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname.slice(consolePath.length)
    const file = find(files, path)
    if (file === undefined)
      return sendProblem(
        response,
        files.size === 0 ? 503 : 404,
        files.size === 0 ? "The console is not built: npm run prepare." : undefined
      )
    send(request, response, file)
  }
  const home: FastHandler = (_, response) => {
    response.writeHead(308, { location: `${consolePath}/`, "content-length": 0 })
    response.end()
  }
  return new Map(
    ["GET", "HEAD"].flatMap(
      (method) =>
        [
          [`${method} ${consolePath}`, home],
          [`${method} ${consolePath}/*`, answer]
        ] as const
    )
  )
}

const send = (request: IncomingMessage, response: ServerResponse, found: ConsoleFile): void => {
  const headers = { ...found.headers, etag: found.etag }
  const asked = request.headers["if-none-match"]
  if (asked !== undefined && matches(asked, found.etag)) {
    response.writeHead(304, headers)
    return void response.end()
  }
  const coding = codingFor(String(request.headers["accept-encoding"] ?? ""), found)
  const content = coding === undefined ? found.plain : found.encoded.get(coding)!
  const begin = () =>
    response.writeHead(200, {
      ...headers,
      ...(coding === undefined ? {} : { "content-encoding": coding }),
      "content-length": Buffer.isBuffer(content) ? content.length : content.size
    })
  if (Buffer.isBuffer(content)) {
    begin()
    return void response.end(request.method === "HEAD" ? undefined : content)
  }
  const file = createReadStream(content.path)
  const absent = ({ code }: NodeJS.ErrnoException) => sendProblem(response, code === "ENOENT" ? 404 : 503)
  file.once("error", absent)
  // The header is sent when the file is open. A later failure closes the connection, so the visitor sees that the file
  // is incomplete.
  file.once("open", () => {
    file.off("error", absent)
    begin()
    if (request.method !== "HEAD") return void pipeline(file, response, () => {})
    file.destroy()
    response.end()
  })
}
