/**
 * A browser with push subscriptions, and its push service: HTTPS on loopback. Bodies are decrypted like in a browser.
 */
import { Effect } from "effect"
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import * as https from "node:https"
import type { AddressInfo } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { makeCertificate } from "../../../mail-watcher/webmail-sending/Certificate.ts"

export interface Pushed {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Random keys of some browser. */
export const browserKeys = () => {
  const pair = createECDH("prime256v1")
  return { p256dh: pair.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") }
}

/** A browser that is registered at `path` of the service. */
export class PushBrowser {
  readonly #pair: ECDH = createECDH("prime256v1")
  readonly #auth = randomBytes(16)
  readonly #point = this.#pair.generateKeys()
  readonly endpoint: string

  constructor(service: string, path: string) {
    this.endpoint = service + path
  }

  get subscription() {
    return {
      endpoint: this.endpoint,
      expirationTime: null,
      keys: { p256dh: this.#point.toString("base64url"), auth: this.#auth.toString("base64url") }
    }
  }

  /** Decrypts a body of one record. Source: RFC 8291 §3.4, RFC 8188 §2. */
  decrypt(body: Buffer): any {
    const [salt, length] = [body.subarray(0, 16), body[20]!]
    const sender = body.subarray(21, 21 + length)
    const hkdf = (key: Uint8Array, salt: Uint8Array, info: Uint8Array, size: number) =>
      Buffer.from(hkdfSync("sha256", key, salt, info, size))
    const shared = hkdf(
      this.#pair.computeSecret(sender),
      this.#auth,
      Buffer.concat([Buffer.from("WebPush: info\0"), this.#point, sender]),
      32
    )
    const decipher = createDecipheriv(
      "aes-128-gcm",
      hkdf(shared, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16),
      hkdf(shared, salt, Buffer.from("Content-Encoding: nonce\0"), 12)
    )
    const sealed = body.subarray(21 + length)
    decipher.setAuthTag(sealed.subarray(-16))
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString("utf8"))
  }
}

/**
 * Verified claims of a VAPID header, with the key of the subscription. Source: RFC 8292 §2, §3. Throws for a wrong
 * signature.
 */
export const vapidClaims = (authorization: string, publicKey: string): any => {
  const { k, t } = /^vapid t=(?<t>[^,]+), ?k=(?<k>.+)$/.exec(authorization)!.groups!
  const point = Buffer.from(publicKey, "base64url")
  const key = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url")
    }
  })
  const [header, claims, signature] = t!.split(".")
  const good = verify(
    "sha256",
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature!, "base64url")
  )
  if (!good || k !== publicKey) throw new Error("not signed by the key")
  return JSON.parse(Buffer.from(claims!, "base64url").toString())
}

/** The push service. `answer` returns the status by path. This process trusts its certificate from now on. */
export const pushService = (answer: (path: string, before: number) => number) =>
  Effect.gen(function* () {
    const { certificate, key } = yield* makeCertificate
    setDefaultCACertificates([...getCACertificates("default"), certificate])
    const pushed: Array<Pushed> = []
    const server = https.createServer({ key, cert: certificate }, (request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const path = request.url ?? ""
        const before = pushed.filter((one) => one.path === path).length
        pushed.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
        response.writeHead(answer(path, before))
        response.end()
      })
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              server.close(() => resolve())
              server.closeAllConnections()
            })
        )
    )
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, pushed }
  })
