/**
 * Tests tenant separation: two tenants call every operation of a daemon. For a thing of tenant A, tenant B must get the
 * same answer (status, headers, body, counts, cursors) as for a thing that never existed. A refused change must change
 * nothing. Each tenant's own things must work, so that an API that finds nothing fails too. Response times are out of
 * scope.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Case, Ids, List, Other, Request, Thing, Who } from "./Case.ts"
import type { Operation } from "./Operations.ts"
import { changes, ofTenant, tables } from "./Rows.ts"
import { difference } from "./Same.ts"
import { ask, askUnnamed, every, seeded, type Walk } from "./Walk.ts"
import { brief, type Reply } from "./Wire.ts"

/** Findings, one line each, beginning with the operation; empty when tenants are separated. */
export const tenancy = (walk: Walk): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const all = (yield* Effect.orDie(tables(walk.suite.sql, [walk.schema, "core"]))).filter(
      ({ name }) => !walk.mayWrite?.includes(name)
    )
    const untouched = onlyReads(walk, Effect.orDie(ofTenant(walk.suite.sql, all, walk.a.tenant)))
    return yield* every(walk, (operation, told) => {
      const look = { walk, operation, untouched }
      return told.reach === "thing"
        ? things(look, told)
        : told.reach === "list"
          ? lists(look, told)
          : others(look, told)
    })
  })

/** The same test for two persons of B's tenant, limited to the cases about one person's things. */
export const neighbours = (walk: Walk, neighbour: Who): Effect.Effect<ReadonlyArray<string>> =>
  tenancy({ ...walk, a: neighbour, only: ({ personal }) => personal === true })

interface Look {
  readonly walk: Walk
  readonly operation: Operation
  /** Runs `run` and adds a finding for each change of A's rows. */
  readonly untouched: (doing: string, run: Effect.Effect<ReadonlyArray<string>>) => Effect.Effect<ReadonlyArray<string>>
}

const onlyReads = (walk: Walk, rows: Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>>): Look["untouched"] =>
  Effect.fnUntraced(function* (doing, run) {
    // Neighbours share a tenant, so calls of B on its own things change this tenant's rows legitimately.
    if (walk.a.tenant === walk.b.tenant && doing === ownCall) return yield* run
    yield* Effect.orDie(walk.settled ?? Effect.void)
    const before = yield* rows
    const found = yield* run
    return [...found, ...changes(before, yield* rows).map((change) => `${doing} changes A's rows: ${change}`)]
  })

const things = Effect.fnUntraced(function* (look: Look, told: Thing) {
  const { operation, untouched, walk } = look
  const found: Array<string> = []
  const named = Object.keys(told.never)
  if (told.namesNothing === undefined) {
    if (named.length === 0) found.push("the case names no thing and does not say why (namesNothing)")
    const theirs: Ids = yield* seeded(walk, told, walk.a)
    const mixed: Ids = named.length > 1 ? yield* seeded(walk, told, walk.b) : {}
    const callers = [
      walk.b,
      ...(walk.powerless === undefined ? [] : [walk.powerless]),
      ...(operation.secured ? [undefined] : [])
    ]
    if (!operation.secured) found.push(unguarded)
    // Also tries each of A's ids alone, combined with B's own, because separate statements may look them up.
    for (const names of named.length > 1 ? [named, ...named.map((name) => [name])] : [named]) {
      const [asking, missing] = [theirs, told.never].map((ids) => ({ ...mixed, ...pick(ids, names) })) as [Ids, Ids]
      if (JSON.stringify(told.request(asking, walk.b)) === JSON.stringify(told.request(missing, walk.b))) {
        found.push(`the case's request says nothing of ${names.join(", ")}`)
        continue
      }
      for (const who of callers) {
        const by = who === undefined ? "nobody" : who === walk.powerless ? `${who.name} without permissions` : who.name
        const whose = `${by} with ${names.length === named.length ? "A's ids" : `A's ${names.join(", ")}`}`
        found.push(
          ...(yield* untouched(
            whose,
            Effect.gen(function* () {
              const as = who ?? walk.b
              const send = (request: Request) =>
                who === undefined ? askUnnamed(walk, operation, request) : ask(walk, operation, request, who)
              const first = yield* send(told.request(asking, as))
              const second = yield* send(told.request(missing, as))
              const apart = difference(first, second, [asking, missing])
              return [
                ...(apart === undefined
                  ? []
                  : [`${whose}, and with ids that never were, is answered differently: ${apart}`]),
                ...leaks(walk, first, whose),
                ...leaks(walk, second, `${by} with ids that never were`),
                ...unsigned(operation, who, first)
              ]
            })
          ))
        )
      }
    }
    found.push(...(yield* right(look, told, theirs, walk.a)))
  } else {
    found.push(...(yield* right(look, told, {}, walk.a)))
    found.push(...unsigned(operation, undefined, yield* askUnnamed(walk, operation, told.request({}, walk.b))))
  }
  const mine: Ids = told.namesNothing === undefined ? yield* seeded(walk, told, walk.b) : {}
  found.push(...(yield* untouched(ownCall, right(look, told, mine, walk.b))), ...(yield* keys(look, told)))
  return found
})

