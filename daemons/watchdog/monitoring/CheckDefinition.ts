/** What an operator's check does. Schemas of requests and of the stored definition. */
import { Schema } from "effect"
import { boundedList } from "#core/http/BoundedList.ts"
import { plainText } from "#core/http/Paging.ts"

/** Longest URL. Unit: characters. Reason: usual servers accept 8,000; addresses of checks are shorter. */
const maxUrl = 2_000

/** Longest host name. Unit: characters. Source: RFC 1035 §2.3.4. */
const maxHost = 253

/**
 * Maximum number of arguments of a command, and their length. Reason: a check is a short command. Unit: arguments,
 * characters.
 */
const maxArguments = 50
const maxArgument = 500

/** Maximum number of accepted statuses of an HTTP check. Unit: statuses. */
const maxStatuses = 20

const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))

/** Host name or address. */
const Host = Schema.String.check(
  Schema.isMaxLength(maxHost),
  Schema.isPattern(/^[a-zA-Z0-9_]([a-zA-Z0-9_.:-]*[a-zA-Z0-9.])?$/, { message: "must be a host name or an address" })
)

const Url = plainText(maxUrl).check(
  Schema.makeFilter((text: string) => {
    const url = URL.parse(text)
    if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
      return "must be an http or https address"
    return url.username !== "" || url.password !== "" ? "must not carry a user or password" : undefined
  })
)

/** Name of a file in the folder of commands. */
const Program = Schema.String.check(
  Schema.isPattern(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}$/, { message: "must be the name of a file in the command folder" })
)

/**
 * The answer has a status of `expect` (default: 200 to 399) and contains `contains`. Measures the time of the answer.
 */
export const HttpDefinition = Schema.Struct({
  type: Schema.Literal("http"),
  url: Url,
  expect: Schema.optionalKey(
    boundedList(Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 })), {
      minimum: 1,
      maximum: maxStatuses
    })
  ),
  contains: Schema.optionalKey(plainText(500))
})

/** A connection can be established. Measures the time that it takes. */
export const TcpDefinition = Schema.Struct({ type: Schema.Literal("tcp"), host: Host, port: Port })

/** Days until the certificate of a live endpoint expires. `servername`: name for SNI; default: the host. */
export const CertificateDefinition = Schema.Struct({
  type: Schema.Literal("certificate"),
  host: Host,
  port: Port,
  servername: Schema.optionalKey(Host)
})

/**
 * A program of the command folder, without a shell. Exit codes as of Nagios plugins: 0 ok, 1 warning, 2 critical, 3
 * unknown.
 */
export const CommandDefinition = Schema.Struct({
  type: Schema.Literal("command"),
  program: Program,
  arguments: Schema.optionalKey(boundedList(plainText(maxArgument), { minimum: 0, maximum: maxArguments }))
})

export const Definition = Schema.Union([HttpDefinition, TcpDefinition, CertificateDefinition, CommandDefinition])
export type Definition = typeof Definition.Type
