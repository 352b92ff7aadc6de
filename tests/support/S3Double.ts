/**
 * An S3-compatible storage in memory, because Debian packages none that runs alone. It has the calls that restic 0.14
 * makes: buckets, objects with ranges, listing (version 2). It verifies Signature Version 4 with signed chunks, and the
 * Content-MD5, and refuses everything else. It was checked against restic only. Sources: Amazon S3 API reference,
 * "Authenticating Requests (AWS Signature Version 4)" and "Transferring Payload in Multiple Chunks".
 */
import { createHash, createHmac } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { HttpDouble, type Incoming } from "./HttpDouble.ts"

interface Stored {
  readonly bytes: Buffer
  readonly modified: Date
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex")
const md5 = (data: Buffer) => createHash("md5").update(data)
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

/** Values of x-amz-content-sha256 that are no hash. */
const streaming = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
const unsigned = "UNSIGNED-PAYLOAD"

/** Messages of Amazon S3, which clients show instead of the code. */
const words: Readonly<Record<string, string>> = {
  AccessDenied: "Access Denied.",
  InvalidAccessKeyId: "The Access Key Id you provided does not exist in our records.",
  NoSuchBucket: "The specified bucket does not exist",
  NoSuchKey: "The specified key does not exist.",
  SignatureDoesNotMatch:
    "The request signature we calculated does not match the signature you provided. Check your key and signing method."
}

/** A refusal: status, code of S3. */
class Refused extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

export class S3Double {
  readonly #keyId: string
  readonly #secret: string
  readonly #buckets = new Map<string, Map<string, Stored>>()
  readonly #http = new HttpDouble((incoming) => this.#handle(incoming))
  /** Codes of refused requests. */
  readonly refused: Array<string> = []

  constructor(keyId: string, secret: string) {
    this.#keyId = keyId
    this.#secret = secret
  }

  start(): Promise<string> {
    return this.#http.start()
  }

  stop(): Promise<void> {
    return this.#http.stop()
  }

  /** Names of the objects of a bucket. */
  keys(bucket: string): ReadonlyArray<string> {
    return [...(this.#buckets.get(bucket)?.keys() ?? [])]
  }

  #handle({ bytes, request, response }: Incoming): void {
    try {
      const body = this.#verified(request, bytes)
      const url = new URL(request.url!, "http://s3")
      const [bucket = "", ...rest] = url.pathname.slice(1).split("/").map(decodeURIComponent)
      const key = rest.join("/")
      if (key === "") this.#bucket(request.method!, bucket, url.searchParams, response)
      else this.#object(request, this.#of(bucket), key, body, response)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (error.status !== 404) this.refused.push(error.message)
      response.writeHead(error.status, { "content-type": "application/xml" })
      response.end(
        request.method === "HEAD"
          ? undefined
          : `<Error><Code>${error.message}</Code><Message>${words[error.message] ?? error.message}</Message></Error>`
      )
    }
  }

  #of(bucket: string): Map<string, Stored> {
    const found = this.#buckets.get(bucket)
    if (found === undefined) throw new Refused(404, "NoSuchBucket")
    return found
  }

  #bucket(method: string, bucket: string, query: URLSearchParams, response: ServerResponse): void {
    if (method === "PUT") {
      this.#buckets.set(bucket, new Map())
      response.writeHead(200).end()
    } else if (method === "GET" && query.has("location"))
      xml(response, `<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></LocationConstraint>`)
    else if (method === "HEAD") {
      this.#of(bucket)
      response.writeHead(200).end()
    } else if (method === "GET" && query.get("list-type") === "2") xml(response, listing(this.#of(bucket), query))
    else throw new Refused(501, "NotImplemented")
  }

  #object(
    { headers, method }: IncomingMessage,
    objects: Map<string, Stored>,
    key: string,
    body: Buffer,
    response: ServerResponse
  ): void {
    if (method === "PUT") {
      objects.set(key, { bytes: body, modified: new Date() })
      response.writeHead(200, { etag: `"${md5(body).digest("hex")}"` }).end()
      return
    }
    if (method === "DELETE") {
      objects.delete(key)
      response.writeHead(204).end()
      return
    }
    if (method !== "GET" && method !== "HEAD") throw new Refused(501, "NotImplemented")
    const found = objects.get(key)
    if (found === undefined) throw new Refused(404, "NoSuchKey")
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "")
    const size = found.bytes.length
    const [from, to] =
      range === null ? [0, size] : [Number(range[1]), Math.min(size, range[2] === "" ? size : Number(range[2]) + 1)]
    if (from >= Math.max(1, size)) throw new Refused(416, "InvalidRange")
    response.writeHead(range === null ? 200 : 206, {
      etag: `"${md5(found.bytes).digest("hex")}"`,
      "last-modified": found.modified.toUTCString(),
      "content-length": to - from,
      ...(range === null ? {} : { "content-range": `bytes ${from}-${to - 1}/${size}` })
    })
    response.end(method === "HEAD" ? undefined : found.bytes.subarray(from, to))
  }

