/**
 * Name of the browser and system behind a User-Agent, so that users recognise their own devices. Pure. Source: RFC 9110
 * §10.1.5.
 */

const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Version\/.*Safari\//, "Safari"]
]
const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"]
]

/** Longest name of an unknown program. Unit: characters. */
const longest = 40

export const browserName = (agent: string): string => {
  const named = (all: typeof browsers) => all.find(([pattern]) => pattern.test(agent))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  return browser === undefined ? agent.slice(0, longest) : system === undefined ? browser : `${browser}, ${system}`
}
