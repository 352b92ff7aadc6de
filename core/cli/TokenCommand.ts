/** `signalbox token`: service tokens of programs that call us. */
import { Effect, Option, Redacted, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { ServiceToken, ServiceTokens as Tokens } from "../auth/ServiceTokens.ts"
import { exitUsage, fail } from "./Ending.ts"
import { parseLifetime } from "./Lifetime.ts"
import { columns, json, print } from "./Output.ts"

const scopes = ["platform"] as const

const withTokens = <A, E>(use: (tokens: Tokens["Service"]) => Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const [{ withStorage }, { layer, ServiceTokens }] = yield* Effect.promise(() =>
      Promise.all([import("./Storage.ts"), import("../auth/ServiceTokens.ts")]))
    return yield* withStorage(Effect.provide(Effect.flatMap(ServiceTokens, use), layer))
  })

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("What it is for, as lists show it")),
    scope: Flag.Literals("scope", scopes).pipe(Flag.withDescription("What it may do"), Flag.withDefault("platform")),
    expires: Flag.String("expires").pipe(
      Flag.withDescription("How long it is valid: 30m, 12h, 90d, 2w; without it, until it is revoked"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function*(flags) {
    const lifetime = Option.map(flags.expires, parseLifetime)
    if (Option.isSome(lifetime) && Result.isFailure(lifetime.value)) {
      return yield* fail(`--expires ${lifetime.value.failure}`, exitUsage)
    }
    if (flags.name.trim() === "") return yield* fail("--name must not be empty", exitUsage)
    const expiresAt = Option.map(lifetime, (found) => new Date(Date.now() + Result.getOrThrow(found)))
    const made = yield* withTokens((tokens) =>
      tokens.create({
        name: flags.name.trim(),
        scope: flags.scope,
        ...(Option.isSome(expiresAt) ? { expiresAt: expiresAt.value } : {})
      }))
    const shown = { token: Redacted.value(made.token), id: made.id }
    yield* print(flags.json, shown, () => [shown.token, `Token ${shown.id}. It is shown this once; send it as x-service-token.`])
  })
).pipe(
  Command.withDescription("Makes a service token and prints it, once. Works while the suite runs and when it does not."),
  Command.withExamples([{ command: "signalbox token create --name monitoring --scope platform --expires 90d --json", description: "A token for a script" }])
)

const list = Command.make("list", { json }, (flags) =>
  Effect.flatMap(withTokens((tokens) => tokens.list), (tokens) =>
    print(flags.json, tokens, () => [...tokenRows(tokens, new Date())]))).pipe(
    Command.withDescription("Lists service tokens with when they were last used; never the tokens themselves.")
  )

const revoke = Command.make(
  "revoke",
  { id: Argument.Int("id").pipe(Argument.withDescription("Number of the token, as `list` shows it")), json },
  Effect.fnUntraced(function*(flags) {
    if (!(yield* withTokens((tokens) => tokens.revoke(flags.id)))) {
      return yield* fail(`there is no valid token ${flags.id}`)
    }
    yield* print(flags.json, { id: flags.id, revoked: true }, () => [`Token ${flags.id} is revoked; it stops working within 5 s.`])
  })
).pipe(Command.withDescription("Ends a service token for good."))

/** Tokens as columns. Pure. */
export const tokenRows = (tokens: ReadonlyArray<ServiceToken>, now: Date): ReadonlyArray<string> =>
  tokens.length === 0
    ? ["No service tokens. Make one: signalbox token create --name NAME"]
    : columns([
      ["ID", "NAME", "SCOPE", "STATE", "CREATED", "LAST USED"],
      ...tokens.map((token) => [
        String(token.id),
        token.name,
        token.scope,
        token.revoked_at !== null ? "revoked" : token.expires_at === null ? "valid" : token.expires_at <= now ? "expired" : `until ${minute(token.expires_at)}`,
        minute(token.created_at),
        token.last_used_at === null ? "never" : minute(token.last_used_at)
      ])
    ])

const minute = (date: Date) => date.toISOString().slice(0, 16).replace("T", " ")

export const token = Command.make("token").pipe(
  Command.withDescription("Service tokens for programs that call us."),
  Command.withSubcommands([create, list, revoke])
)
