/**
 * Sends every operation of a daemon all invalid inputs that can be derived from its schema. Each must be answered with
 * 4xx and a problem with a code; a 422 must name the field. Answers must not reveal internals, and no row may change.
 */
import { Effect } from "effect"
import type { BadInput } from "./BadInput.ts"
import { bodyInputs } from "./BodyInputs.ts"
import type { Case, Exception, Ids, Who } from "./Case.ts"
import type { Operation } from "./Operations.ts"
import { formInputs, methodInputs, parameterInputs } from "./ParameterInputs.ts"
import { changes, fingerprints, type Reading, tables } from "./Rows.ts"
import { verdict } from "./Verdict.ts"
import { every, seeded, type Walk } from "./Walk.ts"
import { send, type Wire, wireOf } from "./Wire.ts"

/** Tables of core that a refused call must not change either, except those in `mayWrite`. */
const coreTables = new Set(["core.event", "core.audit", "core.idempotency_key"])

/** Findings, one line each; empty when every invalid request is refused correctly. */
export const badInput = (walk: Walk): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const all = (yield* Effect.orDie(tables(walk.suite.sql, [walk.schema, "core"]))).filter(
      ({ name }) => (!name.startsWith("core.") || coreTables.has(name)) && !walk.mayWrite?.includes(name)
    )
    const rows = Effect.orDie(fingerprints(walk.suite.sql, all))
    const later: Array<Effect.Effect<ReadonlyArray<string>>> = []
    const found = yield* every(
      walk,
      Effect.fnUntraced(function* (operation, told, operations) {
        const { inputs, untried } = yield* inputsOf(walk, operation, told, operations)
        const judged = inputs.map((input) => ({
          input,
          exception: told.except?.find(({ input: pattern }) => fits(pattern, input.name))
        }))
        const judge = ({ exception, input }: (typeof judged)[number]) =>
          Effect.map(
            Effect.promise(() => send(walk.suite.base(), input.wire)),
            (reply) => {
              const wrong = verdict(input, reply, exception, told.success)
              return wrong === undefined ? [] : [`${input.name} ${wrong}`]
            }
          )
        // Inputs that a case accepts write rows. They run last, after all comparisons of rows.
        const taken = judged.filter(
          ({ exception }) => exception !== undefined && (exception.status ?? told.success) < 400
        )
        later.push(
          Effect.map(Effect.forEach(taken, judge), (lines) => lines.flat().map((line) => `${operation.name}: ${line}`))
        )
        const refused = judged.filter((each) => !taken.includes(each))
        yield* walk.settled ?? Effect.void
        const before = yield* rows
        const lines = (yield* Effect.forEach(refused, judge)).flat()
        const written = changes(before, yield* rows)
        const unused = (told.except ?? []).filter(({ input }) => !inputs.some(({ name }) => fits(input, name)))
        return [
          ...untried.map((place) => `${place}: the case's body has no value here, so nothing was tried`),
          ...unused.map(({ input }) => `the exception ${input} fits no input`),
          ...lines,
          ...(written.length === 0
            ? []
            : yield* culprits(
                walk,
                refused.map(({ input }) => input),
                rows,
                written
              ))
        ]
      })
    )
    return [...found, ...(yield* Effect.forEach(later, (each) => each)).flat()]
  })

/** Sends each input again, alone, to find the ones that write rows. */
const culprits = Effect.fnUntraced(function* (
  walk: Walk,
  inputs: ReadonlyArray<BadInput>,
  rows: Effect.Effect<Reading>,
  all: ReadonlyArray<string>
) {
  const found: Array<string> = []
  let before = yield* rows
  for (const input of inputs) {
    yield* Effect.promise(() => send(walk.suite.base(), input.wire))
    yield* Effect.orDie(walk.settled ?? Effect.void)
    const after = yield* rows
    found.push(...changes(before, after).map((change) => `${input.name} writes: ${change}`))
    before = after
  }
  return found.length > 0 ? found : all.map((change) => `something among the wrong input writes, once: ${change}`)
})

const inputsOf = Effect.fnUntraced(function* (
  walk: Walk,
  operation: Operation,
  told: Case,
  all: ReadonlyArray<Operation>
) {
  const who: Who | undefined = told.reach === "public" ? undefined : told.reach === "platform" ? walk.platform : walk.a
  const ids: Ids =
    told.reach === "thing" && told.namesNothing !== undefined ? {} : yield* seeded(walk, told, who ?? walk.a)
  const request = told.request(ids, who ?? walk.a)
  const right: Wire = wireOf(operation.method, operation.template, request, who)
  const { "application/json": json, "application/x-www-form-urlencoded": form } = operation.bodies
  const body =
    json === undefined || request.form !== undefined
      ? { inputs: [], untried: [] }
      : bodyInputs(right, json, request.body)
  return {
    inputs: [
      ...body.inputs,
      ...(request.form === undefined ? [] : formInputs(right, form ?? {}, request.form)),
      ...parameterInputs(operation, right, told.freeText ?? []),
      ...methodInputs(right, all)
    ],
    untried: body.untried
  }
})

/** Whether the pattern matches the name; `*` matches any text. */
export const fits = (pattern: Exception["input"], name: string): boolean =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "s"
  ).test(name)
