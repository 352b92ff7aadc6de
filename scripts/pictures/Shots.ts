/** Which pictures are made: each page, empty and with data, in each language, colour scheme and width. Pure. */

export const languages = ["en", "de"] as const
export const schemes = ["light", "dark"] as const
/** Widths of a telephone and of a desktop screen. Unit: CSS pixels. */
export const widths = [390, 1440] as const

export type Language = (typeof languages)[number]
export type Scheme = (typeof schemes)[number]
export type State = "empty" | "data"

/** A page to open. */
export interface Subject {
  /** Name of its pictures, without language, scheme and width: `bank-invoices.data`. */
  readonly name: string
  readonly state: State
  /** Absolute address, or a path of the gateway. */
  readonly address: string
  /** Whether a user is signed in. */
  readonly signedIn: boolean
}

/** Values of parameters in paths by route: `/alarms/:id` to the id of an alarm, or the values of several parameters. */
export type Examples = Readonly<Record<string, Example | ReadonlyArray<Example> | undefined>>
type Example = string | number

/** Routes with a parameter whose object no API call makes, and why. Their pictures show what an unknown id gives. */
export const withoutExample: Readonly<Record<string, string>> = {}

/** A value in addresses where nothing is known. */
const unknown = "1"

/** Name of the pictures of a route: `/alarms/:id` is `alarms-id`. */
export const nameOf = (route: string): string =>
  route.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-|-$/g, "") || "overview"

/** Path with values for its parameters, in their order; others get the unknown one. */
const filled = (route: string, example: Examples[string]): string => {
  const values = [example ?? []].flat()
  return route.replaceAll(/:\w+/g, () => encodeURIComponent(String(values.shift() ?? unknown)))
}

/** All console pages in one state. */
export const consoleSubjects = (
  routes: ReadonlyArray<string>,
  state: State,
  examples: Examples = {}
): ReadonlyArray<Subject> =>
  routes.map((route) => ({
    name: `${nameOf(route)}.${state}`,
    state,
    address: `/console${filled(route, examples[route])}`,
    signedIn: true
  }))

/** Addresses outside the console. `undefined`: that part has no address of its own. */
export interface Places {
  readonly status: string | undefined
  readonly edge: string | undefined
}

/** Pages without a sign-in: sign-in, welcome, acknowledgement, status and edge. */
export const openSubjects = (state: State, { edge, status }: Places): ReadonlyArray<Subject> =>
  Object.entries({
    "sign-in": "/console/",
    acknowledge: "/console/acknowledge#unknown",
    "not-found": "/console/nothing/here",
    welcome: "/api/v1/auth/welcome",
    ...(status === undefined
      ? {}
      : { status, "status-history": `${status}/history`, "status-subscribe": `${status}/subscribe` }),
    ...(edge === undefined ? {} : { "edge-login": `${edge}/login`, "edge-register": `${edge}/register` })
  }).map(([name, address]) => ({ name: `${name}.${state}`, state, address, signedIn: name === "not-found" }))

/** File name of one picture, without extension. */
export const fileOf = (name: string, language: Language, scheme: Scheme, width: number): string =>
  `${name}.${language}.${scheme}.${width}`
