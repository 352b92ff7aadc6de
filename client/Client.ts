/** Calls operations of the HTTP API by name. Types come from the API document (Operations.ts). Needs only `fetch`. */
import { type Operations, operations } from "./Operations.ts"

export type { Operations } from "./Operations.ts"

export interface ConnectOptions {
  /** Address of the gateway. */
  readonly url: string
  /** Token of a program. */
  readonly serviceToken?: string
  /** Access token of a person. */
  readonly bearer?: string
  readonly fetch?: typeof globalThis.fetch
  /** Time limit of a request. Unit: milliseconds. Default: 30,000, as the server's. */
  readonly timeout?: number
}

/** Problem details of a refused request. Source: RFC 9457. */
export interface Problem {
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly [more: string]: unknown
}

/** The server answered with a status of 300 or more. */
export class RequestRefused extends Error {
  readonly status: number
  readonly problem: Problem

  constructor(name: string, status: number, problem: Problem) {
    super(`${name}: ${status} ${problem.detail ?? problem.title ?? ""}`.trim())
    this.name = "RequestRefused"
    this.status = status
    this.problem = problem
  }
}

/** Input of an operation; may be left out when nothing in it is required. */
type Input<Name extends keyof Operations> = {} extends Operations[Name]["input"]
  ? [input?: Operations[Name]["input"]]
  : [input: Operations[Name]["input"]]

/** Calls an operation. Rejects with `RequestRefused`, or with the error of `fetch`. */
export type Call = <Name extends keyof Operations>(
  name: Name,
  ...input: Input<Name>
) => Promise<Operations[Name]["answer"]>

/** What `Input` is for an operation that is not known when this code is written: all parts of a request. */
interface AnyInput {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const defaultTimeout = 30_000

/** A client for one installation. */
export const connect = (options: ConnectOptions): Call => {
  const send = options.fetch ?? globalThis.fetch
  return async (name, ...[input]) => {
    const [method, path] = operations[name]
    const { body, header = {}, path: values = {}, query = {} } = (input ?? {}) as AnyInput
    const url = new URL(
      path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(values[field]))),
      options.url
    )
    for (const [field, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(field, String(value))
    const isJson = body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array)
    const answer = await send(url, {
      method,
      headers: {
        accept: "application/json, */*;q=0.5",
        ...(isJson ? { "content-type": "application/json" } : {}),
        ...(options.serviceToken === undefined ? {} : { "x-service-token": options.serviceToken }),
        ...(options.bearer === undefined ? {} : { authorization: `Bearer ${options.bearer}` }),
        ...Object.fromEntries(Object.entries(header).map(([field, value]) => [field, String(value)]))
      },
      ...(body === undefined
        ? {}
        : { body: isJson ? JSON.stringify(body) : (body as string | Uint8Array<ArrayBuffer>) }),
      redirect: "manual",
      signal: AbortSignal.timeout(options.timeout ?? defaultTimeout)
    })
    const text = await answer.text()
    const type = answer.headers.get("content-type") ?? ""
    const value = text === "" ? undefined : /json/.test(type) ? (JSON.parse(text) as unknown) : text
    if (answer.ok) return value as never
    throw new RequestRefused(
      name,
      answer.status,
      typeof value === "object" && value !== null ? (value as Problem) : { title: text }
    )
  }
}
