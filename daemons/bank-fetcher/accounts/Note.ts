/** Audit entries of accounts, and the daemon itself as a caller. */
import { Effect, Option } from "effect"
import { Caller, type CallerInfo } from "#core/auth/Caller.ts"
import { noteChange } from "#core/log/ChangeNote.ts"

/** Caller of the daemon itself. The id belongs to no service token. */
export const systemCaller: CallerInfo = { kind: "service", tokenId: -1, name: "system", scopes: new Set() }

/** Writes an audit entry in the surrounding transaction. Without a caller: `system`. */
export const note = Effect.fnUntraced(function* (
  row: { readonly id: string; readonly tenant_id: number },
  action: string,
  detail: Readonly<Record<string, unknown>> = {}
) {
  const caller = yield* Effect.serviceOption(Caller)
  yield* Effect.provideService(
    noteChange("bank_account", row, action, detail),
    Caller,
    Option.getOrElse(caller, () => systemCaller)
  )
})
