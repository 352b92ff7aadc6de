/** Implementation of `signalbox bank keys …`. */
import { DateTime, Effect, Option, Redacted } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { inScope } from "#core/auth/Caller.ts"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { settings } from "#core/config/Environment.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { transaction } from "#core/sql/Sql.ts"
import type { Language } from "#core/words/Language.ts"
import { bankFetcher } from "../Daemon.ts"
import type { BankKeyView, KeyStatusView } from "./keys/KeyApi.ts"
import * as Changes from "./keys/Changes.ts"
import { keyStatus } from "./keys/KeyView.ts"
import * as Steps from "./keys/Steps.ts"
import { letterOf } from "./letter/Letters.ts"
import { asOperator, meant } from "./OperatorServices.ts"
import * as Permissions from "./Permissions.ts"

interface One {
  readonly which: string
  readonly json: boolean
}

/** Shortest passphrase. Unit: UTF-16 units. Source: the API's. */
const minPassphrase = 12

const bankLines = (title: string, key: typeof BankKeyView.Type): ReadonlyArray<string> => [
  `${title} ${key.version}`,
  ...key.hash.map((line) => `  ${line}`),
  ...(key.certificate_hash === null
    ? []
    : ["  or the hash of its certificate", ...key.certificate_hash.map((line) => `  ${line}`)])
]

const lines = (status: typeof KeyStatusView.Type): ReadonlyArray<string> => {
  const { accepted, offered } = status.bank_keys
  const waiting = status.next === "accept"
  return [
    `key status: ${status.key_status}${status.stopped === null ? "" : `, stopped: ${status.stopped}`}`,
    ...(status.last_answer === null
      ? []
      : [`last answer: ${status.last_answer.step} ${status.last_answer.code ?? ""} ${status.last_answer.text}`]),
    ...status.own_keys.flatMap(({ hash, version }) => [`our key ${version}`, ...hash.map((line) => `  ${line}`)]),
    ...(accepted === null
      ? []
      : [
          ...bankLines("accepted key of the bank", accepted.authentication),
          ...bankLines("accepted key of the bank", accepted.encryption)
        ]),
    ...(offered === null
      ? []
      : [
          ...bankLines("new key of the bank", offered.authentication),
          ...bankLines("new key of the bank", offered.encryption)
        ]),
    waiting
      ? "Next: compare the hashes with the bank's letter, then accept them."
      : status.next === null
        ? "Statements are fetched."
        : `Next: ${status.next}.`
  ]
}

/** Runs a change of an account and prints the key status. */
const changed = <E extends { readonly _tag: string }, R>(
  { json, which }: One,
  change: (id: string) => Effect.Effect<unknown, E, R>
) =>
  Effect.gen(function* () {
    const status = yield* asOperator(
      Effect.flatMap(meant(which), (id) => Effect.andThen(change(id), inScope(keyStatus(id))))
    )
    yield* print(json, status, lines)
  })

export const step = (name: "ini" | "hia" | "suspend" | "resume" | "status", flags: One) => {
  switch (name) {
    case "status":
      return changed(flags, () => Effect.void)
    case "suspend":
      return changed(flags, Changes.suspend)
    case "resume":
      return changed(flags, Changes.resume)
    case "ini":
      return changed(flags, Steps.ini)
    case "hia":
      return changed(flags, Steps.hia)
  }
}

interface WithPassphrase extends One {
  readonly passphraseFile: Option.Option<string>
}

/** Steps that need the private keys, and so the passphrase when there is one: this process does not have it. */
export const bankStep = Effect.fnUntraced(function* (name: "activate" | "refresh", flags: WithPassphrase) {
  const unlocked = yield* unlockedBy(flags.passphraseFile)
  yield* changed(flags, (id) =>
    Effect.andThen(unlocked(id), (name === "activate" ? Steps.activate : Steps.refresh)(id))
  )
})

/** Unlocks an account's keys in this process. */
export const unlockedBy = Effect.fnUntraced(function* (file: Option.Option<string>) {
  const passphrase = Option.isNone(file) ? undefined : yield* passphraseOf(file.value)
  return (id: string) => (passphrase === undefined ? Effect.void : Changes.unlock(id, passphrase))
})

/** First line of a file, or of standard input for `-`. */
const passphraseOf = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.try({
    try: () =>
      readFileSync(path === "-" ? 0 : path, "utf8")
        .split("\n", 1)[0]!
        .replace(/\r$/, ""),
    catch: () => fail(`cannot read the passphrase from ${path}`, exitUsage)
  })
  return text.length < minPassphrase
    ? yield* fail(`the passphrase must have at least ${minPassphrase} characters`, exitUsage)
    : Redacted.make(text)
})

