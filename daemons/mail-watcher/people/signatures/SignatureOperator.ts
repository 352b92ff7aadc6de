/** Implementation of `signalbox signature`. The commands use the database, so no daemon needs to run. */
import { Effect, Option } from "effect"
import { readFileSync } from "node:fs"
import { fail } from "#core/cli/Ending.ts"
import { decodeInput, onOrOff, someField, typed } from "#core/cli/Input.ts"
import { print, table } from "#core/cli/Output.ts"
import { inWords } from "#core/cli/Refusals.ts"
import { sure } from "#core/cli/Sure.ts"
import * as HtmlWorker from "#core/html/HtmlWorker.ts"
import { withAccount } from "../../operator/OperatorStorage.ts"
import { NewSignature, SignatureChange } from "./Api.ts"
import { cleaned } from "./SignatureHtml.ts"
import { normalised } from "./SignatureRules.ts"
import * as Signatures from "./Store.ts"

interface AccountFlags {
  readonly account: string
  readonly json: boolean
}

interface FieldFlags {
  readonly name: Option.Option<string>
  /** File with the HTML; `-`: standard input. */
  readonly file: Option.Option<string>
  readonly isDefault: boolean
  readonly noDefault: boolean
  /** Recipients: addresses, domains, or `*.` and a domain. */
  readonly for: ReadonlyArray<string>
}

const names = { name: "--name", html: "--file", is_default: "--default", rules: "--for" }

const ruleOf = (text: string) => ({
  match_type: text.includes("@") ? ("address" as const) : ("domain" as const),
  match_value: text
})

const given = Effect.fnUntraced(function* (flags: FieldFlags) {
  const file = Option.getOrUndefined(flags.file)
  const html =
    file === undefined
      ? Option.none<string>()
      : Option.some(
          yield* Effect.try({
            try: () => readFileSync(file === "-" ? 0 : file, "utf8"),
            catch: (error) => fail(`${file} cannot be read: ${error instanceof Error ? error.message : "unknown"}`)
          })
        )
  return typed({
    name: flags.name,
    html,
    is_default: yield* onOrOff(flags.isDefault, flags.noDefault, ["default", "no-default"]),
    ...(flags.for.length === 0 ? {} : { rules: flags.for.map(ruleOf) })
  })
})

/** Sanitises HTML as the endpoint does. */
const clean = (html: string) => Effect.scoped(Effect.provide(inWords(cleaned(html)), HtmlWorker.layer))

const rows = (found: ReadonlyArray<Signatures.Signature>) =>
  table("No signatures. Create one: bin/signalbox signature add --help", [
    ["id", "name", "default", "for"],
    ...found.map(({ id, is_default, name, rules }) => [
      String(id),
      name,
      is_default ? "yes" : "",
      rules.map(({ match_value }) => match_value).join(", ")
    ])
  ])

export const list = Effect.fnUntraced(function* (flags: AccountFlags & { readonly limit: number }) {
  const found = yield* withAccount(flags.account, (account) => Signatures.list(account, undefined, flags.limit))
  yield* print(flags.json, found, rows)
})

export const show = Effect.fnUntraced(function* (flags: AccountFlags & { readonly id: number }) {
  const found = yield* withAccount(flags.account, (account) => Signatures.get(account, flags.id))
  yield* print(flags.json, found, (signature) => [...rows([signature]), "", signature.html])
})

export const add = Effect.fnUntraced(function* (flags: AccountFlags & FieldFlags) {
  const { html, is_default = false, name, rules = [] } = yield* decodeInput(NewSignature, yield* given(flags), names)
  const fields = { name, html: yield* clean(html), is_default, rules: normalised(rules) }
  const made = yield* withAccount(flags.account, (account) => Signatures.create(account, fields))
  yield* print(flags.json, made, (signature) => rows([signature]))
})

export const change = Effect.fnUntraced(function* (flags: AccountFlags & FieldFlags & { readonly id: number }) {
  const fields = yield* given(flags)
  yield* someField(fields)
  const { html, rules, ...rest } = yield* decodeInput(SignatureChange, fields, names)
  const to = {
    ...rest,
    ...(html === undefined ? {} : { html: yield* clean(html) }),
    ...(rules === undefined ? {} : { rules: normalised(rules) })
  }
  const changed = yield* withAccount(flags.account, (account) => Signatures.update(account, flags.id, to))
  yield* print(flags.json, changed, (signature) => rows([signature]))
})

export const remove = Effect.fnUntraced(function* (
  flags: AccountFlags & { readonly id: number; readonly yes: boolean }
) {
  const { name } = yield* withAccount(flags.account, (account) => Signatures.get(account, flags.id))
  yield* sure(`The signature ${name} is deleted.`, flags.yes)
  yield* withAccount(flags.account, (account) => Signatures.remove(account, flags.id))
  yield* print(flags.json, { id: flags.id, deleted: true }, () => [`Signature ${flags.id} is deleted.`])
})