/** A's Idempotency-Key must have no effect for B, whatever body B sends with it. */
const keys = Effect.fnUntraced(function* ({ operation, walk }: Look, told: Thing) {
  if (!operation.parameters.some((parameter) => parameter.in === "header" && parameter.name === "idempotency-key"))
    return []
  const { made } = told
  if (made === undefined)
    return ["takes an Idempotency-Key, but the case does not say what names the thing it made (made)"]
  const found: Array<string> = []
  // First A and B send different bodies with the same key. When the body names no thing, both also send the same body.
  for (const writer of told.namesNothing === undefined ? [walk.a] : [walk.a, walk.b]) {
    const key = { "idempotency-key": randomUUID() }
    const body = Effect.fnUntraced(function* (as: Who): Effect.fn.Return<Request> {
      const request = told.request(told.namesNothing === undefined ? yield* seeded(walk, told, as) : {}, as)
      return { ...request, headers: { ...request.headers, ...key } }
    })
    const mine = yield* body(walk.b)
    const theirs = writer === walk.b ? mine : yield* body(writer)
    const first = yield* ask(walk, operation, theirs, walk.a)
    const second = yield* ask(walk, operation, mine, walk.b)
    if (second.status !== told.success) found.push(`B with A's Idempotency-Key is told of it: ${brief(second)}`)
    else if (made(first) === made(second))
      found.push(`B with A's Idempotency-Key is given A's answer: ${brief(second)}`)
    const again = yield* ask(walk, operation, theirs, walk.a)
    if (again.status !== told.success || made(again) !== made(first)) {
      found.push(`A's Idempotency-Key does not give the first answer again: ${brief(first)}, then ${brief(again)}`)
    }
  }
  return found
})

const lists = Effect.fnUntraced(function* (look: Look, told: List) {
  const { operation, walk } = look
  const mine: Ids = yield* seeded(walk, told, walk.b)
  const as = (who: Who, more?: Request["query"]) => {
    const request = told.request(mine, who)
    return ask(
      walk,
      operation,
      more === undefined ? request : { ...request, query: { ...request.query, ...more } },
      who
    )
  }
  const before = yield* as(walk.b)
  const theirs: Ids = yield* seeded(walk, told, walk.a)
  const after = yield* as(walk.b)
  const apart = difference(before, after)
  const found = [
    ...wrongs(told, after, mine, walk.b),
    ...(apart === undefined ? [] : [`what B is shown changes when A gets a thing: ${apart}`]),
    ...leaks(walk, after, "B"),
    ...unsigned(operation, undefined, yield* askUnnamed(walk, operation, told.request(mine, walk.b)))
  ]
  const shown = (reply: Reply) => (reply.status === told.success ? told.shows(reply).map(String) : [])
  const [mineId, theirId] = [String(mine[told.by]), String(theirs[told.by])]
  const ofA = yield* as(walk.a)
  found.push(...wrongs(told, ofA, theirs, walk.a))
  for (const [who, reply, own, foreign] of [
    ["B", after, mineId, theirId],
    ["A", ofA, theirId, mineId]
  ] as const) {
    if (!shown(reply).includes(own)) found.push(`${who} is not shown its own ${own}: ${brief(reply)}`)
    if (shown(reply).includes(foreign)) found.push(`${who} is shown the other's ${foreign}: ${brief(reply)}`)
  }
  for (const [index, query] of told.naming(theirs).entries()) {
    const never = told.naming(told.never)[index]
    const what = `B with ${new URLSearchParams(query as Record<string, string>)}`
    const [first, second] = [yield* as(walk.b, query), yield* as(walk.b, never)]
    const between = difference(first, second, [query, never ?? {}])
    if (between !== undefined) found.push(`${what}, and with one that never was, is answered differently: ${between}`)
    if (shown(first).includes(theirId)) found.push(`${what} is shown A's ${theirId}`)
    found.push(...leaks(walk, first, what))
  }
  return found
})

