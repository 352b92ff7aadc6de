/**
 * A mail program that finds the servers of an address like Thunderbird: the same addresses in the same order. The
 * central database and the guessing that follow are left out. Source: wiki.mozilla.org, Thunderbird:Autoconfiguration.
 */
import * as Http from "node:http"
import * as Https from "node:https"
import { SaxesParser } from "saxes"

/** The network of a test: everything is on this machine. */
export interface Network {
  /** Certificate of the trusted authority. */
  readonly ca: Buffer
  /** Ports on 127.0.0.1; undefined: nothing listens. */
  readonly ports: { readonly https?: number; readonly http?: number }
  /** Host names that exist. */
  readonly names: ReadonlyArray<string>
}

export interface MailServer {
  readonly type: string
  readonly host: string
  readonly port: number
  readonly socket: string
  readonly user: string
  readonly authentication: ReadonlyArray<string>
}

const lookUps = (email: string): ReadonlyArray<string> => {
  const domain = email.slice(email.lastIndexOf("@") + 1)
  const own = `autoconfig.${domain}/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(email)}`
  const known = `${domain}/.well-known/autoconfig/mail/config-v1.1.xml`
  return ["https", "http"].flatMap((scheme) => [`${scheme}://${own}`, `${scheme}://${known}`])
}

/** Asks until an address answers. `asked`: the addresses so far, the answering one last. */
export const findServers = async (
  email: string,
  network: Network
): Promise<{ readonly asked: ReadonlyArray<string>; readonly servers: ReadonlyArray<MailServer> }> => {
  const asked: Array<string> = []
  for (const address of lookUps(email)) {
    asked.push(address)
    const text = await load(new URL(address), network)
    if (text !== undefined) return { asked, servers: serversOf(text, email) }
  }
  return { asked, servers: [] }
}

/** The document; undefined when the name does not exist, nothing answers, or the answer is no success. */
const load = (url: URL, { ca, names, ports }: Network): Promise<string | undefined> => {
  const secure = url.protocol === "https:"
  const port = secure ? ports.https : ports.http
  if (port === undefined || !names.includes(url.hostname)) return Promise.resolve(undefined)
  const options = {
    host: "127.0.0.1",
    port,
    path: url.pathname + url.search,
    headers: { host: url.host },
    agent: false
  }
  return new Promise((resolve) => {
    const request = secure ? Https.get({ ...options, servername: url.hostname, ca }) : Http.get(options)
    request.once("error", () => resolve(undefined))
    request.once("response", (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => (text += chunk))
      response.once("end", () => resolve(response.statusCode === 200 ? text : undefined))
    })
  })
}

/** Servers in the order of the document. */
const serversOf = (xml: string, email: string): ReadonlyArray<MailServer> => {
  const servers: Array<{ readonly type: string; readonly fields: Record<string, Array<string>> }> = []
  let text = ""
  const parser = new SaxesParser()
  parser.on("error", (error) => {
    throw error
  })
  parser.on("opentag", ({ attributes, name }) => {
    text = ""
    if (name.endsWith("Server")) servers.push({ type: String(attributes["type"]), fields: {} })
  })
  parser.on("text", (part) => void (text += part))
  parser.on("closetag", ({ name }) => {
    const fields = servers.at(-1)?.fields
    if (fields !== undefined) (fields[name] ??= []).push(text)
  })
  parser.write(xml).close()
  return servers.map(({ fields, type }) => ({
    type,
    host: fields["hostname"]![0]!,
    port: Number(fields["port"]![0]),
    socket: fields["socketType"]![0]!,
    user: fields["username"]![0]!.replace("%EMAILADDRESS%", email),
    authentication: fields["authentication"]!
  }))
}
