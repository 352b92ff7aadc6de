/** Fields of the forms for checks, and the requests built from them. */
import { words } from "../../../lib/Language.ts"
import { Problem } from "../../../lib/Problem.ts"
import type { Field } from "../../telephony/Kind.ts"
import type { Check, Definition } from "./Words.ts"

const t = words({
  en: {
    name: "Name",
    url: "Address",
    urlHint: "Begins with http:// or https://",
    expect: "Accepted status",
    expectHint: "Such as 200 204. Empty: 200 to 399.",
    contains: "The answer contains",
    target: "Host",
    port: "Port",
    servername: "Name for SNI",
    servernameHint: "Empty: the host.",
    program: "Program",
    programHint: "Name of a file in the watchdog's command folder.",
    arguments: "Arguments",
    argument: "Another argument",
    group: "Cause",
    groupHint: "Alerts of one cause come in one message. Empty: the host.",
    host: "Machine that runs the check",
    hostHint: "Empty: any.",
    interval: "Interval in seconds",
    timeout: "Time-out in seconds",
    warning: "Warning from",
    critical: "Critical from",
    failures: "Failures in a row until an alert",
    successes: "Good results in a row until it is over",
    standard: "Empty: the default."
  },
  de: {
    name: "Name",
    url: "Adresse",
    urlHint: "Beginnt mit http:// oder https://",
    expect: "Zulässiger Status",
    expectHint: "Etwa 200 204. Leer: 200 bis 399.",
    contains: "Die Antwort enthält",
    target: "Host",
    port: "Port",
    servername: "Name für SNI",
    servernameHint: "Leer: der Host.",
    program: "Programm",
    programHint: "Name einer Datei im Befehlsordner des Watchdogs.",
    arguments: "Argumente",
    argument: "Weiteres Argument",
    group: "Ursache",
    groupHint: "Meldungen einer Ursache kommen in einer Nachricht. Leer: der Host.",
    host: "Maschine, die prüft",
    hostHint: "Leer: irgendeine.",
    interval: "Abstand in Sekunden",
    timeout: "Zeitgrenze in Sekunden",
    warning: "Warnung ab",
    critical: "Kritisch ab",
    failures: "Fehlschläge in Folge bis zur Meldung",
    successes: "Gute Ergebnisse in Folge, bis es vorbei ist",
    standard: "Leer: der Standard."
  }
})

export type DefinitionType = Definition["type"]
export const definitionTypes: ReadonlyArray<DefinitionType> = ["http", "tcp", "certificate", "command"]

const text = (name: string, label: () => string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  input: { kind: "text" },
  ...more
})

const port: Field = {
  name: "port",
  label: () => t().port,
  input: { kind: "number", min: 1, max: 65_535 },
  required: true
}
const target = text("target", () => t().target, { required: true })

/** Fields of what a check does. */
export const definitionFields: Readonly<Record<DefinitionType, ReadonlyArray<Field>>> = {
  http: [
    text("url", () => t().url, { required: true, hint: () => t().urlHint, input: { kind: "text", type: "url" } }),
    text("expect", () => t().expect, { hint: () => t().expectHint }),
    text("wanted", () => t().contains)
  ],
  tcp: [target, port],
  certificate: [target, port, text("servername", () => t().servername, { hint: () => t().servernameHint })],
  command: [
    text("program", () => t().program, { required: true, hint: () => t().programHint }),
    { name: "arguments", label: () => t().arguments, input: { kind: "list", add: () => t().argument, ordered: true } }
  ]
}

export const nameField = text("name", () => t().name, { required: true, once: true })
export const hostField = text("host", () => t().host, { hint: () => t().hostHint, once: true })
export const groupField = text("group", () => t().group, { hint: () => t().groupHint })

const adjusted = (name: string, label: () => string, min: number, max: number): Field => ({
  name,
  label,
  hint: () => t().standard,
  input: { kind: "number", min, max },
  nullable: true
})