const others = Effect.fnUntraced(function* (look: Look, told: Other) {
  const { operation, untouched, walk } = look
  const found: Array<string> = []
  if (told.reach === "public") {
    const ids: Ids = yield* seeded(walk, told, walk.a)
    if (operation.secured) found.push("the case says public, but /openapi.json says that it asks for credentials")
    return [...found, ...wrongs(told, yield* ask(walk, operation, told.request(ids, walk.a), undefined), ids, walk.a)]
  }
  const theirs: Ids = yield* seeded(walk, told, walk.a)
  if (told.reach === "platform") {
    for (const who of [walk.a, walk.b, ...(walk.powerless === undefined ? [] : [walk.powerless])]) {
      found.push(
        ...(yield* untouched(
          who.name,
          Effect.gen(function* () {
            const first = yield* ask(walk, operation, told.request(theirs, who), who)
            const second = yield* ask(walk, operation, told.request({ ...theirs, ...told.never }, who), who)
            const apart = difference(first, second, [theirs, told.never])
            return [
              ...([401, 403, 404].includes(first.status)
                ? []
                : [`is the platform's alone, but ${who.name} gets ${brief(first)}`]),
              ...(apart === undefined
                ? []
                : [`${who.name}, with ids that are and ids that never were, is answered differently: ${apart}`]),
              ...(who === walk.a ? [] : leaks(walk, first, who.name))
            ]
          })
        ))
      )
    }
    found.push(
      ...wrongs(
        told,
        yield* ask(walk, operation, told.request(theirs, walk.platform), walk.platform),
        theirs,
        walk.platform
      )
    )
  } else {
    const mine: Ids = yield* seeded(walk, told, walk.b)
    found.push(
      ...(yield* untouched(ownCall, right(look, told, mine, walk.b))),
      ...(yield* right(look, told, theirs, walk.a))
    )
  }
  return [...found, ...unsigned(operation, undefined, yield* askUnnamed(walk, operation, told.request(theirs, walk.b)))]
})

/** A valid call, which must succeed. */
const right = ({ operation, walk }: Look, told: Case, ids: Ids, who: Who) =>
  Effect.map(ask(walk, operation, told.request(ids, who), who), (reply) => [
    ...wrongs(told, reply, ids, who),
    ...(who === walk.b ? leaks(walk, reply, "B") : [])
  ])

const wrongs = (told: Case, reply: Reply, ids: Ids, who: Who): ReadonlyArray<string> => {
  if (reply.status !== told.success) return [`${who.name}'s own does not work: ${brief(reply)}, not ${told.success}`]
  const wrong = told.wrong?.(reply, ids, who)
  return wrong === undefined ? [] : [`${who.name}'s own is answered wrongly: ${wrong}: ${brief(reply)}`]
}

/** B never sends A's mark, so no answer to B may contain it. Foreign ids must not cause a 5xx either. */
const leaks = (walk: Walk, reply: Reply, who: string): ReadonlyArray<string> => [
  ...(`${reply.text}${JSON.stringify(reply.headers)}`.includes(walk.a.mark)
    ? [`${who} reads A's text: ${brief(reply)}`]
    : []),
  ...(reply.status === 0 || reply.status >= 500 ? [`${who} breaks it: ${brief(reply)}`] : [])
]

const ownCall = "B's own"
const unguarded = "asks for no credentials by /openapi.json, but the case does not say public"

const unsigned = (operation: Operation, who: Who | undefined, reply: Reply): ReadonlyArray<string> => {
  if (who !== undefined) return []
  if (!operation.secured) return [unguarded]
  return reply.status === 401 ? [] : [`without credentials: ${brief(reply)}, not 401`]
}

const pick = (ids: Ids, names: ReadonlyArray<string>): Ids =>
  Object.fromEntries(names.map((name) => [name, ids[name]!]))