  /** The payload, after its signature. */
  #verified({ headers, method, url }: IncomingMessage, bytes: Buffer): Buffer {
    const given =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? ""
      )
    if (given === null) throw new Refused(403, "AccessDenied")
    const [, keyId = "", day = "", region = "", names = "", signature = ""] = given
    if (keyId !== this.#keyId) throw new Refused(403, "InvalidAccessKeyId")
    const [path = "", query = ""] = url!.split("?")
    const date = String(headers["x-amz-date"])
    const payload = String(headers["x-amz-content-sha256"])
    const parameters = query.split("&").map((one) => (one === "" || one.includes("=") ? one : `${one}=`))
    const canonical = [
      method,
      path,
      parameters.toSorted().join("&"),
      ...names.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
      "",
      names,
      payload
    ].join("\n")
    const scope = `${day}/${region}/s3/aws4_request`
    const key = [region, "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${this.#secret}`, day))
    const sign = (text: string) => hmac(key, text).toString("hex")
    if (sign(["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n")) !== signature)
      throw new Refused(403, "SignatureDoesNotMatch")
    const body =
      payload === streaming
        ? chunks(bytes, signature, (previous, chunk) =>
            sign(["AWS4-HMAC-SHA256-PAYLOAD", date, scope, previous, sha256(""), sha256(chunk)].join("\n"))
          )
        : bytes
    if (![streaming, unsigned].includes(payload) && sha256(body) !== payload)
      throw new Refused(400, "XAmzContentSHA256Mismatch")
    const sum = headers["content-md5"]
    if (sum !== undefined && md5(body).digest("base64") !== sum) throw new Refused(400, "BadDigest")
    return body
  }
}

/** Payload of signed chunks: `size;chunk-signature=…`, data, and so on up to a chunk of size 0. */
const chunks = (bytes: Buffer, seed: string, sign: (previous: string, chunk: Buffer) => string): Buffer => {
  const found: Array<Buffer> = []
  let at = 0
  let previous = seed
  for (;;) {
    const end = bytes.indexOf("\r\n", at)
    const head = /^([0-9a-f]+);chunk-signature=([0-9a-f]{64})$/.exec(bytes.toString("latin1", at, end))
    if (head === null) throw new Refused(400, "IncompleteBody")
    const chunk = bytes.subarray(end + 2, end + 2 + Number.parseInt(head[1]!, 16))
    if (sign(previous, chunk) !== head[2]) throw new Refused(403, "SignatureDoesNotMatch")
    if (chunk.length === 0) return Buffer.concat(found)
    found.push(chunk)
    previous = head[2]
    at = end + 2 + chunk.length + 2
  }
}

const xml = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { "content-type": "application/xml" })
  response.end(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
}

/** Answer of ListObjectsV2, with at most this many keys. Small, so that listings have several pages. */
const pageSize = 5

const listing = (objects: ReadonlyMap<string, Stored>, query: URLSearchParams): string => {
  const prefix = query.get("prefix") ?? ""
  const delimiter = query.get("delimiter") ?? ""
  const after = query.get("continuation-token") ?? ""
  const names = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted()
  // Keys with the delimiter after the prefix are one common prefix.
  const grouped = [
    ...new Set(
      names.map((key) => {
        const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length)
        return end < 0 ? key : key.slice(0, end + delimiter.length)
      })
    )
  ].filter((name) => name > after)
  const shown = grouped.slice(0, pageSize)
  const isEncoded = query.get("encoding-type") === "url"
  const encoded = isEncoded ? encodeURIComponent : (text: string) => text
  const entries = shown.map((name) => {
    const stored = objects.get(name)
    return stored === undefined
      ? `<CommonPrefixes><Prefix>${encoded(name)}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${encoded(name)}</Key><LastModified>${stored.modified.toISOString()}</LastModified>` +
          `<ETag>"${md5(stored.bytes).digest("hex")}"</ETag><Size>${stored.bytes.length}</Size></Contents>`
  })
  const more = grouped.length > pageSize
  return (
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Prefix>${encoded(prefix)}</Prefix>` +
    (isEncoded ? "<EncodingType>url</EncodingType>" : "") +
    `<KeyCount>${shown.length}</KeyCount><IsTruncated>${more}</IsTruncated>` +
    (more ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : "") +
    `${entries.join("")}</ListBucketResult>`
  )
}
