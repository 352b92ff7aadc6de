/**
 * Resolves the host of a mail server before connecting. A host that a user named is resolved once and AddressGuard
 * judges every address. One address that is neither public nor in SIGNALBOX_MAIL_ALLOW_CIDRS refuses the host.
 * Connecting to the judged address avoids a second resolution. Our own servers are named by the operator and not
 * judged.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { ADDRCONFIG, lookup as systemLookup, type LookupAddress } from "node:dns"
import { isIP } from "node:net"
import { type Cidr, judge, parseCidr } from "#core/http/AddressGuard.ts"
import { MailServerUnavailable } from "./Errors.ts"
import type { Server } from "./MailLogins.ts"
import type { AccountSettings } from "./Settings.ts"

/** Timeout of the name resolution. Unit: seconds. Reason: system resolvers try twice, five seconds each. */
const resolveTimeout = Duration.seconds(10)

/** Connection target, TLS from the first byte. */
export interface Dialled {
  /** An address, or a host name from our configuration. */
  readonly host: string
  readonly port: number
  /** Name for SNI and certificate verification. Undefined: the certificate must name the address. */
  readonly servername: string | undefined
}

/** Resolves a host name to all its addresses. */
export type Lookup = (host: string) => Promise<ReadonlyArray<LookupAddress>>

export class GuardedHost extends Context.Service<
  GuardedHost,
  {
    /** The error's detail is shown to the user and does not reveal private addresses. */
    readonly dial: (server: Server) => Effect.Effect<Dialled, MailServerUnavailable>
  }
>()("signalbox/mail-watcher/GuardedHost") {}

/** `lookup` defaults to the system resolver. */
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

/** Returns only address families that this machine has, because only the first address is dialled. */
const allAddresses: Lookup = (host) =>
  new Promise((resolve, reject) =>
    systemLookup(host, { all: true, hints: ADDRCONFIG }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error)
    )
  )
