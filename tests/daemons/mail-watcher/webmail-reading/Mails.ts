/** Mails for reading tests, and API calls. */
import { Effect } from "effect"
import { Buffer } from "node:buffer"
import { as, type Placed } from "../Watcher.ts"

/** A mail with these header lines and this body. */
export const mail = (headers: Readonly<Record<string, string>>, body: string): string =>
  [
    ...Object.entries({ From: "Eve <eve@far.test>", To: "ann@example.test", "MIME-Version": "1.0", ...headers }).map(
      ([name, value]) => `${name}: ${value}`
    ),
    "",
    body
  ].join("\r\n")

export interface Part {
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A multipart body with boundaries. */
export const multipart = (kind: string, parts: ReadonlyArray<Part>, boundary = `b-${kind}`) => ({
  type: `multipart/${kind}; boundary="${boundary}"`,
  body: [
    ...parts.map(({ body, headers = {}, type }) =>
      [
        `--${boundary}`,
        `Content-Type: ${type}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        "",
        body
      ].join("\r\n")
    ),
    `--${boundary}--`,
    ""
  ].join("\r\n")
})

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/.{76}/g, "$&\r\n")

export const webmail = "/api/v1/mail/webmail"

/** API calls as the account's owner in tenant 7. */
export const callsOf = ({ suite }: Placed, tenant = 7) => ({
  get: (path: string) =>
    Effect.map(
      suite.call("GET", `${webmail}${path}`, as(tenant)),
      (answer: { readonly status: number; readonly json: any }) => answer
    ),
  ok: (path: string) =>
    Effect.flatMap(
      suite.call("GET", `${webmail}${path}`, as(tenant)),
      ({ json, status }: { readonly status: number; readonly json: any }) =>
        status === 200 ? Effect.succeed(json) : Effect.die(new Error(`${path}: ${status} ${JSON.stringify(json)}`))
    ),
  /** The answer without parsing. */
  raw: (path: string, signal?: AbortSignal) =>
    Effect.promise(() =>
      fetch(`${suite.base()}${webmail}${path}`, { ...as(tenant), ...(signal === undefined ? {} : { signal }) })
    )
})
