/**
 * Where a mail server is dialled. One that a user named is resolved once and every address of the answer judged (AddressGuard): one that is
 * not public and not in SIGNALBOX_MAIL_ALLOW_CIDRS refuses it. The answer is an address, so that nothing is resolved a second time, and the name that
 * its certificate has to bear. Servers of ours an operator named; they are dialled by name.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { ADDRCONFIG, lookup as systemLookup, type LookupAddress } from "node:dns"
import { isIP } from "node:net"
import { type Cidr, judge, parseCidr } from "#core/http/AddressGuard.ts"
import { MailServerUnavailable } from "./Errors.ts"
import type { Server } from "./MailLogins.ts"
import type { AccountSettings } from "./Settings.ts"

/** How long a name may take to resolve. Unit: seconds. Reason: system resolvers try twice, five seconds each. */
const resolveTimeout = Duration.seconds(10)

/** What to connect to, TLS from the first byte. */
export interface Dialled {
  /** Address, or a name of our own configuration. */
  readonly host: string
  readonly port: number
  /** For SNI and the certificate's check; undefined: the host is an address, and the certificate has to bear that. */
  readonly servername: string | undefined
}

/** Resolves a name to all its addresses. */
export type Lookup = (host: string) => Promise<ReadonlyArray<LookupAddress>>

export class GuardedHost extends Context.Service<
  GuardedHost,
  {
    /** Fails with what its owner may read; the addresses of a private network are not told. */
    readonly dial: (server: Server) => Effect.Effect<Dialled, MailServerUnavailable>
  }
>()("signalbox/mail-watcher/GuardedHost") {}

/** `lookup`: the system's by default. */
export const layer = ({ allowCidrs }: Pick<AccountSettings, "allowCidrs">, lookup: Lookup = allAddresses) => {
  const allowed = allowCidrs.map(parseCidr).filter((cidr): cidr is Cidr => cidr !== undefined)
  return Layer.succeed(
    GuardedHost,
    GuardedHost.of({
      dial: Effect.fnUntraced(function* ({ foreign, host, port }) {
        const servername = isIP(host) > 0 ? undefined : host
        if (!foreign) return { host, port, servername }
        const addresses = servername === undefined ? [host] : yield* resolved(lookup, host)
        const [first] = addresses
        if (first === undefined) return yield* unavailable(`${host} has no address.`)
        if (addresses.some((address) => "forbidden" in judge(address, allowed)))
          return yield* unavailable(`${host} is not on the public internet.`)
        return { host: first, port, servername }
      })
    })
  )
}

const resolved = (lookup: Lookup, host: string) =>
  Effect.tryPromise({ try: () => lookup(host), catch: () => unavailable(`${host} cannot be resolved.`) }).pipe(
    Effect.map((found) => found.map(({ address }) => address)),
    Effect.timeoutOrElse({
      duration: resolveTimeout,
      orElse: () => Effect.fail(unavailable(`${host} cannot be resolved.`))
    })
  )

const unavailable = (detail: string) => new MailServerUnavailable({ detail })

/** Only of families that this machine has an address of: the first one is dialled. */
const allAddresses: Lookup = (host) =>
  new Promise((resolve, reject) =>
    systemLookup(host, { all: true, hints: ADDRCONFIG }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error)
    )
  )