/** Thresholds may have fractions, which number inputs of the form refuse. */
const threshold = (name: string, label: () => string): Field =>
  text(name, label, { hint: () => t().standard, nullable: true })

/** Times and thresholds, which every check has. */
export const adjustmentFields: ReadonlyArray<Field> = [
  threshold("warning", () => t().warning),
  threshold("critical", () => t().critical),
  adjusted("interval_s", () => t().interval, 10, 86_400),
  adjusted("timeout_s", () => t().timeout, 1, 120),
  adjusted("failures", () => t().failures, 1, 100),
  adjusted("successes", () => t().successes, 1, 100)
]

/** Number of a text, with a decimal comma or point. Another text stays, so that the server names the field. */
const decimal = (value: unknown): unknown => {
  const number = Number(String(value).replace(",", "."))
  return value === null || value === "" ? null : Number.isFinite(number) ? number : value
}

/**
 * Members of a definition that the form calls differently. Reason: `host` is the machine as well, and an input called
 * `contains` would hide a method of the form.
 */
const renamed: Readonly<Record<string, string>> = { host: "target", contains: "wanted" }

const members = new Set(["url", "expect", "wanted", "target", "port", "servername", "program", "arguments"])

/** Definition of the form's values; statuses are written with spaces or commas between them. */
const definitionOf = (type: DefinitionType, values: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { expect, target, wanted, ...rest } = values
  const statuses = String(expect ?? "")
    .split(/[\s,]+/)
    .filter((one) => one !== "")
  return {
    type,
    ...Object.fromEntries(
      Object.entries({ ...rest, host: target, contains: wanted }).filter(
        ([, value]) => value !== undefined && value !== null && value !== ""
      )
    ),
    ...(statuses.length === 0 ? {} : { expect: statuses.map(Number) })
  }
}

/**
 * Request of the form's values. `type` undefined: the check has no definition of its own. `whole`: all values of the
 * definition, of which the payload has only the changed ones.
 */
export const requestOf = (
  payload: Readonly<Record<string, unknown>>,
  type: DefinitionType | undefined,
  whole: Readonly<Record<string, unknown>> = {}
): Record<string, unknown> => {
  const own = Object.fromEntries(
    Object.entries(payload)
      .filter(([name]) => !members.has(name))
      .map(([name, value]) => [name, name === "warning" || name === "critical" ? decimal(value) : value])
  )
  const changed = Object.fromEntries(Object.entries(payload).filter(([name]) => members.has(name)))
  return type === undefined || Object.keys(changed).length === 0
    ? own
    : { ...own, definition: definitionOf(type, { ...whole, ...changed }) }
}

/** Values of the form for a definition. */
export const valuesOf = (definition: Definition): Record<string, unknown> => {
  const { expect, type: _, ...own } = definition as { readonly type: string } & Record<string, unknown>
  return {
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [renamed[name] ?? name, value])),
    ...(Array.isArray(expect) ? { expect: expect.join(" ") } : {})
  }
}

/** Values of the form for an existing check. A threshold is text in the form. */
export const rowOf = (check: Check): Record<string, unknown> => ({
  ...check,
  warning: check.thresholds.warning === null ? "" : String(check.thresholds.warning),
  critical: check.thresholds.critical === null ? "" : String(check.thresholds.critical),
  ...(check.definition === null ? {} : valuesOf(check.definition))
})

/** The problem with the fields of the definition named as in the form. */
export const flattened = (problem: Problem): Problem => {
  const errors = problem.fields["errors"]
  if (!Array.isArray(errors)) return problem
  return new Problem(problem.status, problem.code, problem.message, {
    ...problem.fields,
    errors: errors.map((error: { readonly field: string }) => ({
      ...error,
      field: error.field.replace(/^payload\.definition\.(\w+)/, (_, name: string) => `payload.${renamed[name] ?? name}`)
    }))
  })
}
