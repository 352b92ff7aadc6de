/**
 * Configuration from the environment, declared once per feature and decoded once per process.
 *
 * A setting knows its variable, unit, default and documentation, so decoding, `signalbox check` and the documentation
 * come from one declaration. Decoding is pure and reports every problem at once.
 *
 * A secret comes from `NAME`, from the file that `NAME_FILE` names, or from a systemd credential with the variable's
 * name in lower case. It is Redacted from then on. No other file is read.
 *
 * Effect's `Config` 4.1.0 holds neither unit nor documentation of a variable, and reports only the first of three wrong
 * variables.
 */
import { Redacted, Result } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** Environment variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>

/** One documented variable. `parse` returns a sentence about a wrong value. */
export interface Setting<out A> {
  readonly name: string
  readonly doc: string
  readonly unit?: string
  readonly secret: boolean
  /** Value when the variable is absent or empty; undefined for a required setting. */
  readonly fallback: { readonly value: A; readonly shown: string } | undefined
  readonly parse: (raw: string) => Result.Result<A, string>
}

/** Problem of one variable. Never contains the value of a secret. */
export interface SettingProblem {
  readonly name: string
  readonly message: string
}

export type Fields = Readonly<Record<string, Setting<unknown>>>
export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Setting<infer A> ? A : never }

interface Options<A> {
  readonly doc: string
  readonly unit?: string
  readonly default?: A
}

/** Longest file of a setting or secret. Unit: bytes. Reason: systemd limits credentials to 1 MiB. */
const maxFileSize = 1024 * 1024

const make = <A>(
  name: string,
  options: Options<A>,
  parse: (raw: string) => Result.Result<A, string>,
  show: (value: A) => string = String
): Setting<A> => ({
  name,
  doc: options.doc,
  ...(options.unit === undefined ? {} : { unit: options.unit }),
  secret: false,
  fallback: "default" in options ? { value: options.default as A, shown: show(options.default as A) } : undefined,
  parse
})

/** Any text. */
export const text = (name: string, options: Options<string>): Setting<string> => make(name, options, Result.succeed)

/** Text, or `undefined` when the variable is not set. `check` returns the problem of a value. */
export const optionalText = (
  name: string,
  { check, doc }: { readonly doc: string; readonly check?: (text: string) => string | undefined }
): Setting<string | undefined> =>
  make<string | undefined>(
    name,
    { doc, default: undefined },
    (raw) => {
      const problem = check?.(raw)
      return problem === undefined ? Result.succeed(raw) : Result.fail(problem)
    },
    () => "unset"
  )

/** A whole number within bounds. */
export const integer = (
  name: string,
  options: Options<number> & { readonly min: number; readonly max: number }
): Setting<number> =>
  make(name, options, (raw) => {
    const value = Number(raw)
    return Number.isInteger(value) && value >= options.min && value <= options.max
      ? Result.succeed(value)
      : Result.fail(`must be a whole number from ${options.min} to ${options.max}`)
  })

/** A TCP port; 0 lets the system choose one. */
export const port = (name: string, options: Options<number>): Setting<number> =>
  integer(name, { unit: "TCP port", ...options, min: 0, max: 65535 })

/** A TCP port, or `undefined` when the variable is not set. */
export const optionalPort = (name: string, { doc }: { readonly doc: string }): Setting<number | undefined> => ({
  ...port(name, { doc }),
  fallback: { value: undefined, shown: "unset" }
})

/** `true`/`false`, `1`/`0`, `yes`/`no`, `on`/`off`. */
export const flag = (name: string, options: Options<boolean>): Setting<boolean> =>
  make(name, options, (raw) => {
    const word = raw.trim().toLowerCase()
    if (["true", "1", "yes", "on"].includes(word)) return Result.succeed(true)
    if (["false", "0", "no", "off"].includes(word)) return Result.succeed(false)
    return Result.fail("must be true or false")
  })

/** One of a few words. */
export const oneOf = <const W extends string>(
  name: string,
  options: Options<W> & { readonly words: ReadonlyArray<W> }
): Setting<W> =>
  make(name, options, (raw) => {
    const word = options.words.find((candidate) => candidate === raw.trim())
    return word === undefined ? Result.fail(`must be one of ${options.words.join(", ")}`) : Result.succeed(word)
  })

