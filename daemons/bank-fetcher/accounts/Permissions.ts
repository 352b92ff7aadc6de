/** Asks the bank what an account may fetch, and stores the answer. */
import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import type { EbicsError } from "#protocols/ebics/EbicsError.ts"
import * as Ebics from "#protocols/ebics/Permissions.ts"
import type { Service } from "#protocols/ebics/OrderTypes.ts"
import { download, type DownloadRefused } from "./AdminDownload.ts"
import * as AccountStore from "./AccountStore.ts"
import type { BankUnreachable } from "./BankClient.ts"
import type { Connection } from "./Connections.ts"
import { BankConnections } from "./Connections.ts"
import { AccountUnfit, BankFailed, BankRefused, PassphraseMissing } from "./Errors.ts"
import type { Permitted, Service as ServiceField } from "./FieldSchemas.ts"

/** Why a connection cannot be used now, as an answer. */
const opened = (id: string) =>
  Effect.flatMap(BankConnections, ({ connection }) =>
    orUnavailable(connection(id)).pipe(
      Effect.catchTags({
        KeysLocked: () => Effect.fail(new PassphraseMissing({ detail: "POST keys/unlock with the passphrase first." })),
        NotReady: ({ reason }) => Effect.fail(new AccountUnfit({ reason, detail: unready[reason] })),
        Stopped: ({ reason }) => Effect.fail(new AccountUnfit({ reason: "stopped", detail: `Stopped: ${reason}.` }))
      })
    )
  )

const unready = {
  missing: "The account does not exist.",
  inactive: "Reactivate the account first.",
  no_ebics: "The account has no EBICS fields.",
  keys: "The key steps are not finished, or the account is suspended.",
  bank_keys: "Compare the hashes of the bank's keys and POST keys/bank/accept first."
} as const

export const refresh = Effect.fnUntraced(function* (id: string) {
  // Answers 404 for an account of another tenant before the connection, which sees all accounts.
  yield* orUnavailable(inScope(AccountStore.get(id)))
  const first = yield* opened(id)
  const answer = yield* Effect.catch(ask(first), (error) =>
    Effect.flatMap(mayChangeKeys(error) ? first.bankKeysRefused : Effect.succeed("unchanged" as const), (found) =>
      found === "retry" ? Effect.flatMap(opened(id), ask) : Effect.fail(error)
    )
  ).pipe(
    Effect.catchTags({
      DownloadRefused: ({ symbol, value }) =>
        Effect.fail(new BankRefused({ bank_code: value, symbol, detail: `The bank answered ${value} ${symbol}.` })),
      EbicsError: (error) => Effect.fail(new BankFailed({ detail: error.message, retryable: error.repeatable })),
      BankUnreachable: ({ detail, retryable }) => Effect.fail(new BankFailed({ detail, retryable }))
    })
  )
  return yield* orUnavailable(inScope(AccountStore.storePermitted(id, answer)))
})

/** Whether the failure can come from changed keys of the bank, or from the other kind of digest. */
export const mayChangeKeys = (error: DownloadRefused | EbicsError | BankUnreachable): boolean =>
  error._tag === "DownloadRefused"
    ? error.kind === "BankKeysChanged" || error.value === "061001"
    : error._tag === "EbicsError" && error.reason._tag === "BadSignature"

const ask = Effect.fnUntraced(function* (connection: Connection) {
  const { version } = connection.subscriber
  const htd = yield* download(connection, "HTD")
  const user = htd === undefined ? undefined : yield* Effect.fromResult(Ebics.htd(htd, version))
  // Some banks do not offer HAA.
  const haa = yield* Effect.catchTag(download(connection, "HAA"), "DownloadRefused", (error) =>
    error.kind === "NotAllowed" ? Effect.succeed(null) : Effect.fail(error)
  )
  const available = haa === null ? null : haa === undefined ? none : yield* Effect.fromResult(Ebics.haa(haa, version))
  const permitted: Permitted = {
    order_types: user?.orderTypes ?? [],
    services: (user?.services ?? []).map(service),
    available:
      available === null ? null : { order_types: available.orderTypes, services: available.services.map(service) },
    accounts: (user?.accounts ?? []).map(({ currency, holder, iban }) => ({
      iban: iban ?? null,
      currency: currency ?? null,
      holder: holder ?? null
    })),
    fetched_at: new Date().toISOString()
  }
  return permitted
})

const none = { orderTypes: [], services: [] }

const service = (one: Service): typeof ServiceField.Type => ({
  name: one.name,
  message: one.message,
  ...(one.scope === undefined ? {} : { scope: one.scope }),
  ...(one.option === undefined ? {} : { option: one.option }),
  ...(one.container === undefined ? {} : { container: one.container }),
  ...(one.messageVersion === undefined ? {} : { message_version: one.messageVersion }),
  ...(one.messageVariant === undefined ? {} : { message_variant: one.messageVariant }),
  ...(one.messageFormat === undefined ? {} : { message_format: one.messageFormat })
})
