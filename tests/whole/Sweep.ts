/**
 * Calls every operation and every further route of the daemons once, with made-up arguments. A program: the test runs
 * it inside the booted system, where the daemons have their default ports. Arguments: a platform token, e-mail address
 * and password of an administrator, and the daemons as a JSON array of `SweptDaemon`, because loading their code takes
 * longer than all calls. Prints a JSON array of `Called`.
 *
 * Creating calls come first and deleting ones last, so that the calls between them find what they name.
 */
import { type Operation, operationsOf } from "#support/walk/Operations.ts"
import { type Reply, send, wireOf } from "#support/walk/Wire.ts"
import { examplesOf } from "./Examples.ts"
import { type Examples, sample } from "./Sample.ts"

/** One call and its answer. `code`: of the problem, for a refused call. */
export interface Called {
  readonly daemon: string
  readonly operation: string
  readonly status: number
  readonly code?: string
  /** The request and the start of the answer. */
  readonly detail: string
}

/** A daemon to call. */
export interface SweptDaemon {
  readonly name: string
  readonly port: number
  /** Prefixes of routes without an operation: answers of the fast lane, web sockets and files. */
  readonly otherRoutes: ReadonlyArray<string>
}

type Headers = Readonly<Record<string, string>>

const [token = "", email = "", firstPassword = "", described = ""] = process.argv.slice(2)
const daemons: ReadonlyArray<SweptDaemon> = JSON.parse(described)
/** The present one: an operation of the walk changes it. */
let password = firstPassword
const identity = daemons.find(({ name }) => name === "identity")!
const baseOf = (port: number) => `http://127.0.0.1:${port}`

/** Order of the calls: creates, reads, acts on a thing, changes, deletes, ends the session. */
const rank = ({ method, name, template }: Operation): number =>
  /logout|sign-out|auth\/sessions/.test(name) && method !== "GET"
    ? 9
    : method === "DELETE"
      ? 5
      : method === "GET"
        ? 2
        : method === "POST"
          ? template.includes("{")
            ? 3
            : 1
          : 4

const signIn = async (): Promise<Headers> => {
  const body = JSON.stringify({ email, password })
  const headers = { "content-type": "application/json" }
  const { json, text } = await send(baseOf(identity.port), {
    method: "POST",
    path: "/api/v1/auth/login",
    headers,
    body
  })
  if (json?.access_token === undefined) throw new Error(`no sign-in: ${text}`)
  return { authorization: `Bearer ${json.access_token}` }
}

const called: Array<Called> = []
const platform: Headers = { "x-service-token": token }
let user = await signIn()

const record = (daemon: string, operation: string, request: string, { json, status, text }: Reply) =>
  called.push({
    daemon,
    operation,
    status,
    ...(typeof json?.code === "string" ? { code: json.code } : {}),
    detail: `${request} -> ${text.slice(0, 500)}`
  })

/** Ids of created things, by path of their collection. */
const ids = new Map<string, unknown>()

const walk = async (base: string, daemon: string, operation: Operation) => {
  const given: Examples = { ...examplesOf(operation.name), current_password: password }
  let path = ""
  const values: Record<string, string> = {}
  for (const part of operation.template.split("/").slice(1)) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    if (name !== undefined) {
      const schema = operation.parameters.find((one) => one.in === "path" && one.name === name)?.schema ?? {}
      // The documents do not say that most of these are numbers.
      const unnamed = schema.pattern === undefined && schema.enum === undefined ? 1 : sample(schema, name, {})
      values[name] = String(ids.get(`${base}${path}`) ?? given[name] ?? unnamed)
    }
    path += `/${name === undefined ? part : values[name]}`
  }
  const required = operation.parameters.filter((one) => one.required || given.optional?.includes(one.name))
  const of = (where: "query" | "header") =>
    Object.fromEntries(
      required.filter((one) => one.in === where).map(({ name, schema }) => [name, String(sample(schema, name, given))])
    )
  const [[type, schema] = []] = Object.entries(operation.bodies)
  const value = schema === undefined ? undefined : sample(schema, "body", given)
  const body =
    value === undefined
      ? {}
      : type === "application/x-www-form-urlencoded"
        ? { form: value as Record<string, string> }
        : { body: value }
  const request = {
    path: values,
    query: of("query"),
    headers: { ...of("header"), ...(type === undefined ? {} : { "content-type": type }) },
    ...body
  }
  const as = (headers: Headers) =>
    send(base, wireOf(operation.method, operation.template, request, { headers } as never))
  let reply = await as(user)
  if (reply.status === 401) {
    user = await signIn()
    reply = await as(user)
  }
  if (reply.status === 401 || reply.status === 403) reply = await as(platform)
  if (operation.name === "POST /api/v1/auth/password" && reply.status < 300) password = String(given["new_password"])
  if (operation.method === "POST" && reply.status < 300) {
    const id = reply.json?.id ?? reply.json?.uuid ?? reply.json?.uid
    if (id !== undefined) ids.set(`${base}${path}`, id)
  }
  record(daemon, operation.name, JSON.stringify(request), reply)
}

for (const daemon of daemons) {
  const base = baseOf(daemon.port)
  const { json } = await send(base, { method: "GET", path: "/openapi.json", headers: {} })
  const operations = operationsOf(json)
  for (const operation of operations.toSorted((a, b) => rank(a) - rank(b) || a.template.length - b.template.length)) {
    await walk(base, daemon.name, operation)
  }
  for (const prefix of daemon.otherRoutes) {
    for (const method of ["GET", "POST"]) {
      const reply = await send(base, { method, path: prefix, headers: platform })
      record(daemon.name, `${method} ${prefix}`, "", reply)
    }
  }
}
process.stdout.write(JSON.stringify(called))