/** A comma list. Items are trimmed and empty ones dropped; `check` may refuse an item with a sentence. */
export const list = (
  name: string,
  options: Options<ReadonlyArray<string>> & { readonly check?: (item: string) => string | undefined }
): Setting<ReadonlyArray<string>> =>
  make(
    name,
    options,
    (raw) => {
      const items = raw
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "")
      const bad = items.map((item) => options.check?.(item)).find((message) => message !== undefined)
      return bad === undefined ? Result.succeed(items) : Result.fail(bad)
    },
    (items) => (items.length === 0 ? "empty" : items.join(","))
  )

/** An http or https address without credentials, without a trailing slash; `undefined` when not set. */
export const httpAddress = (name: string, options: { readonly doc: string }): Setting<string | undefined> =>
  make<string | undefined>(
    name,
    { ...options, default: undefined },
    (raw) => {
      const url = URL.parse(raw)
      if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
        return Result.fail("must be an http or https address")
      }
      return url.username !== "" || url.password !== ""
        ? Result.fail("must not carry a user or password")
        : Result.succeed(raw.replace(/\/+$/, ""))
    },
    () => "unset"
  )

/**
 * A secret; `undefined` when none of its three sources exists. `check` returns the problem of a value, and must not
 * quote any of it.
 */
export const secret = (
  name: string,
  options: { readonly doc: string; readonly check?: (secret: string) => string | undefined }
): Setting<Redacted.Redacted | undefined> => ({
  ...make<Redacted.Redacted | undefined>(
    name,
    { doc: options.doc, default: undefined },
    (raw) => {
      const problem = options.check?.(raw.trim())
      return problem === undefined
        ? Result.succeed(Redacted.make(raw.trim(), { label: name }))
        : Result.fail(problem)
    },
    () => "unset"
  ),
  secret: true
})

/** Text from the variable, or from the file it names as `@/path`; `parse` decodes it. */
export const parsed = <A>(
  name: string,
  options: Options<A> & { readonly shown?: string },
  parse: (raw: string) => Result.Result<A, string>
): Setting<A> =>
  make(
    name,
    options,
    (raw) => parse(raw.trim().startsWith("@") ? readBounded(raw.trim().slice(1)) : raw),
    () => options.shown ?? "unset"
  )

const readBounded = (path: string): string => {
  const content = readFileSync(path)
  if (content.byteLength > maxFileSize) throw new Error(`${path} is larger than ${maxFileSize} bytes`)
  const held = content.toString("utf8")
  // An empty file must not count as a secret: every empty password would match it.
  if (held.trim() === "") throw new Error(`${path} is empty`)
  return held
}

const rawValue = (setting: Setting<unknown>, env: Env): string | undefined => {
  const direct = env[setting.name]
  if (direct !== undefined && direct.trim() !== "") return direct
  if (!setting.secret) return undefined
  const file = env[`${setting.name}_FILE`]
  if (file !== undefined && file !== "") return readBounded(file)
  const directory = env["CREDENTIALS_DIRECTORY"]
  if (directory === undefined) return undefined
  try {
    return readBounded(join(directory, setting.name.toLowerCase()))
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}

/** Whether the environment sets the value: by the variable, by a file that `NAME_FILE` names, or by a credential. */
export const isGiven = (setting: Setting<unknown>, env: Env): boolean => {
  try {
    return rawValue(setting, env) !== undefined
  } catch {
    // A source that cannot be read is a problem that stops the start.
    return true
  }
}

/** Decodes a text in the form of the variable. */
export const parseText = <A>(setting: Setting<A>, text: string): Result.Result<A, string> => {
  try {
    return setting.parse(text)
  } catch (error) {
    return Result.fail(error instanceof Error ? error.message : String(error))
  }
}

/** Decodes one setting. */
export const decode = <A>(setting: Setting<A>, env: Env): Result.Result<A, SettingProblem> => {
  const problem = (message: string) => Result.fail({ name: setting.name, message })
  try {
    const raw = rawValue(setting, env)
    if (raw === undefined) {
      return setting.fallback === undefined ? problem("is required") : Result.succeed(setting.fallback.value)
    }
    return Result.mapError(setting.parse(raw), (message) => ({ name: setting.name, message }))
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error))
  }
}

/** Decodes all settings; returns every value or every problem. */
export const load = <F extends Fields>(
  fields: F,
  env: Env
): Result.Result<Values<F>, ReadonlyArray<SettingProblem>> => {
  const values: Record<string, unknown> = {}
  const problems: Array<SettingProblem> = []
  for (const [key, setting] of Object.entries(fields)) {
    const decoded = decode(setting, env)
    if (Result.isFailure(decoded)) problems.push(decoded.failure)
    else values[key] = decoded.success
  }
  return problems.length === 0 ? Result.succeed(values as Values<F>) : Result.fail(problems)
}
