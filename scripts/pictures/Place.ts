/** A whole suite as `signalbox up` starts it, in a folder that is deleted at the end. */
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Environment, ensureBuilt, environmentOf, run, start } from "../../tests/support/Executable.ts"

/** Password of the users in the pictures. */
export const password = "correct horse battery"

/** Secret of the payment provider, whose events are signed with it. */
export const paymentSecret = "secret-of-the-pictures"

/** Longest orderly stop. Unit: milliseconds. Reason: the process gives up its connections after 20 s. */
const stopWithin = 30_000

/**
 * JSON answer of an API call with a service token of the platform. Throws unless it succeeds. A text is sent as bytes,
 * a form as its parts.
 */
export type Ask = (method: string, path: string, body?: unknown) => Promise<any>

export interface Place {
  /** Address of the gateway. */
  readonly base: string
  /** What `signalbox up` printed until everything was ready. */
  readonly printed: string
  /** Sign-in link of the first administrator. */
  readonly link: string
  readonly status: string | undefined
  readonly edge: string | undefined
  readonly ask: Ask
  readonly stop: () => Promise<void>
}

/** First address in a line of the output. */
const addressIn = (line: string): string | undefined => /https?:\/\/[^\s)]+/.exec(line)?.[0]?.replace(/\/$/, "")

/** A port of the loopback interface that is free now. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

/** `more`: further variables, made for the folder. */
export const startPlace = async (more: (folder: string) => Environment = () => ({})): Promise<Place> => {
  ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), "signalbox-pictures-"))
  // The embedded Postgres runs as a user of its own when the script runs as root.
  chmodSync(folder, 0o711)
  const env: Environment = {
    ...environmentOf(folder),
    ...more(folder),
    // A known port: the watchdog asks the daemons at the gateway's address.
    SIGNALBOX_GATEWAY_PORT: String(await freePort()),
    SIGNALBOX_GATEWAY_RATE: "10000",
    SIGNALBOX_GATEWAY_BURST: "10000",
    AUTH_RATE_LIMIT_MAX: "1000",
    PAYMENTS_CARD_WEBHOOK_SECRET: paymentSecret
  }
  const suite = start(["up"], env)
  const base = (await suite.line("ready ")).slice("ready ".length).trim()
  const optional = async (label: string) => {
    const waiting = suite.line(label).then(addressIn, () => undefined)
    // The lines are printed together, before the last one.
    await suite.line("try: ")
    return Promise.race([waiting, new Promise<undefined>((resolve) => setTimeout(resolve, 200))])
  }
  const link = /https?:\S+/.exec(await suite.line("sign-in link: "))![0]
  const status = await optional("status page: ")
  // The line has the address of the login page.
  const edge = (await optional("edge: "))?.replace(/\/login$/, "")
  const { stdout } = await run(["token", "create", "--name", "pictures", "--json"], env)
  const token = /sbt_[\w-]+/.exec(stdout)?.[0] ?? (JSON.parse(stdout) as { readonly token: string }).token
  return {
    base,
    printed: suite.printed(),
    link,
    status,
    edge,
    ask: async (method, path, body) => {
      const isText = typeof body === "string"
      // A form brings its own content type, with the boundary of its parts.
      const isForm = body instanceof FormData
      const answer = await fetch(base + path, {
        method,
        headers: {
          "x-service-token": token,
          ...(body === undefined || isForm
            ? {}
            : { "content-type": isText ? "application/octet-stream" : "application/json" })
        },
        ...(body === undefined ? {} : { body: isText || isForm ? body : JSON.stringify(body) })
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
      return text === "" ? undefined : JSON.parse(text)
    },
    stop: async () => {
      suite.signal("SIGTERM")
      const late = setTimeout(() => suite.signal("SIGKILL", "group"), stopWithin)
      await suite.ended
      clearTimeout(late)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