export const init = Effect.fnUntraced(function* (flags: One & { readonly passphraseFile: Option.Option<string> }) {
  const passphrase = Option.isNone(flags.passphraseFile) ? undefined : yield* passphraseOf(flags.passphraseFile.value)
  yield* changed(flags, (id) => Steps.init(id, passphrase))
})

export const accept = (flags: One & { readonly authentication: string; readonly encryption: string }) =>
  changed(flags, (id) => Changes.accept(id, flags))

export const reset = (flags: One & { readonly confirm: string }) =>
  changed(flags, (id) => Changes.reset(id, flags.confirm))

export const letter = Effect.fnUntraced(function* (flags: One & { readonly output: string; readonly lang: Language }) {
  const pdf = yield* asOperator(Effect.flatMap(meant(flags.which), (id) => letterOf(id, flags.lang)))
  yield* Effect.try({ try: () => writeFileSync(flags.output, pdf), catch: () => fail(`cannot write ${flags.output}`) })
  yield* print(flags.json, { file: flags.output, bytes: pdf.length }, ({ file }) => [`${file} is written.`])
})

/** Validity of the token of `unlock`. Unit: seconds. Reason: one call. */
const tokenLife = 60

/** The passphrase is only in the memory of the daemon, so this command calls the daemon. */
export const unlock = Effect.fnUntraced(function* (
  flags: One & { readonly passphraseFile: Option.Option<string>; readonly url: Option.Option<string> }
) {
  const passphrase = yield* passphraseOf(Option.getOrElse(flags.passphraseFile, () => "-"))
  const port = Settings.port(portVariable(bankFetcher.name), { doc: "", default: bankFetcher.port })
  const config = yield* settings({ port, bind: platformSettings.bind, gatewayPort: platformSettings.gatewayPort })
  const { id, made } = yield* asOperator(
    Effect.gen(function* () {
      const expiresAt = new Date((yield* DateTime.now).epochMilliseconds + tokenLife * 1000)
      const scopes = ["ebics.manage"] as const
      return {
        id: yield* meant(flags.which),
        made: yield* transaction(ServiceTokenStore.create({ name: "bank keys unlock", scopes, expiresAt }))
      }
    })
  )
  const bases = Option.isSome(flags.url)
    ? [flags.url.value.replace(/\/+$/, "")]
    : [config.port, config.gatewayPort].map((one) => `http://${config.bind}:${one}`)
  const path = `/api/v1/crm/ebics/accounts/${id}/keys/unlock`
  for (const base of bases) {
    const answer = yield* Effect.promise(async () => {
      try {
        return await fetch(`${base}${path}`, {
          method: "POST",
          redirect: "error",
          signal: AbortSignal.timeout(30_000),
          headers: { "content-type": "application/json", "x-service-token": Redacted.value(made.token) },
          body: JSON.stringify({ passphrase: Redacted.value(passphrase) })
        })
      } catch {
        return undefined
      }
    })
    if (answer === undefined) continue
    const body = (yield* Effect.promise(() => answer.json().catch(() => ({})))) as typeof KeyStatusView.Type & {
      readonly detail?: string
    }
    if (answer.status === 422) return yield* fail("The passphrase is wrong.")
    if (answer.status !== 200) return yield* fail(body.detail ?? `${base} answered ${answer.status}`)
    return yield* print(flags.json, body, lines)
  }
  return yield* fail(`No daemon answers at ${bases.join(" or ")}; name it with --url.`)
})

export const permissions = Effect.fnUntraced(function* (flags: WithPassphrase) {
  const unlocked = yield* unlockedBy(flags.passphraseFile)
  const { permitted } = yield* asOperator(
    Effect.flatMap(meant(flags.which), (id) => Effect.andThen(unlocked(id), Permissions.refresh(id)))
  )
  yield* print(flags.json, permitted, () => [
    `order types: ${permitted?.order_types.join(" ") ?? ""}`,
    ...(permitted?.services ?? []).map((one) =>
      [one.name, one.scope, one.option, one.container, one.message].filter((part) => part !== undefined).join(" ")
    ),
    ...(permitted?.accounts ?? []).map(({ holder, iban }) => `account ${iban ?? "-"} ${holder ?? ""}`)
  ])
})
