// Zone file text for tests.

/**
 * Zone file of a zone. `lines`: zone file lines, with names relative to the zone or with a final dot. TTLs are short,
 * also for negative answers.
 */
export const zoneText = (name: string, lines: ReadonlyArray<string>, serial = 1): string => {
  const origin = name === "" ? "." : `${name}.`
  return [
    `$ORIGIN ${origin}`,
    "$TTL 60",
    `@ SOA ns.invalid. root.invalid. ${serial} 3600 600 86400 1`,
    ...lines,
    ""
  ].join("\n")
}
