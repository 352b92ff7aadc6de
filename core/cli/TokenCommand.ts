/** `signalbox token`: manages service tokens of programs that call the suite. */
import { Effect, Option, Redacted, Result, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { SqlClient } from "effect/sql"
import { type Entry, operator } from "../log/Audit.ts"
import { providerTenant } from "../auth/Caller.ts"
import type * as ServiceTokenStore from "../auth/ServiceTokenStore.ts"
import type { Scope, ServiceToken } from "../auth/ServiceTokenStore.ts"
import { exitUsage, fail } from "./Ending.ts"
import { parseLifetime } from "./Lifetime.ts"
import { columns, json, print } from "./Output.ts"
import { minute } from "./Moment.ts"

type Store = typeof ServiceTokenStore

/** Runs `use` on the token table and writes `entry` to the audit log in the same transaction. */
const withTokens = <A, E>(
  use: (tokens: Store) => Effect.Effect<A, E, SqlClient.SqlClient>,
  entry: (outcome: A) => Entry | undefined = () => undefined
) =>
  Effect.gen(function* () {
    const [{ withStorage }, store, { write }, { transaction }] = yield* Effect.promise(() =>
      Promise.all([
        import("./Storage.ts"),
        import("../auth/ServiceTokenStore.ts"),
        import("../log/Audit.ts"),
        import("../sql/Sql.ts")
      ])
    )
    return yield* withStorage(
      transaction(
        Effect.tap(use(store), (outcome) => {
          const told = entry(outcome)
          return told === undefined ? Effect.void : write(told)
        })
      )
    )
  })

/** Audit entry for a change of a token by the operator of this machine. */
const operatorDid = (action: string, id: number, detail: Entry["detail"] = {}): Entry => ({
  tenantId: providerTenant,
  actor: operator,
  action,
  entity: "service_token",
  id: String(id),
  detail
})

/** Parses a comma-separated list of scopes. An unknown scope is a usage error that names it. */
const readScopes = Effect.fnUntraced(function* (list: string) {
  const { Scope } = yield* Effect.promise(() => import("../auth/ServiceTokenStore.ts"))
  const names = [
    ...new Set(
      list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
    )
  ]
  const unknown = names.find((name) => !Schema.is(Scope)(name))
  if (unknown !== undefined) return yield* fail(`--scope: there is no scope ${unknown}`, exitUsage)
  if (names.length === 0) return yield* fail("--scope must not be empty", exitUsage)
  return names as ReadonlyArray<Scope>
})

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Purpose of the token, shown in lists")),
    scope: Flag.String("scope").pipe(
      Flag.withDescription(
        "Scopes, separated by commas: platform, introspection, mail-policy, mail-push, switch, or permissions " +
          "such as workflows.manage; default: platform"
      ),
      Flag.withDefault("platform")
    ),
    expires: Flag.String("expires").pipe(
      Flag.withDescription("Lifetime, such as 30m, 12h, 90d or 2w; default: until the token is revoked"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* (flags) {
    const lifetime = Option.map(flags.expires, parseLifetime)
    if (Option.isSome(lifetime) && Result.isFailure(lifetime.value)) {
      return yield* fail(`--expires ${lifetime.value.failure}`, exitUsage)
    }
    if (flags.name.trim() === "") return yield* fail("--name must not be empty", exitUsage)
    const scopes = yield* readScopes(flags.scope)
    const expiresAt = Option.map(lifetime, (found) => new Date(Date.now() + Result.getOrThrow(found)))
    const made = yield* withTokens(
      (tokens) =>
        tokens.create({
          name: flags.name.trim(),
          scopes,
          ...(Option.isSome(expiresAt) ? { expiresAt: expiresAt.value } : {})
        }),
      ({ id }) => operatorDid("service_token.created", id, { name: flags.name.trim(), scopes })
    )
    const shown = { token: Redacted.value(made.token), id: made.id }
    yield* print(flags.json, shown, () => [
      shown.token,
      `Token ${shown.id}. It is shown only once; send it as x-service-token.`
    ])
  })
).pipe(
  Command.withDescription("Creates a service token and prints it once. The suite need not run."),
  Command.withExamples([
    {
      command: "signalbox token create --name monitoring --scope platform --expires 90d --json",
      description: "A token for a script"
    }
  ])
)

const list = Command.make("list", { json }, (flags) =>
  Effect.flatMap(
    withTokens((tokens) => tokens.list),
    (tokens) => print(flags.json, tokens, () => [...tokenRows(tokens, new Date())])
  )
).pipe(Command.withDescription("Lists service tokens with the time of last use, without the token values."))

const revoke = Command.make(
  "revoke",
  { id: Argument.Int("id").pipe(Argument.withDescription("Number of the token in `list`")), json },
  Effect.fnUntraced(function* (flags) {
    if (
      !(yield* withTokens(
        (tokens) => tokens.revoke(flags.id),
        (was) => (was ? operatorDid("service_token.revoked", flags.id) : undefined)
      ))
    ) {
      return yield* fail(`there is no valid token ${flags.id}`)
    }
    yield* print(flags.json, { id: flags.id, revoked: true }, () => [
      `Token ${flags.id} is revoked; it stops working within a second.`
    ])
  })
).pipe(Command.withDescription("Revokes a service token permanently."))

/** Formats tokens as columns. Pure. */
export const tokenRows = (tokens: ReadonlyArray<ServiceToken>, now: Date): ReadonlyArray<string> =>
  tokens.length === 0
    ? ["No service tokens. Create one: signalbox token create --name NAME"]
    : columns([
        ["ID", "NAME", "SCOPES", "STATE", "CREATED", "LAST USED"],
        ...tokens.map((token) => [
          String(token.id),
          token.name,
          token.scopes.join(" "),
          token.revoked_at !== null
            ? "revoked"
            : token.expires_at === null
              ? "valid"
              : token.expires_at <= now
                ? "expired"
                : `until ${minute(token.expires_at)}`,
          minute(token.created_at),
          token.last_used_at === null ? "never" : minute(token.last_used_at)
        ])
      ])

export const token = Command.make("token").pipe(
  Command.withDescription("Manages service tokens for programs that call the API."),
  Command.withSubcommands([create, list, revoke])
)
