/** What the walks do with each operation of those who run the page. Seeds are the provider's own, whoever asks. */
import { Effect } from "effect"
import { type Cases, platformOnly, type Request, type Who } from "#support/walk/Case.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import type { Reply } from "#support/walk/Wire.ts"
import { callsOf, hence, outage, work } from "../Operation.ts"

const base = "/api/v1/admin"
const reason = "the status page is the provider's"

export const adminCases = (
  suite: TestSuite,
  platform: { readonly headers: Readonly<Record<string, string>> }
): Cases => {
  const { draft, maintenance, published } = callsOf(suite, platform)
  const { sql } = suite
  let count = 0
  /** With a mark in every text. */
  const words = ({ mark }: Who) => ({ title: mark, title_en: mark, message: mark, message_en: mark })
  const never = { id: "2000-01-01-never" }
  const idOf = ({ id }: { readonly id: string }) => ({ id })
  const isThat = ({ json }: Reply, { id }: { readonly id: string }) => (json.id === id ? undefined : `not ${id}`)
  const aDraft = (as: Who) => Effect.map(draft(words(as)), idOf)
  const anOpenOne = (as: Who) => Effect.map(published(words(as)), idOf)
  const aWindow = (as: Who) => Effect.map(maintenance(words(as)), idOf)
  const about = (
    seed: (as: Who) => Effect.Effect<{ readonly id: string }, unknown>,
    success: number,
    body?: (as: Who) => object,
    more: object = {}
  ) =>
    platformOnly<any>(reason, {
      seed,
      never,
      request: ({ id }: { readonly id: string }, as: Who): Request => ({
        path: { id },
        ...(body === undefined ? {} : { body: body(as) })
      }),
      success,
      ...(success === 204 ? {} : { wrong: isThat }),
      // Words that any id may be are looked for, and not found.
      freeText: ["path.id"],
      ...more
    })
  const listed = (
    path: string,
    seed: (as: Who) => Effect.Effect<{ readonly id: string | number }, unknown>,
    query: Request["query"]
  ) => ({
    [`GET ${base}/${path}`]: platformOnly<any>(reason, {
      seed,
      request: () => ({ query: { limit: 200, before: 2_000_000, ...query } }),
      success: 200,
      wrong: ({ json }: Reply, { id }: { readonly id: string | number }) =>
        json.items.some((item: any) => item.id === id) ? undefined : `does not list ${id}`
    })
  })
  const aSubscriber = Effect.fnUntraced(function* ({ mark }: Who) {
    const hash = (++count).toString(16).padStart(64, "0")
    const [row] = yield* sql<{ id: number }>`insert into status_checker.subscribers ${sql.insert({
      email: `${mark.toLowerCase()}-${count}@example.org`,
      lang: "de",
      components: [mark],
      status: "pending",
      unsubscribe: hash,
      unsubscribe_envelope: mark
    })} returning id`
    return row!
  })
  const aMail = Effect.fnUntraced(function* (as: Who) {
    const { id } = yield* aSubscriber(as)
    const [row] = yield* sql<{ id: bigint }>`insert into status_checker.mails ${sql.insert({
      subscriber_id: id,
      kind: "notice",
      ref: `${as.mark}${++count}`,
      message_id: `<${as.mark}-${count}@example.org>`,
      state: "failed",
      last_error: as.mark
    })} returning id`
    return { id: Number(row!.id) }
  })
  const timed = { starts_at: hence(48), ends_at: hence(50) }
  const began = "2026-01-31T12:00:00Z"

  const named = ({ mark }: Who) => ({ name: mark, name_en: mark, group: mark, group_en: mark, checks: [] })
  const aComponent = Effect.fnUntraced(function* (as: Who) {
    const id = `made-${++count}`
    yield* callsOf(suite, platform).post("components", { id, ...named(as) })
    return { id }
  })
  /** Nothing listens at this port. */
  const nothing = { type: "http", url: "http://127.0.0.1:1/" }

  return {
    [`GET ${base}/components`]: platformOnly<any>(reason, {
      seed: aComponent,
      request: () => ({}),
      success: 200,
      wrong: ({ json }: Reply, { id }: { readonly id: string }) =>
        json.items.some((item: any) => item.id === id) ? undefined : `does not list ${id}`
    }),
    [`POST ${base}/components`]: platformOnly(reason, {
      request: (_, as) => ({ body: { id: `given-${++count}`, ...named(as) } }),
      success: 201
    }),
    [`POST ${base}/components/try`]: platformOnly(reason, {
      request: () => ({ body: { checks: [nothing] } }),
      success: 200
    }),
    [`PUT ${base}/components/{id}`]: about(aComponent, 200, named),
    [`DELETE ${base}/components/{id}`]: about(aComponent, 204),
    ...listed("incidents", aDraft, { state: "draft" }),
    [`POST ${base}/incidents`]: platformOnly(reason, {
      request: (_, as) => ({
        body: {
          ...outage,
          ...words(as),
          id: `given-${++count}`,
          status: "identified",
          created_at: began,
          publish: false
        }
      }),
      success: 201
    }),
    [`GET ${base}/incidents/{id}`]: about(aDraft, 200),
    [`PUT ${base}/incidents/{id}`]: platformOnly<any>(reason, {
      seed: (as) => Effect.map(draft(words(as)), ({ id, updated_at }) => ({ id, at: updated_at })),
      never: { ...never, at: began },
      request: ({ at, id }, as) => ({
        path: { id },
        body: { ...words(as), severity: "minor", components: ["dns"], updated_at: at }
      }),
      success: 200,
      wrong: isThat,
      freeText: ["path.id"]
    }),
    [`DELETE ${base}/incidents/{id}`]: about(aDraft, 204),
    [`POST ${base}/incidents/{id}/updates`]: about(anOpenOne, 201, ({ mark }) => ({
      status: "monitoring",
      message: mark,
      message_en: mark
    })),
    [`POST ${base}/incidents/{id}/publish`]: about(aDraft, 200),
    [`POST ${base}/incidents/{id}/resolve`]: about(anOpenOne, 201, ({ mark }) => ({ message: mark, message_en: mark })),
    ...listed("maintenance", aWindow, { state: "planned" }),
    [`POST ${base}/maintenance`]: platformOnly(reason, {
      request: (_, as) => ({ body: { ...work, ...words(as), id: `given-${++count}` } }),
      success: 201
    }),
    [`PUT ${base}/maintenance/{id}`]: platformOnly<any>(reason, {
      seed: (as) => Effect.map(maintenance(words(as)), ({ id, updated_at }) => ({ id, at: updated_at })),
      never: { ...never, at: began },
      request: ({ at, id }, as) => ({
        path: { id },
        body: { ...words(as), ...timed, components: ["webmail"], updated_at: at }
      }),
      success: 200,
      wrong: isThat,
      freeText: ["path.id"]
    }),
    [`DELETE ${base}/maintenance/{id}`]: about(aWindow, 204),
    ...listed("subscribers", aSubscriber, { status: "pending" }),
    [`DELETE ${base}/subscribers/{id}`]: platformOnly<any>(reason, {
      seed: aSubscriber,
      never: { id: 2_000_000_000 },
      request: ({ id }) => ({ path: { id } }),
      success: 204
    }),
    [`GET ${base}/checks`]: platformOnly(reason, {
      success: 200,
      // The cases of components add some to the three of the file.
      wrong: ({ json }) => (json.items.length >= 3 ? undefined : "not every component")
    }),
    [`POST ${base}/checks`]: platformOnly(reason, { success: 202 }),
    ...listed("mails", aMail, { state: "failed" })
  }
}
