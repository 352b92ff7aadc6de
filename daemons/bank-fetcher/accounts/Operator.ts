/** Implementation of `signalbox bank account …`. */
import { Effect, Option, Schema } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { columns, print, table } from "#core/cli/Output.ts"
import * as AccountChanges from "./AccountChanges.ts"
import { view } from "./AccountRow.ts"
import * as AccountStore from "./AccountStore.ts"
import { type AccountView, CreateAccount, UpdateAccount } from "./Api.ts"
import { keyStatus } from "./keys/KeyView.ts"
import { asOperator, meant } from "./OperatorServices.ts"

type Text = Option.Option<string>

interface FieldFlags {
  readonly bic: Text
  readonly holder: Text
  readonly host: Text
  readonly partner: Text
  readonly user: Text
  readonly url: Text
  readonly version: Text
  readonly signature: Text
  readonly bits: Text
  readonly daily: Text
  readonly intraday: Text
  readonly orders: Text
  readonly fetch: Text
}

interface One {
  readonly which: string
  readonly json: boolean
}

/** Order types: `daily:C53,intraday:C52`, or JSON. What is neither is refused by the schema of the request. */
const ordersOf = (text: string): unknown => {
  if (!text.startsWith("["))
    return text.split(",").map((part) => {
      const [kind = "", order = ""] = part.trim().split(":")
      return { kind, order }
    })
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Conversion of the fields that are not texts in the API. */
const typed: Readonly<Record<string, (text: string) => unknown>> = {
  key_bits: Number,
  fetch_enabled: (text) => text === "true",
  order_types: ordersOf
}

/** Fields of a request, with the texts as the API takes them. An empty text removes a field. */
const fieldsOf = (flags: FieldFlags): Readonly<Record<string, unknown>> => {
  const given: Readonly<Record<string, Text>> = {
    bic: flags.bic,
    holder: flags.holder,
    host_id: flags.host,
    partner_id: flags.partner,
    user_id: flags.user,
    server_url: flags.url,
    ebics_version: flags.version,
    signature_version: flags.signature,
    key_bits: flags.bits,
    daily_schedule: flags.daily,
    intraday_schedule: flags.intraday,
    order_types: flags.orders,
    fetch_enabled: flags.fetch
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (Option.isNone(value)) return []
      const text = value.value
      return [[name, text === "" ? null : (typed[name] ?? String)(text)] as const]
    })
  )
}

const decoded = <S extends Schema.Codec<unknown, unknown>>(schema: S, body: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(body), (error) => fail(error.message, exitUsage))

const ordersText = (orders: NonNullable<(typeof AccountView.Type)["order_types"]>): string =>
  orders.map(({ kind, order }) => `${kind}:${order}`).join(",")

const lines = (account: typeof AccountView.Type): ReadonlyArray<string> =>
  columns(
    Object.entries(account)
      .filter(([name]) => name !== "permitted")
      .map(([name, value]) => [name, value === null ? "-" : Array.isArray(value) ? ordersText(value) : String(value)])
  )

export const list = Effect.fnUntraced(function* (flags: {
  readonly tenant: Option.Option<number>
  readonly all: boolean
  readonly limit: number
  readonly json: boolean
}) {
  const filter = {
    ...(Option.isSome(flags.tenant) ? { tenant_id: flags.tenant.value } : {}),
    ...(flags.all ? {} : { active: true })
  }
  const found = (yield* asOperator(inScope(AccountStore.list(filter, undefined, flags.limit)))).map(view)
  yield* print(flags.json, found, () =>
    table("No bank accounts.", [
      ["ID", "TENANT", "IBAN", "NAME", "KEYS", "READY"],
      ...found.map((one) => [
        one.id,
        String(one.tenant_id),
        one.iban,
        one.name,
        one.key_status,
        one.active ? (one.stopped ?? (one.ready ? "yes" : "no")) : "inactive"
      ])
    ])
  )
})

export const show = Effect.fnUntraced(function* ({ json, which }: One) {
  const shown = yield* asOperator(
    Effect.flatMap(meant(which), (id) =>
      inScope(Effect.all({ account: Effect.map(AccountStore.get(id), view), keys: keyStatus(id) }))
    )
  )
  yield* print(json, shown, ({ account, keys }) => [
    ...lines(account),
    keys.next === null ? "Statements are fetched." : `Next: ${keys.next}.`
  ])
})

export const create = Effect.fnUntraced(function* (
  flags: FieldFlags & {
    readonly name: string
    readonly iban: string
    readonly currency: Text
    readonly tenant: Option.Option<number>
    readonly json: boolean
  }
) {
  const body = {
    name: flags.name,
    iban: flags.iban,
    ...(Option.isSome(flags.currency) ? { currency: flags.currency.value } : {}),
    ...(Option.isSome(flags.tenant) ? { tenant_id: flags.tenant.value } : {}),
    ...fieldsOf(flags)
  }
  const payload = yield* decoded(CreateAccount, body)
  yield* print(flags.json, yield* asOperator(AccountChanges.create(payload, undefined)), lines)
})

export const update = Effect.fnUntraced(function* (flags: FieldFlags & One & { readonly name: Text }) {
  const name = Option.isSome(flags.name) ? { name: flags.name.value } : {}
  const payload = yield* decoded(UpdateAccount, { ...name, ...fieldsOf(flags) })
  const changed = yield* asOperator(Effect.flatMap(meant(flags.which), (id) => AccountChanges.update(id, payload)))
  yield* print(flags.json, changed, lines)
})

export const deactivate = Effect.fnUntraced(function* ({ json, which }: One) {
  const account = yield* asOperator(
    Effect.flatMap(meant(which), (id) =>
      inScope(Effect.andThen(AccountStore.deactivate(id), Effect.map(AccountStore.get(id), view)))
    )
  )
  yield* print(json, account, ({ iban }) => [`${iban} is deactivated. Its keys stay; keys reset destroys them.`])
})

export const reactivate = Effect.fnUntraced(function* ({ json, which }: One) {
  const reactivated = Effect.flatMap(meant(which), (id) => inScope(AccountStore.reactivate(id)))
  yield* print(json, view(yield* asOperator(reactivated)), ({ iban }) => [`${iban} is active.`])
})
