/**
 * Parses an originate command like the switch. Source: mod_commands.c (originate_function), switch_utils.c
 * (separate_string).
 */

export interface Originate {
  readonly variables: Readonly<Record<string, string>>
  readonly dial:
    | { readonly kind: "gateway"; readonly gateway: string; readonly number: string }
    | { readonly kind: "profile"; readonly profile: string; readonly number: string }
    | { readonly kind: "user"; readonly user: string }
    | { readonly kind: "unknown" }
    /** Unterminated variables: the switch answers DESTINATION_OUT_OF_ORDER. */
    | { readonly kind: "broken" }
  /** Applications after the answer. `extension`: an extension of the XML dialplan, which the double does not have. */
  readonly applications: ReadonlyArray<Application> | "extension"
  /** Seventh argument. Unit: seconds. */
  readonly timeout: number | undefined
}

export interface Application {
  readonly name: string
  readonly data: string
}

export const usage =
  "-USAGE: <call url> <exten>|&<application_name>(<app_args>) [<dialplan>] [<context>] [<cid_name>] [<cid_num>] [<timeout_sec>]\n"

/** Parses the arguments. Undefined: the switch answers with its usage text. */
export const parseOriginate = (text: string): Originate | undefined => {
  const args = splitBlanks(text)
  const [url, target, dialplan] = args
  if (url === undefined || target === undefined || args.length > 7) return undefined
  const braces = takeVariables(url)
  const timeout = Number(args[6])
  return {
    variables: braces?.variables ?? {},
    dial: braces === undefined ? { kind: "broken" } : parseDial(braces.rest),
    applications: parseTarget(target, dialplan),
    timeout: Number.isInteger(timeout) && timeout > 0 ? timeout : undefined
  }
}

const parseTarget = (target: string, dialplan: string | undefined): Originate["applications"] => {
  if (target.startsWith("&")) {
    // Arguments end at the first closing parenthesis.
    const [, name = "", data = ""] = /^&([^(]*)(?:\(([^)]*))?/.exec(target) ?? []
    return [{ name, data }]
  }
  if (dialplan?.toLowerCase() !== "inline") return "extension"
  return separate(target, ",").map((step) => {
    const colon = step.indexOf(":")
    return colon === -1 ? { name: step, data: "" } : { name: step.slice(0, colon), data: step.slice(colon + 1) }
  })
}

const parseDial = (text: string): Originate["dial"] => {
  const gateway = /^sofia\/gateway\/([^/]+)\/(.+)$/.exec(text)
  if (gateway !== null) return { kind: "gateway", gateway: gateway[1]!, number: gateway[2]! }
  const profile = /^sofia\/([^/]+)\/([^@/]+)(?:@.*)?$/.exec(text)
  if (profile !== null) return { kind: "profile", profile: profile[1]!, number: profile[2]! }
  const user = /^user\/(.+)$/.exec(text)
  return user === null ? { kind: "unknown" } : { kind: "user", user: user[1]! }
}

/** Variables before the dial string: `{a=b,c=d}`, `[a=b]`, or `{^^:a=b:c=d}` with a custom separator. */
const takeVariables = (
  url: string
): { readonly variables: Record<string, string>; readonly rest: string } | undefined => {
  const variables: Record<string, string> = {}
  let rest = url
  for (;;) {
    const open = rest[0]
    if (open !== "{" && open !== "[" && open !== "<") return { variables, rest }
    const end = rest.indexOf(open === "{" ? "}" : open === "[" ? "]" : ">")
    if (end === -1) return undefined
    let inner = rest.slice(1, end)
    let separator = ","
    if (inner.startsWith("^^")) {
      separator = inner[2] ?? ","
      inner = inner.slice(3)
    }
    for (const pair of separate(inner, separator)) {
      const equals = pair.indexOf("=")
      if (equals > 0) variables[pair.slice(0, equals)] = pair.slice(equals + 1)
    }
    rest = rest.slice(end + 1)
  }
}

/** Splits at blanks. Single quotes group text and are removed. A backslash escapes a quote or a backslash. */
const splitBlanks = (text: string): Array<string> => scan(text, " ").filter((part) => part !== "")

const separate = (text: string, separator: string): Array<string> => scan(text, separator)

const scan = (text: string, separator: string): Array<string> => {
  const parts: Array<string> = []
  let part = ""
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    const next = text[at + 1]
    if (character === "\\" && (next === "'" || next === "\\" || next === separator)) part += text[++at]
    else if (character === "'" && (quoted || text.includes("'", at + 1))) quoted = !quoted
    else if (character === separator && !quoted) {
      parts.push(part)
      part = ""
    } else part += character
  }
  parts.push(part)
  return parts
}
