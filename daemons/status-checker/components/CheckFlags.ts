/** Checks as flags of commands name them. Pure. */
import { Option, Result } from "effect"

export interface CheckFlags {
  readonly http: Option.Option<string>
  readonly tcp: Option.Option<string>
  readonly tls: Option.Option<string>
  readonly dns: Option.Option<string>
}

/** A host and its port: `example.org:25`, `[2001:db8::1]:25`. The port is undefined when the text has none. */
const hostAndPort = (text: string) => {
  const [, inBrackets, bare, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = inBrackets ?? bare
  return host === undefined ? undefined : { host, ...(port === undefined ? {} : { port: Number(port) }) }
}

/** The checks of the flags, in the form of SERVICES_FILE. A failure is a sentence. */
export const checksOf = ({
  dns,
  http,
  tcp,
  tls
}: CheckFlags): Result.Result<ReadonlyArray<Readonly<Record<string, unknown>>>, string> =>
  Result.gen(function* () {
    const found: Array<Readonly<Record<string, unknown>>> = []
    if (Option.isSome(http)) found.push({ type: "http", url: http.value })
    if (Option.isSome(tcp)) {
      const target = hostAndPort(tcp.value)
      if (target?.port === undefined) return yield* Result.fail("--tcp needs a host and a port, such as example.org:25")
      found.push({ type: "tcp", ...target })
    }
    if (Option.isSome(tls)) {
      const target = hostAndPort(tls.value)
      if (target === undefined) return yield* Result.fail("--tls needs a host, such as example.org or example.org:993")
      found.push({ type: "tls", ...target })
    }
    if (Option.isSome(dns)) {
      const [name, type] = dns.value.split(":")
      found.push({ type: "dns", name, ...(type === undefined ? {} : { record_type: type.toUpperCase() }) })
    }
    return found
  })
